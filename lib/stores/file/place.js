'use strict'

/**
 * Places of files, the keys, paths and URLs of the files below one, and whether a place can be read or written. A place has no container; its key is the absolute path without
 * the slash in front. A `file://` address is taken as it stands, as the keys of other stores are: nothing in it is percent-decoded.
 */

const { lstatSync, statSync } = require('node:fs')
const { open, opendir, stat, unlink } = require('node:fs/promises')
const { dirname, join, resolve } = require('node:path')
const { leadsNowhere, newPartialId, partialIdOf, partialName, realPath, withCode } = require('../../files')
const { brief, encodeKey } = require('../common')
const { TERMS, XferError, explainCall } = require('./explain')

/** https://man7.org/linux/man-pages/man7/path_resolution.7.html */
const MOST_NAME_BYTES = 255
const MOST_PATH_BYTES = 4095
/** https://man7.org/linux/man-pages/man5/proc_pid_fd.5.html, and the links to it. */
const OF_PROCESS = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/(?:self|thread-self|\d+)\/fd\/\d+)$/

/**
 * @param {string} text a path, relative to the current folder, or `file:///path`
 * @param {Parameters<import('../contract').Places['parse']>[1]} how
 * @returns {import('../contract').Place} its key ends in a slash where the text does
 * @throws {XferError} BAD_LOCATION
 */
function parse(text, { side, refuse }) {
  const [, address] = /^file:\/\/(.*)$/is.exec(text) ?? []
  if (address !== undefined && !address.startsWith('/'))
    throw refuse('a file:// address has three slashes, and no host')
  const given = address ?? text
  if (given.includes('\0')) throw refuse('it has a NUL character')
  const path = resolve(given)
  // A file is written beside its name and renamed: what a process has open cannot be replaced so.
  if (side === 'destination' && OF_PROCESS.test(path))
    throw refuse('it is what a process has open, and a file cannot take its place', undefined, {
      forms: `- for standard output, as in xfer copy SRC - > ${path}`,
    })
  if (side === 'destination' && address === undefined) checkFolder(given, refuse)
  const folder = /(?:^|\/)\.{0,2}$/.test(given)
  return { scheme: 'file', container: '', key: path === '/' ? '' : `${path.slice(1)}${folder ? '/' : ''}` }
}

/**
 * A bucket's name without its scheme looks like a path too. So the first folder of a bare `name/…` must be there.
 *
 * @param {string} path as it was typed
 * @param {import('../contract').RefusePlace} refuse
 */
function checkFolder(path, refuse) {
  const [, first] = /^([^./][^/]*)\/[^/]/.exec(path) ?? []
  if (first === undefined || lstatSync(first, { throwIfNoEntry: false })) return
  throw refuse(`it was read as a path, and there is no folder ${JSON.stringify(brief(first))} here`)
}

/** @param {import('../contract').Place} place @returns {import('../contract').Place} */
function asFolder(place) {
  const { key } = place
  return key !== '' && !key.endsWith('/') && isFolder(`/${key}`) ? { ...place, key: `${key}/` } : place
}

/** A key without symbolic links. @param {string} key */
function real(key) {
  const found = realPath(`/${key}`).slice(1)
  return found !== '' && key.endsWith('/') ? `${found}/` : found
}

