'use strict'

/**
 * Which version a file is, and how a complete file gets its final name. Partial files are those that are not complete yet. They are
 * beside their targets, because a rename works within a file system only. The id of one has 16 hex digits: eight of the target's name, so that the
 * partial files of a target are found again, four that mark the job, and four random ones.
 */

const { createHash, randomBytes } = require('node:crypto')
const { O_NOFOLLOW } = require('node:fs').constants
const { link, lstat, open, readFile, rename, unlink } = require('node:fs/promises')
const { dirname } = require('node:path')

/** The letter after the id: of an empty file that tries which names a file system takes for one. */
const PARTIAL = /^\.xfer-([0-9a-f]{16}(?:\u00e9|e\u0301)?)\.partial$/

/**
 * @param {string} target the file's name, without folders
 * @param {string} [owner] `ownerMark` of the job that writes it; default: random digits, equal to the mark of no job
 * @returns {string} a new id
 */
function newPartialId(target, owner = marked(randomBytes(2), 0)) {
  return beginningOf(target) + owner + randomBytes(2).toString('hex')
}

/** @param {string} id */
const partialName = id => `.xfer-${id}.partial`

/** @param {string} name of a file, without folders @returns {string | undefined} the id; undefined: it is no partial file */
const partialIdOf = name => PARTIAL.exec(name)?.[1]

/** @param {string} target a file's name, without folders @returns {string} the first digits of its partial files' ids */
function beginningOf(target) {
  return createHash('sha256').update(target).digest('hex').slice(0, 8)
}

/** @param {string} job its id @returns {string} the digits of its partial files' ids, after those of the target */
function ownerMark(job) {
  return marked(createHash('sha256').update(job).digest(), 0x80)
}

/** @param {Buffer} bytes @param {number} first the highest bit of the first byte */
function marked(bytes, first) {
  return Buffer.from([(bytes[0] & 0x7f) | first, bytes[1]]).toString('hex')
}

/** @param {string} id of a partial file @returns {string} */
const ownerOf = id => id.slice(8, 12)

/** Such a name cannot be there: neither can it be one that differs. */
const REFUSED = ['EILSEQ', 'EINVAL', 'EPROTO']

/**
 * Finds out whether a file system takes two names for one: a file is made, looked for under another spelling, and removed.
 *
 * @param {(name: string) => string} at the path of a name in the folder
 * @returns {Promise<{ case: boolean, unicode: boolean }>} whether names are one that differ only in case; only in their form of
 *   Unicode
 * @throws {NodeJS.ErrnoException} no file can be made there
 */
async function foldsNames(at) {
  const id = newPartialId('')
  const [plain, composed] = [partialName(id), partialName(`${id}\u00e9`)]
  return {
    case: await isOne(at, plain, plain.toUpperCase()),
    unicode: await isOne(at, composed, composed.normalize('NFD')),
  }
}

/** @param {(name: string) => string} at @param {string} name @param {string} other @returns {Promise<boolean>} */
async function isOne(at, name, other) {
  try {
    await (await open(at(name), 'wx', 0o600)).close()
  } catch (cause) {
    if (REFUSED.includes(codeOf(cause))) return false
    throw cause
  }
  try {
    return await lstat(at(other)).then(
      () => true,
      () => false,
    )
  } finally {
    await unlink(at(name))
  }
}

/** @typedef {Pick<import('node:fs').BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>} PartialStats */

/** @param {bigint[]} numbers */
const etagOf = numbers => `"${numbers.map(number => number.toString(16)).join('-')}"`

/**
 * The ETag of a file: another size, modification time or inode is another version.
 *
 * @param {Omit<PartialStats, 'ctimeNs'>} stats
 * @returns {string} with quotes: size in bytes, modification time in nanoseconds and inode, in hex
 */
const fileEtag = ({ size, mtimeNs, ino }) => etagOf([size, mtimeNs, ino])

/**
 * Of a file that is read. Nobody can set the time of its last change, but a rename changes it too, so what we write has none.
 *
 * @param {PartialStats} stats
 * @returns {string} as `fileEtag`, and the time of the last change in nanoseconds
 */
