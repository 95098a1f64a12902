'use strict'

/** What both stores keep of a pair, where their lists do not tell whether it is equal. */

const { acceptGone, look } = require('../destination')
const { compareContents, only, trustedHead } = require('../integrity')
const { mtimeOf } = require('../copy')
const { isSameTime } = require('./select')
const { checkPinned } = require('./keys')

/** @typedef {import('./objects').ChosenPair} ChosenPair */

/**
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {ChosenPair} pair
 * @param {import('../types').Verdict} verdict to compare them
 * @returns {Promise<import('../types').Verdict>}
 * @throws {import('../types').XferError} the stores' errors
 */
async function judgeByHeads(job, pair, verdict) {
  const byTime = verdict.why === 'near' || verdict.why === 'other-time'
  const found = await compareByHeads(job, pair, byTime)
  if (found === 'gone') return { ...verdict, action: 'gone' }
  if (found === 'equal') return { action: 'skip', why: byTime ? 'same-time' : 'same-content' }
  // It may be our own copy, which is newer than its source.
  if (found === 'unknown') return { ...verdict, action: 'copy', newerThere: undefined }
  return { ...verdict, action: 'copy', why: verdict.why === 'other-time' ? verdict.why : 'content' }
}

/**
 * `--checksum`: compares the stored checksums and ETags of both objects if their listings do not show whether they are
 * equal. A CRC counts only if its store is known to check it; otherwise it may be an echo of what was sent. An MD5 counts as an
 * ETag does, also where it is what the writer said: other programs take it for the object's, too.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {ChosenPair} pair
 * @param {boolean} byTime the time that a file had, where one side has it and the other notes it, decides
 * @returns {Promise<'gone' | 'equal' | 'different' | 'unknown'>} gone: deleted from the source since it was listed;
 *   unknown: the stores report nothing that can be compared
 * @throws {import('../types').XferError} the stores' errors
 */
async function compareByHeads({ source, destination, run: { cancel: signal } }, pair, byTime) {
  const { name, source: listed, destination: there } = pair
  const [from, to] = await Promise.all([
    source.store.head(source.key + name, { signal, versionId: listed.versionId }).catch(acceptGone),
    look({ store: destination.store, key: destination.key + name }, signal),
  ])
  if (listed.pinned) checkPinned(listed, from)
  if (!from) return 'gone'
  if (!to.object) return 'unknown'
  const same = byTime ? sameTimes([source.store, from], [destination.store, to.object], there) : undefined
  if (same !== undefined) return same ? 'equal' : 'different'
  return compareContents(comparable(from, source.store), comparable(to.object, destination.store))
}

/** @typedef {[store: import('../types').Store, head: import('../types').ObjectHead]} Stored */

/**
 * @param {Stored} source
 * @param {Stored} destination
 * @param {ChosenPair['destination']} listed of the destination: a list may tell its time more exactly than a HEAD
 * @returns {boolean | undefined} undefined: neither side keeps times, or the other notes none and has another
 */
function sameTimes([from, source], [to, destination], listed) {
  if (!from.can.keepsTimes && !to.can.keepsTimes) return undefined
  const written = to.can.keepsTimes ? destination.lastModifiedMs : notedMs(destination, to)
  if (written === undefined) {
    // The file may be a copy of this object, and then has its time.
    const { lastModifiedMs: own } = source
    const times = [destination.lastModifiedMs, listed?.lastModifiedMs]
    return times.some(ms => ms !== undefined && own !== undefined && isSameTime(ms, own)) || undefined
  }
  const wanted = notedMs(source, from) ?? (to.can.keepsTimes ? source.lastModifiedMs : undefined)
  return wanted === undefined ? undefined : isSameTime(wanted, written)
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

module.exports = { judgeByHeads }
