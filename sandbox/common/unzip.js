'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { unzipSync } = require('fflate')

/**
 * Unpacks a zip. Empty folders, file modes and symbolic links are not kept: a link becomes a small file.
 *
 * @param {Uint8Array} archive
 * @param {string} directory absolute; it need not be there
 * @throws {Error | string} what is no zip; a sentence if an entry is outside of the directory
 */
function unzip(archive, directory) {
  /** @type {Record<string, Uint8Array>} */
  let entries
  try {
    entries = unzipSync(archive)
  } catch (error) {
    throw new Error('There was an error uncompressing the action archive.', { cause: error })
  }
  for (const [name, bytes] of Object.entries(entries)) {
    const target = path.resolve(directory, name)
    // an entry named ../x or /x would be written outside the directory
    if (!target.startsWith(directory + path.sep)) {
      throw `There was an error uncompressing the action archive. An entry is outside of it: ${name}`
    }
    if (name.endsWith('/')) continue
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, bytes)
  }
}

module.exports = { unzip }
