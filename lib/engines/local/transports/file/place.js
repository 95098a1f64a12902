'use strict'

const { basename, dirname } = require('node:path')
const { fileURLToPath } = require('node:url')
const { useFolder } = require('../../../../files')

/** @typedef {import('../../../../files/folder').Folder} Folder */

/**
 * Does something with the file of a request. With a root its folder is opened first, name by name, and `path` leads through
 * it; else `path` is the file's own.
 *
 * @template T
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} target
 * @param {(path: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withPath({ url, root }, use) {
  const path = fileURLToPath(url)
  if (root === undefined) return use(path)
  const folder = await useFolder(dirname(path), { root })
  try {
    return await use(folder.at(basename(path)))
  } finally {
    folder.release()
  }
}

module.exports = { withPath }
