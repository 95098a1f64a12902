'use strict'

/**
 * Files as a store, by URLs `file:///absolute/path`. The header `x-error` of a refusal is the code of Node.js, or LINK,
 * OUTSIDE, NOT_A_FILE, CHANGED, EXISTS, LENGTH, RANGE.
 *
 * GET: `range`, `if-match`; `x-links: follow` follows links. Answers 200 or 206 with the file's ETag, or 403, 404, 412, 416.
 *
 * PUT with `content-range: bytes START-END/TOTAL`: a part, written into a file that is there. Its ETag is `"START-END"`.
 *
 * PUT without it: the whole file. It appears under its name when all of it is on the disk, and the name too before the answer.
 * Missing folders below `root` are made. Headers: `if-none-match: *`, `if-match`, `x-mtime` (seconds since the epoch),
 * `x-owner` (digits of its other name), `x-mtime-from` (the header of the read's answer that has its time, in seconds;
 * `x-mtime` counts where that says none). The answer has the ETag of the file, and its `x-mtime` where one was given.
 *
 * Refusals: 400, 403, 404, 409, 412, 413, 500; 507 if the disk or a quota is full.
 */

const { beginRead } = require('./read')
const { beginWrite } = require('./write')

/** @type {import('../../../../../actions/copy-range/transport').LocalTransport} */
module.exports = {
  begin: (request, on) => (request.method === 'GET' ? beginRead(request, on) : beginWrite(request, on)),
}
