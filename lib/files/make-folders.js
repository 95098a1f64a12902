'use strict'

const { mkdir } = require('node:fs/promises')
const { dirname } = require('node:path')

/**
 * Creates a folder and its missing parents, a step at a time: with `recursive`, Node.js (20.20) tries without end where a folder that
 * exists answers ENOENT, as `/proc` does, and says ENOENT of a file system that is read-only.
 *
 * @param {string} folder
 * @param {{ mode?: number, made?: (parent: string) => Promise<void> }} [how] made: called for each folder in which one was made
 */
async function makeFolders(folder, how = {}) {
  const { mode, made } = how
  const parent = dirname(folder)
  const make = () => mkdir(folder, { mode })
  try {
    await make().catch(async error => {
      if (error.code !== 'ENOENT' || parent === folder) throw error
      await makeFolders(parent, how)
      await make()
    })
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return
    throw error
  }
  await made?.(parent)
}

module.exports = { makeFolders }
