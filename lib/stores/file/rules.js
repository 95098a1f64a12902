'use strict'

/** What the answers of the transport of files mean. Pure. */

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** @type {AnswerRule['errorCode']} */
const errorCode = { header: 'x-error' }

/** @type {AnswerRule} */
const READ = {
  ...{ statuses: [200, 206], etag: { header: 'etag', required: true }, changed: [412], errorCode },
  tells: ['x-cache'],
}

/** Of a whole file. @type {AnswerRule} */
const WRITE_FILE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-mtime'],
  errorCode,
}

/** Of a range in a partial file: it has no version of its own. @type {AnswerRule} */
const WRITE_RANGE = { statuses: [200], errorCode }

module.exports = { READ, WRITE_FILE, WRITE_RANGE }
