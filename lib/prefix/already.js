'use strict'

/** What both sides have already: objects that are compared, and sources whose copies are proved. */

const { compareContents, only, trustedHead } = require('../integrity')
const { acceptGone, look } = require('../destination')
const { findAlready, mtimeOf, removeSource } = require('../object')
const { isSameTime } = require('../select')
const { XferError } = require('../errors')
const { placeOf } = require('./keys')
const { checkPinned } = require('./pinned')

/**
 * `--checksum`: compares the stored checksums and ETags of both objects if their listings do not show whether they are
 * equal. A CRC counts only if its store is known to check it; otherwise it may be an echo of what was sent. An MD5 counts as an
 * ETag does, also where it is what the writer said: other programs take it for the object's, too.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {string} name
 * @param {{ byTime?: boolean, listed?: import('../types').ListedObject }} [how] byTime: the time that a file had, where one side has it
 *   and the other notes it, decides; listed: the source
 * @returns {Promise<'gone' | 'equal' | 'different' | 'unknown'>} gone: deleted from the source since it was listed;
 *   unknown: the stores report nothing that can be compared
 * @throws {import('../types').XferError} the stores' errors
 */
async function compareStored({ source, destination, run: { cancel: signal } }, name, { byTime = false, listed } = {}) {
  const [from, to] = await Promise.all([
    source.store.head(source.key + name, { signal, versionId: listed?.versionId }).catch(acceptGone),
    look({ store: destination.store, key: destination.key + name }, signal),
  ])
  if (listed) checkPinned(listed, from)
  if (!from) return 'gone'
  if (!to.object) return 'unknown'
  const same = byTime ? sameTimes([source.store, from], [destination.store, to.object]) : undefined
  if (same !== undefined) return same ? 'equal' : 'different'
  return compareContents(comparable(from, source.store), comparable(to.object, destination.store))
}

/** @typedef {[store: import('../types').Store, head: import('../types').ObjectHead]} Stored */

/**
 * @param {Stored} source
 * @param {Stored} destination
 * @returns {boolean | undefined} undefined: neither side keeps times, or the other notes none
 */
function sameTimes([from, source], [to, destination]) {
  if (!from.can.keepsTimes && !to.can.keepsTimes) return undefined
  const written = to.can.keepsTimes ? destination.lastModifiedMs : notedMs(destination, to)
  const wanted = notedMs(source, from) ?? (to.can.keepsTimes ? source.lastModifiedMs : undefined)
  return written === undefined || wanted === undefined ? undefined : isSameTime(wanted, written)
}

/** @param {import('../types').ObjectHead} head @param {import('../types').Store} store */
function notedMs({ metadata }, store) {
  const seconds = mtimeOf({ metadata }, store)
  return seconds === undefined ? undefined : Math.floor(Number(seconds) * 1000)
}

/** @param {import('../types').ObjectHead} head @param {import('../types').Store} store @returns {import('../types').ObjectHead} */
function comparable(head, { can }) {
  const trusted = trustedHead(head, can)
  return { ...trusted, sums: { ...trusted.sums, ...only(head.sums, ['md5']) } }
}

/** @typedef {import('../job/open').Context} Context */
/** @typedef {import('./writers').Copied} Copied */

/** One object. @param {Context} job of the prefix @param {string} name */
function jobOfOne({ source, destination, settings, run }, name) {
  return { source: placeOf(source, name), destination: placeOf(destination, name), settings, run }
}

/**
 * Deletes the source of an object of `xfer mv -r`.
 *
 * @param {Context} job of the prefix
 * @param {string} name
 * @param {Copied} copied proved
 * @throws {XferError} SOURCE_KEPT, SAME_OBJECT; the reason of an abort. The source stays
 */
async function removeMoved(job, name, { read, ...copied }) {
  if (!read) throw new XferError('INTERNAL', { reason: 'a copy does not say what it was made of' })
  await removeSource(jobOfOne(job, name), { read, copied, apart: false })
}

/**
 * Deletes the source if both stores prove that the destination has the object.
 *
 * @param {Context} job of the prefix
 * @param {string} name
 * @returns {Promise<Copied | undefined>} what is at the destination; undefined: it has to be copied
 * @throws {XferError} as `removeMoved`
 */
async function finishMove(job, name) {
  // An upload that is under way has to be completed, or aborted.
  if (job.settings.dryRun || job.run.journal.state.prefix?.objects.has(name)) return undefined
  const one = jobOfOne(job, name)
  const { already, apart } = await findAlready(one)
  if (!already) return undefined
  const { read, there, proof } = already
  const { bytes, etag, versionId } = there
  const copied = { bytes, etag, ...(versionId !== undefined && { versionId }), proof }
  job.run.manifestOut?.intend('move', name, { ...copied, read })
  await removeSource(one, { read, copied, apart })
  return copied
}

module.exports = { compareStored, finishMove, removeMoved }
