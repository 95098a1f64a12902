'use strict'

/**
 * The store of files of this machine. Data requests are carried out by the embedded engine alone, whose transport of files
 * (lib/engines/local/transports/file.js) reads and writes them; all other calls are made here. The folders that removed files were in
 * stay, unless a file has their name now.
 */

const fs = require('node:fs')
const { lstat, readdir, readlink, rmdir, stat, unlink } = require('node:fs/promises')
const { basename, dirname, join } = require('node:path')
const { promisify } = require('node:util')
const { codeOf, fileEtag, foldsNames, inFolder, isEtagOf, isMountPoint, withCode } = require('../../files')
const { conditionHeaders, mtime, inProcess } = require('../common')
const { TERMS, XferError, deviceFacts, explainAnswer, explainCall, linkFacts } = require('./explain')
const { createList, entryOf, metadataOf } = require('./list')
const { createPaths, folderOf, keyFault, readUploadId } = require('./place')
const { createLeftovers, createUploads } = require('./upload')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('node:fs').BigIntStats} FileStats */
/** @typedef {ReturnType<typeof createFiles>} Files */
/** @typedef {import('../contract').StoreSettings & { followLinks: boolean }} FileSettings followLinks: below the root, wherever they lead */

/** @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: 1024 ** 4, maxParts: 100_000, equalParts: false }

/** @type {import('../contract').Abilities} */
const ABILITIES = {
  // A file has a time and no other metadata, and nobody expects more.
  ...inProcess.ABILITIES,
  listsUploadsByPrefix: true,
  written: true,
  keepsTimes: true,
  listsMetadata: true,
  listsAlone: true,
}

/** Of a whole file. @type {import('../../types').AnswerRule} */
const WRITE_FILE = { ...inProcess.RULES.write, tells: ['x-mtime'] }

/**
 * @param {object} of
 * @param {Pick<import('../contract').Place, 'key'>} of.place
 * @param {FileSettings} of.settings
 * @param {string} [of.location] the place, for messages
 * @param {() => number} [of.now] epoch milliseconds
 * @returns {import('../contract').OwnStore}
 */
function openFileStore({ place: { key }, settings: { side, alone, followLinks }, location, now = Date.now }) {
  const facts = {
    side,
    protocol: 'file system',
    bucket: `/${key}`,
    keyRoot: '/',
    endpoint: 'this machine',
    terms: TERMS,
    ...(location !== undefined && { location }),
    ...(alone && { alone }),
  }
  const paths = createPaths(key, facts)
  const files = createFiles({ paths, facts, followLinks })
  const { head, remove, makeFolder, setTime } = files
  const uploads = createUploads({ paths, facts, files })
  const leftovers = createLeftovers(uploads)
  const { list, notices, leavesOut } = createList({ paths, facts, followLinks })

  return {
    ...inProcess.MEMBERS,
    scheme: 'file',
    keyFault,
    facts,
    endpoint: 'this machine',
    origin: '',
    can: ABILITIES,
    limits: LIMITS,
    now,
    async ping() {},
    head,
    remove,
    makeFolder,
    removeFolder: files.removeFolder,
    setTime,
    list,
    notices,
    leavesOut,

    async read({ key, etag, range }) {
      paths.locate(key)
      const headers = {
        'if-match': etag,
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
        ...(files.follows(key) && { 'x-links': 'follow' }),
      }
      return {
        request: { method: 'GET', url: paths.url(key), headers, root: paths.root, accepts: inProcess.RULES.read },
      }
    },

    async put({ key, bytes, attributes, condition, mtimeFrom }) {
      paths.locateTarget(key)
      // Below a prefix that would be one more call a file.
      if (key === paths.named) await files.refuseSpecial(key)
      const seconds = mtime.MTIME_IN_SECONDS.read(attributes.metadata.user)
      const headers = {
        'content-length': String(bytes),
        ...conditionHeaders(condition),
        ...(seconds !== undefined && { 'x-mtime': seconds }),
        ...(mtimeFrom !== undefined && { 'x-mtime-from': mtimeFrom }),
        ...leftovers.header(),
      }
      return { request: { method: 'PUT', url: paths.url(key), headers, root: paths.root, accepts: WRITE_FILE } }
    },

    upload: {
      ...uploads,

      async part({ key, uploadId, bytes, start = 0 }) {
        paths.locate(key)
        const { total, name } = readUploadId(uploadId)
        const url = paths.url(folderOf(key) + name)
        const end = start + bytes
        const headers = {
          'content-length': String(bytes),
          'content-range': `bytes ${start}-${end - 1}/${Math.max(total, end)}`,
        }
        return { request: { method: 'PUT', url, headers, root: paths.root, accepts: inProcess.RULES.part } }
      },
    },

    leftovers,
    /** If the folder of the destination is not there yet, the nearest one above it is asked. */
    async folds() {
      for (let folder = paths.root; ; folder = dirname(folder)) {
        try {
          // Who may not write there cannot find out.
          return await inFolder(folder, {}, ({ at }) => foldsNames(at).catch(() => undefined))
        } catch (cause) {
          if (codeOf(cause) !== 'ENOENT' || folder === '/') return undefined
        }
      }
    },
    readWritten: headers => ({ mtime: headers['x-mtime'] }),
    explain: answer => explainAnswer(answer, facts),
  }
}

