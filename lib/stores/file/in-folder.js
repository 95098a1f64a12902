'use strict'

const { useFolder } = require('../../files')

/**
 * @param {string} path of the folder
 * @param {{ root?: string, make?: boolean }} how as for `useFolder`
 * @param {(folder: import('../../files/folder').Folder) => Promise<T>} use
 * @template T
 * @returns {Promise<T>}
 * @throws {NodeJS.ErrnoException} of the system; LINK if a link is in the way
 */
async function inFolder(path, how, use) {
  const folder = await useFolder(path, how)
  try {
    return await use(folder)
  } catch (error) {
    // Somebody may have removed the folder that is open.
    folder.forget()
    throw error
  } finally {
    folder.release()
  }
}

module.exports = { inFolder }
