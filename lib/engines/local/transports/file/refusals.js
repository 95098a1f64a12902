'use strict'

/** What an error of the file system is as an answer. */

const { Failure } = require('../../../../../actions/copy-range/failure')
const { refusalOf } = require('../messages')

/** Statuses by the code of Node.js, or by one of ours. @type {Array<[status: number, ...codes: string[]]>} */
const STATUSES = [
  [400, 'EINVAL', 'EILSEQ', 'ENAMETOOLONG', 'ERR_INVALID_ARG_TYPE', 'ERR_OUT_OF_RANGE', 'LENGTH'],
  [403, 'EACCES', 'EPERM', 'EROFS', 'LINK', 'NOT_A_FILE', 'OUTSIDE', 'SIZE'],
  [404, 'ENOENT', 'ENOTDIR'],
  [409, 'EEXIST', 'EISDIR', 'ENOTEMPTY'],
  [412, 'CHANGED', 'EXISTS'],
  [413, 'EFBIG'],
  [416, 'RANGE'],
  [507, 'EDQUOT', 'ENOSPC'],
]

/** This machine has no file descriptors left. */
const SHORTAGES = ['EMFILE', 'ENFILE']

/** @param {unknown} error @returns {string} */
function codeOf(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (Object(error))
  // The last name is a link, and links are not followed.
  return code === 'ELOOP' ? 'LINK' : (code ?? 'UNKNOWN')
}

/** @param {string} code */
const statusOf = code => STATUSES.find(([, ...codes]) => codes.includes(code))?.[0] ?? 500

/**
 * Answers with the refusal, or reports the loss of the connection if this machine has no file descriptors left.
 * @param {unknown} error
 * @param {import('../../../../../actions/copy-range/failure').Side} side
 * @param {import('../../../../../actions/copy-range/transport').Handlers} on
 */
function refuse(error, side, on) {
  const code = codeOf(error)
  if (SHORTAGES.includes(code)) on.lost(new Failure('UNREACHABLE', { side, detail: code, shortage: code }))
  else on.answer(refusalOf(statusOf(code), code))
}

/** The failure of a read that was answered already. @param {unknown} error */
function brokenRead(error) {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  return new Failure('HTTP_STATUS', { side: 'read', status: statusOf(code), storeCode: code })
}

/** @param {string} code */
const withCode = code => Object.assign(new Error(code), { code })

module.exports = { brokenRead, codeOf, refuse, withCode }