/** Where /dev/stdin, /dev/stdout and /dev/fd lead, on Linux. */
const OF_PROCESSES = '/proc/'

// Of all objects of a prefix; the handles of node:fs/promises cost more.
const [close, fstat, futimes, open] = [fs.close, fs.fstat, fs.futimes, fs.open].map(
  call => /** @type {(...args: any[]) => Promise<any>} */ (promisify(call)),
)
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants

/**
 * @param {object} of
 * @param {import('./place').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 */
function createFiles({ paths, facts, followLinks }) {
  /** The user named this file, and means what it leads to. @param {string} key */
  const follows = key => followLinks || (facts.side === 'source' && key === paths.named)

  /**
   * @param {string} key
   * @param {(path: string, folder: import('../../files/folder').Folder) => Promise<T>} use gets a path of the file that stays good
   *   until it resolves, and its folder
   * @param {{ of?: 'read' | 'write' }} [how]
   * @template T
   * @returns {Promise<T>}
   */
  async function at(key, use, { of = 'read' } = {}) {
    const { root, folder, name } = paths.locate(key)
    try {
      return await inFolder(folder, followLinks ? {} : { root }, at => use(at.at(name), at))
    } catch (cause) {
      const error = explainCall(cause, { key, of }, facts)
      const below = facts.side === 'source' && paths.named === undefined
      if (!below || error.code !== 'NO_SUCH_KEY' || fs.existsSync(root)) throw error
      throw new XferError('NO_SUCH_BUCKET', { ...facts, path: root }, { cause })
    }
  }

  /** @param {string} path @param {string} key @returns {Promise<FileStats>} of a file */
  async function statFile(path, key) {
    const found = await (follows(key) ? stat : lstat)(path, { bigint: true })
    if (found.isFile()) return found
    if (found.isDirectory()) throw paths.fault('NO_SUCH_KEY', key, { what: 'a folder' })
    const other = found.isSymbolicLink() ? linkFacts(facts.side) : deviceFacts(facts.side)
    throw paths.fault('NOT_A_FILE', key, other)
  }

  /** @type {import('../contract').Store['remove']} */
  async function remove({ key, etag }) {
    /** @param {string} path */
    const unlinkFile = async path => {
      const found = await lstat(path, { bigint: true })
      if (found.isDirectory()) throw paths.fault('NOT_A_FILE', key, { what: 'is a folder' })
      // A link that was named was read as what it leads to, which stays.
      const read = found.isSymbolicLink() && follows(key) ? await stat(path, { bigint: true }) : found
      if (etag !== undefined && !isEtagOf(etag, read)) throw paths.fault('DESTINATION_EXISTS', key, { status: 412 })
      await unlink(path)
    }
    await at(key, unlinkFile, { of: 'write' }).catch(cause => {
      if (cause.code !== 'NO_SUCH_KEY' || etag !== undefined) throw cause
    })
  }

  /**
   * A rename would replace it. A link is replaced, and what it leads to is left; but not /dev/stdout and its like.
   *
   * @param {string} path of a target
   * @param {string} key
   * @throws {NodeJS.ErrnoException} MOUNT: a file is there that is a mount point
   * @throws {XferError} NOT_A_FILE: a folder, a device, a pipe, a socket or a link to an open file of a process is there
   */
  async function refuseOther(path, key) {
    const found = await lstat(path).catch(cause => {
      if (codeOf(cause) !== 'ENOENT') throw cause
    })
    if (found?.isFile() && (await isMountPoint(path))) throw withCode('MOUNT')
    if (!found || found.isFile()) return
    const link = found.isSymbolicLink() ? await readlink(path) : undefined
    if (link !== undefined && !link.startsWith(OF_PROCESSES)) return
    if (link !== undefined) {
      throw paths.fault('NOT_A_FILE', key, { what: 'leads to an open file of a process; standard output is -' })
    }
    throw paths.fault('NOT_A_FILE', key, found.isDirectory() ? { what: 'is a folder' } : deviceFacts('destination'))
  }

  return {
    at,
    remove,

    /** @type {import('../../types').Store['head']} */
    async head(key) {
      if (key === '' || key.endsWith('/')) throw paths.fault('NO_SUCH_KEY', key, { what: 'a folder' })
      // Of a prefix that is asked for itself: it may be a file.
      const isRoot = `${key}/` === paths.base
      const stats = await (isRoot ? statFile(paths.root, key) : at(key, path => statFile(path, key)))
      const identity = `${stats.dev}-${stats.ino}`
      return { ...entryOf(stats, facts), conditionEtag: fileEtag(stats), metadata: metadataOf(key, stats), identity }
    },

    follows,

    refuseOther,

    /** @param {string} key of a file that is written in one piece */
    async refuseSpecial(key) {
      await at(key, path => refuseOther(path, key), { of: 'write' }).catch(error => {
        // Its folder is made by the write.
        if (error.code !== 'UPLOAD_GONE' && error.code !== 'NO_SUCH_KEY') throw error
      })
    },

    /** @type {NonNullable<import('../../types').Store['setTime']>} */
    async setTime({ key, etag, seconds }) {
      return await at(key, path => correctTime(path, { etag, seconds }), { of: 'write' })
    },

    /** @type {NonNullable<import('../contract').Store['removeFolder']>} */
    async removeFolder(key) {
      try {
        const { root, folder, name } = paths.locate(key)
        const all = await foldersIn(join(folder, name), root)
        for (const path of all.reverse())
          await inFolder(dirname(path), { root }, folder => rmdir(folder.at(basename(path))))
        return true
      } catch {
        // What is there is in the way of the write, which says so.
        return false
      }
    },

    /** @param {string} key with a slash at the end */
    async makeFolder(key) {
      const { root, folder } = paths.locateTarget(`${key}x`)
      await inFolder(folder, { root, make: true }, async () => {}).catch(cause => {
        throw explainCall(cause, { key, of: 'write' }, facts)
      })
    },
  }
}

