'use strict'

const { readFile } = require('node:fs/promises')
const { XferError } = require('../errors')

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
    const facts = {
      text: `The file ${path} cannot be read (${code}).`,
      advice: 'Check what it is, and its permissions.',
    }
    throw new XferError('USAGE', facts, { cause: error })
  }
}

module.exports = { readOptional }
