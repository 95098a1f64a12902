'use strict'

/**
 * Deletes the source of a move. It goes only if the copy that was proved is still at the destination, and if the source is
 * still the object that was copied: both are looked at directly before each attempt, and the deletion names the ETag, so that
 * a store that keeps such a condition deletes nothing else. See docs/design/moving.md.
 */

const { isDeepStrictEqual } = require('node:util')
const { randomBytes } = require('node:crypto')
const { EXIT, XferError, asXferError, throwIfAborted } = require('../errors')
const { isSamePinned, sameEtag, secondOf } = require('../integrity')
const { acceptGone, look, lookUntilShown, removeIfSame, tryUpload } = require('../destination')
const { proveByStored, sideOf } = require('../verify')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {Pick<ObjectHead, 'bytes' | 'etag' | 'versionId' | 'lastModifiedMs'>} MovedSource the source as it was when it was read */
/** @typedef {Pick<ObjectHead, 'bytes' | 'etag' | 'versionId'>} MovedCopy what was written and proved; etag: '' if unknown */

/**
 * @param {Pick<import('../job/open').Context, 'source' | 'destination' | 'run'>} job of the object
 * @param {object} what
 * @param {MovedSource} what.read
 * @param {MovedCopy} what.copied
 * @param {boolean} what.apart whether it is known that both ends are not one object
 * @returns {Promise<void>} once the store has confirmed that the source is gone
 * @throws {XferError} SOURCE_KEPT, SAME_OBJECT, JOB_TAKEN; the reason of an abort. The source stays
 */
async function removeSource({ source, destination, run: { cancel, abort, emit, journal } }, { read, copied, apart }) {
  throwIfAborted(cancel)
  /** @param {string} reason @param {{ exit?: number, advice?: string }} [more] @param {unknown} [cause] */
  const kept = (reason, more, cause) =>
    new XferError('SOURCE_KEPT', { source: source.text, destination: destination.text, reason, ...more }, { cause })

  /** The destination's object, which must be the copy. Without the permission to look at it, the proof alone counts. */
  async function findCopy() {
    let found = await look(destination, abort)
    if (!found.denied && !(found.object && isCopy(found.object, copied)))
      found = await lookUntilShown(destination, copied.etag, abort)
    if (found.denied) return undefined
    if (found.object && isCopy(found.object, copied)) return found.object
    throw kept(found.object ? 'somebody else has replaced the copy' : 'the copy is not there any more', {
      advice: 'Look at the destination, then repeat the command.',
    })
  }

  const { store, key, versionId } = source
  const copy = await findCopy()
  let known = apart

  /** Before each attempt. @throws {XferError} NO_SUCH_KEY: it is gone */
  async function before() {
    const now = await store.head(key, { signal: abort, versionId })
    if (!isUnchanged(now, read)) throw overwritten()
    if (!known && copy) await checkApart({ source, destination, emit }, [now, copy], abort)
    known = true
    // Last of all: this process may have slept while it waited for an answer.
    await journal?.fence?.()
  }

  const overwritten = () =>
    kept('somebody has written it anew since it was copied', {
      exit: EXIT.SOURCE_CHANGED,
      advice: 'Repeat the command to move what is there now.',
    })

  try {
    const object = versionId === undefined ? { key, etag: read.etag || undefined } : { key, versionId }
    await removeIfSame(store, object, { signal: abort, before }).catch(async cause => {
      if (versionId !== undefined || asXferError(cause).code !== 'DESTINATION_EXISTS') throw cause
      // It may be gone by an attempt whose answer was lost.
      await before()
      throw overwritten()
    })
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code === 'NO_SUCH_KEY') return
    if (abort?.aborted || ['SOURCE_KEPT', 'SAME_OBJECT', 'JOB_TAKEN'].includes(error.code)) throw error
    const reason = error.message.replace(/\.$/, '')
    throw kept(reason, { exit: error.exitCode, advice: error.hint }, error)
  }
}

/** @param {ObjectHead} found @param {MovedCopy} copied */
function isCopy(found, { bytes, etag, versionId }) {
  const version = versionId === undefined || found.versionId === undefined || found.versionId === versionId
  return found.bytes === bytes && version && (etag === '' || sameEtag(found.etag, etag))
}

/** Equal bytes that were written again may have other metadata, so the time counts too. @param {ObjectHead} now @param {MovedSource} read */
function isUnchanged(now, { bytes, etag, versionId, lastModifiedMs }) {
  if (now.bytes !== bytes || (etag !== '' && !isSamePinned(now, { bytes, etag, lastModifiedMs }))) return false
  if (versionId !== undefined && now.versionId !== undefined && now.versionId !== versionId) return false
  return lastModifiedMs === undefined || secondOf(now) === secondOf({ lastModifiedMs })
}

/**
 * A move that was killed after its copy was proved: its source is deleted, if it is still there, and nothing is copied.
 *
 * @param {Pick<import('../job/open').Context, 'source' | 'destination' | 'run'>} job of one object, with its journal
 * @returns {Promise<{ bytes: number, etag: string, versionId?: string, proof: import('../types').Proof[] } | undefined>} what
 *   was moved; undefined: no earlier run has proved the copy, or it is not what is there now, or the source is another object
 * @throws {import('../types').XferError} as `removeSource`
 */
