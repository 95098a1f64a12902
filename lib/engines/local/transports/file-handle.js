'use strict'

/** Open files for the transport of files, and what an error of the file system is as an answer. */

const fs = require('node:fs')
const { Failure } = require('../../../../actions/copy-range/failure')
const { refusalOf } = require('./messages')

/**
 * An open file. It is closed once, and only after the calls that are under way: until they return they use its number and the
 * memory that they were given. On a file system that hangs that may take long.
 *
 * @typedef {ReturnType<typeof createHandle>} Handle
 * @param {number} fd
 */
function createHandle(fd) {
  let calls = 0
  let closing = false
  const closeIfIdle = () => calls === 0 && fs.close(fd, () => {})
  /**
   * Waits for a call of node:fs.
   * @template [R=void]
   * @param {(fd: number, done: (error: NodeJS.ErrnoException | null, result: R) => void) => void} call
   * @returns {Promise<R>}
   */
  const wait = call =>
    new Promise((resolve, reject) => {
      // Its number may be another file's by now.
      if (closing) return reject(withCode('ECANCELED'))
      call(fd, (error, result) => {
        calls--
        if (error) reject(error)
        else resolve(result)
        if (closing) closeIfIdle()
      })
      // Not counted if it has thrown: node:fs does not take every argument.
      calls++
    })
  return {
    /** @param {Buffer} memory @param {number} offset @param {number} bytes @param {number} at @returns {Promise<number>} */
    read: (memory, offset, bytes, at) => wait((fd, done) => fs.read(fd, memory, offset, bytes, at, done)),
    /** @param {Buffer[]} pieces @param {number} at @returns {Promise<number>} */
    write: (pieces, at) => wait((fd, done) => fs.writev(fd, pieces, at, done)),
    /** @returns {Promise<fs.BigIntStats>} */
    stat: () => wait((fd, done) => fs.fstat(fd, { bigint: true }, done)),
    wait,
    close() {
      if (closing) return
      closing = true
      closeIfIdle()
    },
  }
}

/**
 * @param {string} path
 * @param {number} flags
 * @param {number} [mode]
 * @returns {Promise<Handle>}
 */
function openHandle(path, flags, mode) {
  return new Promise((resolve, reject) => {
    fs.open(path, flags, mode, (error, fd) => (error ? reject(error) : resolve(createHandle(fd))))
  })
}

/** Statuses by the code of Node.js, or by one of ours. @type {Array<[status: number, ...codes: string[]]>} */
const STATUSES = [
  [400, 'EINVAL', 'EILSEQ', 'ENAMETOOLONG', 'ERR_INVALID_ARG_TYPE', 'ERR_OUT_OF_RANGE', 'LENGTH'],
  [403, 'EACCES', 'EPERM', 'EROFS', 'LINK', 'MOUNT', 'NOT_A_FILE', 'NOWHERE', 'OUTSIDE', 'SIZE'],
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
 * @param {import('../../../../actions/copy-range/failure').Side} side
 * @param {import('../../../../actions/copy-range/transport').Handlers} on
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

module.exports = { brokenRead, codeOf, openHandle, refuse, withCode }
