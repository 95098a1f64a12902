'use strict'

/** What several rooms read of their settings: the token of workers, and files that may be missing. */

const { readFile } = require('node:fs/promises')
const { XferError, usage } = require('../errors')

/** What an Authorization header can carry (RFC 6750 section 2.1, and more): no blanks, no control characters. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/**
 * The token that a worker and its callers share, from the variable XFER_TOKEN. It is never an option, because process lists
 * show options.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} undefined if none is given
 * @throws {XferError} USAGE if it is no token; its text never contains the token
 */
function readToken({ XFER_TOKEN: text }) {
  if (!text) return undefined
  const token = text.trim()
  if (TOKEN.test(token)) return token
  throw usage(
    'XFER_TOKEN holds no token.',
    'Give printable characters without blanks, such as those of: openssl rand -hex 32',
  )
}

/**
 * @param {string} path
 * @returns {Promise<string>} '' when there is no such file
 * @throws {XferError} USAGE when the file exists and cannot be read
 */
async function readOptional(path) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    const text = `The file ${path} cannot be read (${code}).`
    throw new XferError('USAGE', { text, advice: 'Check what it is, and its permissions.' }, { cause: error })
  }
}

module.exports = { readOptional, readToken }