const sourceEtag = ({ size, mtimeNs, ino, ctimeNs }) => etagOf([size, mtimeNs, ino, ctimeNs])

/** @param {string} etag of either kind @param {PartialStats} stats */
const isEtagOf = (etag, stats) => etag === fileEtag(stats) || etag === sourceEtag(stats)

/** Errors of a file system that has no hard links. */
const NO_LINKS = new Set(['EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

/**
 * @param {string} partial path of the complete file
 * @param {string} path the final one, in the same folder
 * @param {{ ifNoneMatch?: boolean, ifMatch?: string }} [condition] ifNoneMatch: there must be no file; ifMatch: the ETag of the
 *   file that may be replaced
 * @returns {Promise<void>}
 * @throws {NodeJS.ErrnoException} with the code EXISTS or CHANGED if the condition does not hold, MOUNT if the final path is a mount
 *   point; else of the system
 */
async function publish(partial, path, { ifNoneMatch = false, ifMatch } = {}) {
  if (ifNoneMatch) return await publishNew(partial, path)
  if (ifMatch !== undefined && (await etagAt(path)) !== ifMatch) throw withCode('CHANGED')
  await rename(partial, path).catch(async error => {
    throw codeOf(error) === 'EBUSY' && (await isMountPoint(path)) ? withCode('MOUNT') : error
  })
}

/**
 * Containers mount single files. EBUSY alone does not tell: SMB answers so for a file that somebody has open.
 *
 * @param {string} path of a file
 */
async function isMountPoint(path) {
  const [own, around] = [await mountOf(path, O_NOFOLLOW), await mountOf(dirname(path), 0)]
  return own !== undefined && around !== undefined && own !== around
}

/**
 * https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
 *
 * @param {string} path
 * @param {number} flags
 * @returns {Promise<string | undefined>} the id of the mount that it is in; undefined: the system does not tell, or it is gone
 */
async function mountOf(path, flags) {
  const handle = await open(path, flags).catch(() => undefined)
  if (!handle) return undefined
  const told = await readFile(`/proc/self/fdinfo/${handle.fd}`, 'utf8').catch(() => '')
  await handle.close()
  return /^mnt_id:\s*(\d+)/m.exec(told)?.[1]
}

/** @param {string} partial @param {string} path */
async function publishNew(partial, path) {
  try {
    await link(partial, path)
  } catch (error) {
    if (NO_LINKS.has(codeOf(error))) return await replacePlaceholder(partial, path)
    throw refusalOf(error)
  }
  await unlink(partial)
}

/**
 * Without hard links an empty file takes the name, because only one process can create it; the rename then replaces it.
 *
 * @param {string} partial
 * @param {string} path
 */
async function replacePlaceholder(partial, path) {
  const placeholder = await createEmpty(path)
  try {
    await rename(partial, path)
  } catch (error) {
    if ((await etagAt(path).catch(() => undefined)) === placeholder) await unlink(path).catch(() => {})
    throw error
  }
}

/** @param {string} path @returns {Promise<string>} its ETag */
async function createEmpty(path) {
  const handle = await open(path, 'wx', 0o666).catch(error => {
    throw refusalOf(error)
  })
  try {
    return fileEtag(await handle.stat({ bigint: true }))
  } finally {
    await handle.close()
  }
}

/** @param {string} path @returns {Promise<string | undefined>} undefined: nothing is there */
async function etagAt(path) {
  try {
    return fileEtag(await lstat(path, { bigint: true }))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** @param {unknown} error */
const refusalOf = error => (codeOf(error) === 'EEXIST' ? withCode('EXISTS') : error)

/** @param {unknown} error @returns {string} '' if it has none */
function codeOf(error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error)
  return typeof code === 'string' ? code : ''
}

/** @param {string} code */
const withCode = code => Object.assign(new Error(code), { code })

module.exports = {
  beginningOf,
  foldsNames,
  newPartialId,
  ownerMark,
  ownerOf,
  partialIdOf,
  partialName,
  codeOf,
  fileEtag,
  isEtagOf,
  isMountPoint,
  publish,
  sourceEtag,
  withCode,
}
