'use strict'

const { createHash } = require('node:crypto')
const { createReadStream } = require('node:fs')
const { stat } = require('node:fs/promises')
const { XferError } = require('../../errors')

/**
 * The digest of a file of names, by which a job knows them again.
 *
 * @param {string} [file] of `--files-from`
 * @returns {Promise<string | undefined>} SHA-256 in hex; undefined without a file, and of standard input or a pipe, which can
 *   be read only once
 * @throws {XferError} USAGE
 */
async function digestNames(file) {
  if (file === undefined || file === '-') return undefined
  try {
    if (!(await stat(file)).isFile()) return undefined
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    return hash.digest('hex')
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    const text = `The names in ${file} cannot be read (${code}).`
    throw new XferError('USAGE', { text, advice: 'Check the path of the file.' }, { cause })
  }
}

module.exports = { digestNames }