/** @param {string} path */
function isFolder(path) {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** @param {Pick<import('../contract').Place, 'key'>} place @returns {string} the absolute path */
function text({ key }) {
  return `/${key}`
}

/**
 * Why no file can have this path, to follow "the key". A slash at the end, of a prefix, is none of the reasons.
 *
 * @param {string} key
 * @returns {string | undefined}
 */
function keyFault(key) {
  const segments = key.replace(/\/$/, '').split('/')
  if (key === '') return undefined
  if (key.includes('\0')) return 'has a NUL character, which no file name can have'
  if (!key.isWellFormed()) return 'is no valid Unicode'
  if (segments.includes('')) return 'has an empty folder name, which no path can have'
  if (segments.includes('.') || segments.includes('..')) return 'has a segment "." or "..", which a path does not keep'
  const long = segments.find(segment => Buffer.byteLength(segment) > MOST_NAME_BYTES)
  if (long !== undefined)
    return `has a name of ${Buffer.byteLength(long)} bytes, and a file may have ${MOST_NAME_BYTES}`
  const bytes = Buffer.byteLength(key) + 1
  return bytes > MOST_PATH_BYTES ? `makes a path of ${bytes} bytes, and one may have ${MOST_PATH_BYTES}` : undefined
}

/**
 * @typedef {ReturnType<typeof createPaths>} Paths
 * @typedef {{ root: string, folder: string, name: string }} Located paths of the root and of the file's folder, and its name
 */

/**
 * @param {string} key of the place: a prefix ends in a slash, and no key leaves it; else it is a file's
 * @param {Record<string, any>} facts of the store
 */
function createPaths(key, facts) {
  /** Of every key below the root: '' for the root of the file system. */
  const base = folderOf(key)
  const root = `/${base.slice(0, -1)}`

  /**
   * @param {string} key of a file
   * @returns {Located}
   * @throws {XferError} KEY_INVALID
   */
  function locate(key) {
    const reason = keyFault(key) ?? (key.startsWith(base) ? undefined : 'lies outside the folder that was named')
    const name = nameOf(key)
    if (reason !== undefined || name === '') {
      throw new XferError('KEY_INVALID', { ...facts, key, reason: reason ?? 'names no file' })
    }
    return { root, folder: `/${folderOf(key).slice(0, -1)}`, name }
  }

  return {
    root,
    base,
    /** The user named this very file, and no prefix. */
    named: key.endsWith('/') || key === '' ? undefined : key,

    locate,

    /**
     * @param {string} key of a file that is to be written
     * @returns {Located}
     * @throws {XferError} KEY_INVALID, also for a name of our partial files: lists leave it out, and `xfer clean` removes it
     */
    locateTarget(key) {
      const located = locate(key)
      const own = key
        .slice(base.length)
        .split('/')
        .find(name => partialIdOf(name) !== undefined)
      if (own === undefined) return located
      throw new XferError('KEY_INVALID', { ...facts, key, reason: 'has a name as xfer gives its own partial files' })
    },

    /** @param {string} folder its key, with a slash at the end, or '' @returns {string} */
    folder: folder => `/${folder.slice(0, -1)}`,

    /** The error of one file. @param {string} code @param {string} key @param {object} [more] facts @param {unknown} [cause] */
    fault: (code, key, more, cause) => new XferError(code, { ...facts, key, path: `/${key}`, ...more }, { cause }),

    /** Not by Node's `pathToFileURL`, which takes control characters from the end of a name (v20.20). @param {string} key */
    url: key => `file:///${encodeKey(key)}`,
  }
}

/** @param {string} key */
const nameOf = key => key.slice(key.lastIndexOf('/') + 1)

/** @param {string} key @returns {string} with a slash at the end; '' for the root of the file system */
const folderOf = key => key.slice(0, key.lastIndexOf('/') + 1)

/**
 * @param {string} uploadId the id of the partial file, and the size of the object
 * @returns {{ name: string, total: number }} name: of the partial file
 */
function readUploadId(uploadId) {
  const [id, total = '0'] = uploadId.split('.')
  return { name: partialName(id), total: Number(total) }
}

const CHECK_MS = 30_000
const PROBE = 'xfer doctor\n'

/**
 * The checks of `xfer doctor` of a file or a folder: whether it can be read, or written. They leave nothing behind.
 *
 * @param {import('../contract').Place} place
 * @param {{ side: 'source' | 'destination' }} how
 * @returns {import('../../engines/contract').Check[]}
 */
function checksOf({ key }, { side }) {
  const writes = side === 'destination'
  const about = { path: `/${key}` }
  const run = async () => {
    try {
      return await (writes ? tryWriting : tryReading)(about)
    } catch (cause) {
      const { path } = about
      const facts = {
        side,
        protocol: 'file system',
        bucket: path,
        endpoint: 'this machine',
        location: path,
        terms: TERMS,
      }
      throw explainCall(cause, { key: path.slice(1), of: writes ? 'write' : 'read' }, facts)
    }
  }
  return [{ name: writes ? 'destination writing' : 'source reading', limitMs: CHECK_MS, cleans: writes, run }]
}

/** Reads one byte of a file, or one name of a folder. @param {{ path: string }} about */
async function tryReading({ path }) {
  const handle = await open(path, 'r')
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) {
      const folder = await opendir(path)
      const first = await folder.read().finally(() => folder.close())
      const what = first ? 'is a folder, and its names can be read' : 'is an empty folder'
      return { ok: true, detail: `${path} ${what}: name a file to have it read.` }
    }
    if (!stats.isFile()) return { ok: false, detail: `${path} is neither a file nor a folder.`, hint: 'Name a file.' }
    const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0)
    const size = stats.size.toLocaleString('en-US')
    return { ok: true, detail: `${path} has ${size} bytes, and ${bytesRead === 0 ? 'none' : 'one'} of them was read.` }
  } finally {
    await handle.close()
  }
}

/**
 * Writes a partial file of a few bytes to the nearest folder that is there, syncs it, and removes it.
 *
 * @param {{ path: string }} about a file or a folder, which may be missing; it becomes the folder
 */
async function tryWriting(about) {
  const asked = about.path
  about.path = asked.replace(/(?<=.)\/+$/, '')
  if (await leadsNowhere(about.path)) throw withCode('NOWHERE')
  // The file itself may be missing, or be replaced.
  const near = asked.endsWith('/') ? [about.path] : [about.path, dirname(asked)]
  while (!(await stat(about.path).catch(unlessAbsent))?.isDirectory()) about.path = dirname(about.path)
  const probe = join(about.path, partialName(newPartialId('doctor')))
  const handle = await open(probe, 'wx', 0o600)
  try {
    await handle.writeFile(PROBE)
    await handle.sync()
  } finally {
    await handle.close()
    await unlink(probe)
  }
  const made = near.includes(about.path) ? '' : '; a copy makes the folders that are missing below it'
  return { ok: true, detail: `A file of a few bytes was written to ${about.path}, synced and removed${made}.` }
}

/** @param {NodeJS.ErrnoException} cause */
function unlessAbsent(cause) {
  if (!['ENOENT', 'ENOTDIR'].includes(cause.code ?? '')) throw cause
}

/** All files of this machine are in one store. */
const identify = () => ({ host: 'file:', server: 'file:', name: 'the file system' })

module.exports = {
  asFolder,
  checksOf,
  createPaths,
  folderOf,
  identify,
  keyFault,
  nameOf,
  parse,
  readUploadId,
  real,
  text,
}
