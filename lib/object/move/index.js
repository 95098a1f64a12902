'use strict'

/**
 * Deletes the source of a move. It goes only if the copy that was proved is still at the destination, and if the source is
 * still the object that was copied: both are looked at directly before each attempt, and the deletion names the ETag, so that
 * a store that keeps such a condition deletes nothing else. See docs/design/moving.md.
 */

const { EXIT, XferError, asXferError, throwIfAborted } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { look } = require('../../destination')
const { lookUntilShown } = require('../put')
const { checkApart, findAlready, secondOf } = require('./already')

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {Pick<ObjectHead, 'bytes' | 'etag' | 'versionId' | 'lastModifiedMs'>} Read the source as it was when it was read */
/** @typedef {Pick<ObjectHead, 'bytes' | 'etag' | 'versionId'>} Copied what was written and proved; etag: '' if unknown */

/**
 * @param {Pick<import('../../job/open').Context, 'source' | 'destination' | 'run'>} job of the object
 * @param {object} what
 * @param {Read} what.read
 * @param {Copied} what.copied
 * @param {boolean} what.apart whether it is known that both ends are not one object
 * @returns {Promise<void>} once the store has confirmed that the source is gone
 * @throws {XferError} SOURCE_KEPT, SAME_OBJECT; the reason of an abort. The source stays
 */
async function removeSource({ source, destination, run: { cancel, abort } }, { read, copied, apart }) {
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
    if (known || !copy) return
    await checkApart({ source, destination }, [now, copy], abort)
    known = true
  }

  const overwritten = () =>
    kept('somebody has written it anew since it was copied', {
      exit: EXIT.SOURCE_CHANGED,
      advice: 'Repeat the command to move what is there now.',
    })

  async function remove() {
    if (versionId !== undefined) return await store.remove({ key, versionId }, { signal: abort, before })
    const etag = read.etag || undefined
    try {
      await store.remove({ key, etag }, { signal: abort, before })
    } catch (cause) {
      const { code, facts } = asXferError(cause)
      if (etag === undefined || code === 'SOURCE_KEPT') throw cause
      if (code === 'DESTINATION_EXISTS') {
        // It may be gone by an attempt whose answer was lost.
        await before()
        throw overwritten()
      }
      if (code !== 'STORE_REFUSED' || (facts.status !== 501 && facts.status !== 400)) throw cause
      // The store takes no such condition.
      await store.remove({ key }, { signal: abort, before })
    }
  }

  await remove().catch(cause => {
    const error = asXferError(cause)
    if (error.code === 'NO_SUCH_KEY') return
    if (error.code === 'SOURCE_KEPT' || error.code === 'SAME_OBJECT' || abort?.aborted) throw error
    const reason = error.message.replace(/\.$/, '')
    throw kept(reason, { exit: error.exitCode, advice: error.hint }, error)
  })
}

/** @param {ObjectHead} found @param {Copied} copied */
function isCopy(found, { bytes, etag, versionId }) {
  const version = versionId === undefined || found.versionId === undefined || found.versionId === versionId
  return found.bytes === bytes && version && (etag === '' || sameEtag(found.etag, etag))
}

/** Equal bytes that were written again may have other metadata, so the time counts too. @param {ObjectHead} now @param {Read} read */
function isUnchanged(now, { bytes, etag, versionId, lastModifiedMs }) {
  if (now.bytes !== bytes || (etag !== '' && !sameEtag(now.etag, etag))) return false
  if (versionId !== undefined && now.versionId !== undefined && now.versionId !== versionId) return false
  return lastModifiedMs === undefined || secondOf(now) === secondOf({ lastModifiedMs })
}

/**
 * A move that was killed after its copy was proved: its source is deleted, if it is still there, and nothing is copied.
 *
 * @param {Pick<import('../../job/open').Context, 'source' | 'destination' | 'run'>} job of one object, with its journal
 * @returns {Promise<{ bytes: number, etag: string, versionId?: string, proof: import('../../types').Proof[] } | undefined>} what
 *   was moved; undefined: no earlier run has proved the copy, or it is not what is there now, or the source is another object
 * @throws {import('../../types').XferError} as `removeSource`
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

module.exports = { findAlready, goOnMoving, removeSource }
