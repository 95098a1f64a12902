'use strict'

/** Asks the file system of the destination whether it takes two names for one. */

const { dirname } = require('node:path')
const { foldsNames, inFolder } = require('../../files')
const { codeOf } = require('./explain')

/**
 * @param {string} root the folder of the destination; if it is not there yet, the nearest one above it is asked
 * @returns {NonNullable<import('../contract').Store['folds']>}
 */
function createFolds(root) {
  return async () => {
    for (let folder = root; ; folder = dirname(folder)) {
      try {
        // Who may not write there cannot find out.
        return await inFolder(folder, {}, ({ at }) => foldsNames(at).catch(() => undefined))
      } catch (cause) {
        if (codeOf(cause) !== 'ENOENT' || folder === '/') return undefined
      }
    }
  }
}

module.exports = { createFolds }
