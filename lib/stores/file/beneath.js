'use strict'

/**
 * Opens folders one by one below a root, so that no link on the way, whoever plants it and when, leads out of the root. On Linux
 * what follows is done relative to the open folder (/proc/self/fd); elsewhere each folder is looked at before.
 */

const { constants, existsSync } = require('node:fs')
const { lstat, mkdir, open } = require('node:fs/promises')

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants
/** Of Linux alone: a place in the file tree, for which the permission to search suffices. */
const O_PATH = 0o10000000
const BY_DESCRIPTOR = process.platform === 'linux' && existsSync('/proc/self/fd')

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */
/** @typedef {{ path: string, handle?: FileHandle }} Folder path: of the folder, good while the handle is open */

/**
 * @param {object} where
 * @param {string} where.root an absolute path; links on the way to it are followed
 * @param {string[]} where.names of the folders from there
 * @param {boolean} [where.make] makes those that are missing, the root too
 * @param {boolean} [where.follow] follows links below the root
 * @param {(path: string) => Promise<T>} use gets the path of the folder, which is good until it resolves
 * @template T
 * @returns {Promise<T>}
 * @throws {NodeJS.ErrnoException} of the system; LINK if one of the folders is a link
 */
async function inFolder({ root, names, make = false, follow = false }, use) {
  if (make) await mkdir(root, { recursive: true })
  let folder = await openFolder(root, { follow: true })
  try {
    for (const name of names) {
      const next = await step(folder, name, { make, follow })
      await folder.handle?.close()
      folder = next
    }
    return await use(folder.path)
  } finally {
    await folder.handle?.close()
  }
}

/** @param {Folder} folder @param {string} name @param {{ make: boolean, follow: boolean }} how @returns {Promise<Folder>} */
async function step({ path }, name, { make, follow }) {
  const at = `${path}/${name}`
  try {
    return await openFolder(at, { follow })
  } catch (cause) {
    if (make && codeOf(cause) === 'ENOENT') {
      await mkdir(at).catch(error => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
      return await openFolder(at, { follow })
    }
    throw cause
  }
}

/** @param {string} path @param {{ follow: boolean }} how @returns {Promise<Folder>} */
async function openFolder(path, { follow }) {
  if (!BY_DESCRIPTOR) {
    const found = follow ? undefined : await lstat(path)
    if (found?.isSymbolicLink()) throw linkError(path)
    if (found && !found.isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR', syscall: 'open' })
    return { path }
  }
  try {
    const handle = await open(path, O_PATH | O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW))
    return { path: `/proc/self/fd/${handle.fd}`, handle }
  } catch (cause) {
    const maybe = !follow && ['ENOTDIR', 'ELOOP'].includes(codeOf(cause) ?? '')
    if (maybe && (await lstat(path).catch(() => undefined))?.isSymbolicLink()) throw linkError(path)
    throw cause
  }
}

/** @param {string} path */
function linkError(path) {
  return Object.assign(new Error(`${path} is a symbolic link`), { code: 'LINK' })
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code
}

module.exports = { codeOf, inFolder, linkError }
