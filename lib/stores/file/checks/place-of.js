'use strict'

const { stat } = require('node:fs/promises')
const { dirname } = require('node:path')

/**
 * The folder in which a copy to this path would begin to write.
 *
 * @param {string} path absolute; of a file or a folder, which may be missing
 * @param {import('.').Explain} explain
 * @returns {Promise<{ folder: string, missing: boolean }>} folder: the nearest one that is there; missing: a copy makes folders below it
 * @throws {import('../../../types').XferError}
 */
async function placeOf(path, explain) {
  const wanted = path.replace(/(?<=.)\/+$/, '')
  for (let at = wanted, missing = false; ; at = dirname(at)) {
    const found = await stat(at).catch(cause => {
      if (!['ENOENT', 'ENOTDIR'].includes(cause.code)) throw explain(cause, at)
    })
    if (found?.isDirectory()) return { folder: at, missing }
    // The file itself may be missing, or be replaced.
    missing = at !== wanted || path.endsWith('/')
  }
}

module.exports = { placeOf }
