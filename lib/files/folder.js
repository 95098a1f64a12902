'use strict'

/**
 * Folders that are open, so that what is done in them cannot be led elsewhere by a link that somebody plants meanwhile. They
 * are kept open for a moment, because the next file is often in the same one.
 */

const fs = require('node:fs')
const { basename, dirname, isAbsolute, join, relative, sep } = require('node:path')
const { promisify } = require('node:util')
const { makeFolders } = require('./make-folders')
const { codeOf, withCode } = require('./partial')
const { leadsNowhere } = require('./real-path')

const [open, close, fsync, fstat, lstat, mkdir] = [fs.open, fs.close, fs.fsync, fs.fstat, fs.lstat, fs.mkdir].map(
  call => /** @type {(...args: any[]) => Promise<any>} */ (promisify(call)),
)

/** Linux reaches what is in an open folder by its number, https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html */
const BY_NUMBER = process.platform === 'linux'
/** Opening for the way alone needs no permission to read the folder. Node.js does not name the flag. */
const O_PATH = BY_NUMBER ? 0o10000000 : 0
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = fs.constants

/** How long a folder that nobody uses stays open, and how many do. */
const IDLE_MS = 1_000
const MOST_IDLE = 64

/** File systems that cannot sync a folder say so; others do it when they like. */
const NO_SYNC = ['EACCES', 'EBADF', 'EINVAL', 'ENOTSUP', 'EPERM']

/**
 * A folder in use. `at`: the path of something in it, for calls of node:fs; `sync`: resolves when names that were made in it
 * before are on the disk; `release`: it is not used any more; `forget`: it was removed, who comes next opens it anew.
 * @typedef {{ at: (name: string) => string, sync: () => Promise<void>, release: () => void, forget: () => void }} Folder
 *
 * @typedef {{ key: string, fd: Promise<number>, users: number, closes?: NodeJS.Timeout, sync: (fd: number) => Promise<void> }} FolderEntry
 */

/** Of this thread. @type {Map<string, FolderEntry>} */
const entries = new Map()
/** Those that nobody uses, the longest one first. @type {Set<FolderEntry>} */
const idle = new Set()

/**
 * Opens a folder. Below `root` no link is followed; `root` itself may be one, or be reached by some.
 *
 * @param {string} path absolute and normalized
 * @param {{ root?: string, make?: boolean }} [how] root: the path must be this one, or below it; make: missing folders are made
 * @returns {Promise<Folder>}
 * @throws {NodeJS.ErrnoException} with the code LINK if there is a link below `root`, OUTSIDE if the path is not below it, NOWHERE if
 *   folders cannot be made because a link on the way leads to what is not there
 */
async function useFolder(path, { root, make = false } = {}) {
  if (root !== undefined && !isWithin(path, root)) throw withCode('OUTSIDE')
  const key = [make, root ?? '', path].join('\0')
  /** @type {FolderEntry} */
  const entry = entries.get(key) ?? { key, fd: enter(path, { root, make }), users: 0, sync: shared(syncFolder) }
  entries.set(key, entry)
  entry.users++
  idle.delete(entry)
  clearTimeout(entry.closes)
  const release = () => {
    if (--entry.users > 0) return
    if (entries.get(key) !== entry) return shut(entry)
    entry.closes = setTimeout(shut, IDLE_MS, entry).unref()
    idle.add(entry)
    const [longest] = idle
    if (idle.size > MOST_IDLE) shut(longest)
  }
  const forget = () => {
    if (entries.get(key) === entry) entries.delete(key)
  }
  try {
    const fd = await entry.fd
    const there = BY_NUMBER ? `/proc/self/fd/${fd}` : path
    return { at: name => join(there, name), sync: () => entry.sync(fd), release, forget }
  } catch (error) {
    forget()
    release()
    throw error
  }

  /** @param {number} fd */
  async function syncFolder(fd) {
    try {
      const folder = await open(BY_NUMBER ? `/proc/self/fd/${fd}/.` : path, O_RDONLY | O_DIRECTORY)
      await fsync(folder).finally(() => close(folder))
    } catch (error) {
      if (!NO_SYNC.includes(codeOf(error))) throw error
    }
  }
}

/** @param {string} path @param {{ root?: string, make: boolean }} how @returns {Promise<number>} its file descriptor */
async function enter(path, { root, make }) {
  if (root === undefined || path === root) {
    try {
      if (make) await makeFolders(path)
      return await open(path, O_PATH | O_RDONLY | O_DIRECTORY)
    } catch (error) {
      throw make && codeOf(error) === 'ENOENT' && (await leadsNowhere(path)) ? withCode('NOWHERE') : error
    }
  }
  const parent = await useFolder(dirname(path), { root, make })
  try {
    const here = parent.at(basename(path))
    return await openFolder(here).catch(async error => {
      if (!make || error.code !== 'ENOENT') throw error
      await mkdir(here).catch(cause => {
        if (cause.code !== 'EEXIST') throw cause
      })
      await parent.sync()
      return openFolder(here)
    })
  } finally {
    parent.release()
  }
}

/** @param {string} path of which all but the last name leads through no link */
async function openFolder(path) {
  const before = BY_NUMBER ? undefined : await lstat(path)
  if (before?.isSymbolicLink()) throw withCode('LINK')
  const fd = await open(path, O_PATH | O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(async error => {
    // With both flags Linux says of a link what it says of a file.
    throw (await lstat(path)).isSymbolicLink() ? withCode('LINK') : error
  })
  const after = before && (await fstat(fd))
  if (before && (after.ino !== before.ino || after.dev !== before.dev)) {
    await close(fd)
    throw withCode('LINK')
  }
  return fd
}

/** @param {string} path @param {string} root */
function isWithin(path, root) {
  const way = relative(root, path)
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

/**
 * Calls that come while one is under way share the next one.
 * @param {(fd: number) => Promise<void>} call
 */
function shared(call) {
  /** @type {Promise<unknown>} */
  let running = Promise.resolve()
  /** @type {Promise<void> | undefined} */
  let next
  return (/** @type {number} */ fd) => {
    next ??= running.then(() => {
      next = undefined
      const now = call(fd)
      running = now.catch(() => {})
      return now
    })
    return next
  }
}

/** @param {FolderEntry} entry */
function shut(entry) {
  clearTimeout(entry.closes)
  idle.delete(entry)
  if (entries.get(entry.key) === entry) entries.delete(entry.key)
  entry.fd.then(close).catch(() => {})
}

/**
 * @param {string} path of the folder
 * @param {{ root?: string, make?: boolean }} how as for `useFolder`
 * @param {(folder: Folder) => Promise<T>} use
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

/**
 * Does something with a file. With a root its folder is opened first, name by name, and `use` gets a path that leads through it.
 *
 * @param {string} path
 * @param {string | undefined} root
 * @param {(path: string) => Promise<T>} use
 * @template T
 * @returns {Promise<T>}
 */
async function withPath(path, root, use) {
  if (root === undefined) return await use(path)
  return await inFolder(dirname(path), { root }, folder => use(folder.at(basename(path))))
}

module.exports = { inFolder, useFolder, withPath }