async function goOnMoving(job) {
  const { destination, run } = job
  const { removing, object } = run.journal.state
  if (!removing || !object) return undefined
  const copied = { bytes: object.bytes, etag: removing.etag, versionId: removing.versionId }
  // Since that run somebody may have replaced the copy, or deleted it.
  const found = await look(destination, run.cancel)
  if (!found.object || !isCopy(found.object, copied)) return undefined
  try {
    await removeSource(job, { read: object, copied, apart: false })
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code === 'SOURCE_KEPT' && error.exitCode === EXIT.SOURCE_CHANGED) return undefined
    throw error
  }
  return { ...copied, proof: removing.proof ?? [] }
}

/** @typedef {{ read: ObjectHead, there: ObjectHead, proof: import('../types').Proof[] }} Already */

/**
 * Whether the destination has the source's object already, as after a move that was killed before it deleted the source. Only
 * what proves the contents equal counts, as in `xfer verify`, and never a time; and the metadata must be equal too, because
 * they go with the source.
 *
 * @param {Pick<import('../job/open').Context, 'source' | 'destination' | 'settings' | 'run'>} job of the object
 * @returns {Promise<{ already?: Already, apart: boolean }>} apart: both ends are known not to be one object
 * @throws {import('../types').XferError} SAME_OBJECT; the stores' errors
 */
async function findAlready({ source, destination, settings, run: { cancel: signal, emit } }) {
  const [read, found] = await Promise.all([
    source.store.head(source.key, { signal, versionId: source.versionId }).catch(acceptGone),
    look(destination, signal),
  ])
  if (!read) return { apart: true }
  const there = found.object
  if (!there) return { apart: !found.denied }
  await checkApart({ source, destination, emit }, [read, there], signal)
  const plain = settings.verify !== 'full' && keepsAll(settings.attributes) && !read.tags && !there.tags
  const [{ classes }, to] = [source.store.can, destination.store.can]
  // As far as a copy keeps it.
  const sameClass = classes === undefined || classes !== to.classes || read.storageClass === there.storageClass
  const same = read.bytes === there.bytes && sameClass && isDeepStrictEqual(read.metadata, there.metadata)
  if (!plain || !same) return { apart: true }
  const stored = await proveByStored([sideOf(source, read), sideOf(destination, there)], signal).catch(cause => {
    if (asXferError(cause).code !== 'OBJECTS_DIFFER') throw cause
  })
  if (!stored) return { apart: true }
  const sum = stored.method === 'etag' ? 'md5' : stored.method.slice(stored.method.indexOf('-') + 1)
  const proof = /** @type {import('../types').Proof} */ (`source-${sum}`)
  return { apart: true, already: { read, there, proof: [proof] } }
}

/** Whether no option sets an attribute of the copy. @param {import('../types').AttributeWish} wish */
function keepsAll({ metadata, given, tags, storageClass, encryption, mtime, ttlMs }) {
  const none = Object.keys(given.headers).length + Object.keys(given.user).length === 0
  return (
    metadata === 'copy' &&
    none &&
    tags === 'copy' &&
    'copy' in storageClass &&
    !encryption &&
    !mtime &&
    ttlMs === undefined
  )
}

/** @typedef {Pick<import('../job/open').Side, 'store' | 'key' | 'text'>} MovedEnd */

/**
 * Whether both may be the same object: a copy has another time, unless it was written in the second in which its source was.
 *
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 */
function looksSame(one, other) {
  if (one.identity !== undefined && other.identity !== undefined) return one.identity === other.identity
  const versions = one.versionId === undefined || other.versionId === undefined || one.versionId === other.versionId
  return one.bytes === other.bytes && sameEtag(one.etag, other.etag) && secondOf(one) === secondOf(other) && versions
}

/**
 * Begins an upload at the destination, and looks whether the source lists it. Where an upload is begun without a request the
 * ETag of every write is another one, so that equal ones are of one object.
 *
 * @param {{ source: MovedEnd, destination: MovedEnd, emit: (event: import('../types').Notice) => void }} ends of one object, or of a prefix
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} also true if nobody can tell
 */
async function isSamePlace({ source, destination: { store, key }, emit }, signal) {
  if (!store.upload.abort) return true
  const mark = `.xfer-${randomBytes(8).toString('hex')}`
  return await tryUpload({ store, key: key + mark, checksum: false, emit, signal }, async ({ id }) => {
    const listed = await source.store.upload.pending({ prefix: source.key + mark }, { signal }).catch(() => undefined)
    return listed?.uploads.some(found => found.id === id) ?? true
  })
}

/**
 * Refuses two ends that are one object under two names: one store may have two addresses, and a file system may not tell the
 * case of letters. Such an object would be copied onto itself, and then deleted.
 *
 * @param {Parameters<typeof isSamePlace>[0]} ends
 * @param {[source: ObjectHead, destination: ObjectHead]} heads
 * @param {AbortSignal} [signal]
 * @throws {XferError} SAME_OBJECT; also if nobody can tell
 */
async function checkApart(ends, [one, other], signal) {
  if (!looksSame(one, other)) return
  // Where the stores tell what an object is, no name of it has to be tried.
  if (one.identity === undefined && !(await isSamePlace(ends, signal))) return
  const { source, destination } = ends
  const { terms } = destination.store.facts
  throw new XferError('SAME_OBJECT', { location: source.text, other: destination.text, terms })
}

module.exports = { findAlready, goOnMoving, removeSource }