/** @param {string} path @param {string} root @returns {Promise<string[]>} it, and the folders in it, each before those in it @throws {NodeJS.ErrnoException} if there is anything else */
async function foldersIn(path, root) {
  const entries = await inFolder(path, { root }, async folder => {
    // It may be gone soon.
    folder.forget()
    return await readdir(folder.at('.'), { withFileTypes: true })
  })
  if (entries.some(entry => !entry.isDirectory())) throw withCode('ENOTEMPTY')
  const inside = []
  for (const { name } of entries) inside.push(...(await foldersIn(join(path, name), root)))
  return [path, ...inside]
}

/**
 * Gives a file another time, unless somebody has written it since it had that ETag.
 *
 * @param {string} path
 * @param {{ etag: string, seconds: string }} to
 * @returns {Promise<string>} its ETag now; that of before if it was left as it is
 */
async function correctTime(path, { etag, seconds }) {
  // To set its time, its owner need not be able to write it. Who put a named pipe there is not waited for.
  const fd = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (fileEtag(await fstat(fd, { bigint: true })) !== etag) return etag
    await futimes(fd, Date.now() / 1000, seconds)
    return fileEtag(await fstat(fd, { bigint: true }))
  } finally {
    // Nobody waits for it.
    close(fd).catch(() => {})
  }
}

module.exports = { openFileStore }
