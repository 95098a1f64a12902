'use strict'

/**
 * Copies within one store: the store copies objects or parts itself, so that no byte passes a function or this machine. If
 * it refuses, the bytes go through the engine, and a notice says why. With `--route server` also between two stores, where the
 * destination reads each part from a URL that the source lends. With `--verify full` the engine reads both objects afterwards.
 */

const { AGAIN } = require('../async')
const { createServerEngine } = require('../engines')
const { XferError, asXferError, factsOfCause, rootOf, usage } = require('../errors')
const { checkParts, isSamePinned, compareSums, md5EtagOf, CRCS, sameCrcs } = require('../integrity')
const { chooseGivenChunk, askPartSize } = require('./plan')
const { isConditional } = require('../destination')
const { MiB } = require('../options')
const { askLimits, shareRate } = require('../schedule')
const { bytesIn, firstWrong, forgetUpload, isNot, rangesOf, readSource, wrongCopy } = require('../verify')
const { contextOf } = require('../job')
const { notice } = require('../notices')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('./plan').PlannedChunk & { whole: boolean }} ServerChunk */
/** @typedef {Pick<import('../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} ServerCopySituation */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Proof} Proof */

/** Errors which show that only the copying fails, not the store. */
const FALLS_BACK = new Set(['COPY_REFUSED', 'BAD_ANSWER', 'STORE_ERROR'])

/** Of a store that copies by itself. @param {Pick<import('../job/open').Side, 'store' | 'key' | 'versionId'>} source @param {string} etag @returns {import('../types').CopySource} */
function copySourceOf({ store, key, versionId }, etag) {
  return /** @type {import('../types').ServerCopy} */ (store.serverCopy).source({ key, etag, versionId })
}

/**
 * What a failed copy by the store means: whether an engine may succeed, and the user does not insist on a copy within one store. The
 * store may have judged the source with the destination's credentials, which may see less than the source's.
 *
 * @param {Pick<Job, 'source' | 'settings' | 'run'> & Partial<Pick<Job, 'asksServer'>>} job
 * @param {{ etag: string, bytes: number }} object
 * @param {unknown} cause
 * @returns {Promise<string>} why the store did not copy it, one sentence
 * @throws {XferError} of the store if an engine would fail too
 */
async function refusalOf({ source, settings, run: { cancel }, asksServer }, object, cause) {
  const error = asXferError(cause)
  const root = rootOf(error)
  if (settings.inPlace && root.code === 'COPY_REFUSED')
    throw new XferError(root.code, { ...root.facts, inPlace: true }, { cause: error })
  if (cancel?.aborted || (settings.route === 'server' && asksServer !== 'pulls')) throw error
  if (FALLS_BACK.has(root.code)) return root.message
  if (root.code !== 'SOURCE_CHANGED') throw error
  const { store, key, versionId } = source
  const now = await store.head(key, { signal: cancel, versionId }).catch(() => undefined)
  if (!now || !isSamePinned(now, object)) throw error
  return "The destination's credentials see another source than the source's own."
}

/**
 * Why the destination is not asked.
 *
 * @param {Pick<Job, 'source' | 'destination'>} job
 * @returns {string | undefined} one sentence; undefined if it is asked
 */
function whyNotPulled({ source: { store: from }, destination: { store: to } }) {
  if (from.can.reach !== 'network' && to.can.reach !== from.can.reach) return 'Only this machine can reach the source.'
  return from.lend ? undefined : 'The source has no URL to give away that is good for this object alone.'
}

/**
 * @param {import('../job/open').Side} source
 * @param {string} etag
 * @returns {import('../stores/contract').Lent}
 */
function lentBy({ store, key, versionId }, etag) {
  const lend = /** @type {Required<import('../types').Store>} */ (store).lend
  return { lend: () => lend({ key, versionId }), etag }
}

/**
 * Checks the parts before anything becomes visible. A store may ignore the condition for a source that is not its own, so the
 * source is looked at again; and the checksums that the store computed must give the one that the source keeps.
 *
 * @param {import('../types').WriteWork} work
 * @param {import('../types').TaskSuccess[]} copied all parts, in order
 * @returns {Promise<import('../types').Proof[]>}
 * @throws {XferError} SOURCE_CHANGED, INTEGRITY
 */
async function proofsOfPulled({ job, object, plan }, copied) {
  const { store, key, versionId } = job.source
  const now = await store.head(key, { signal: job.run.cancel, versionId })
  if (!isSamePinned(now, object)) throw new XferError('SOURCE_CHANGED', store.facts)
  const answered = copied.map(part => ({ ...part, sums: part.answered ?? {} }))
  const { equal } = compareSums(object.sums, checkParts(answered, plan.parts, object))
  return equal.filter(sum => sum !== 'md5').map(sum => /** @type {import('../types').Proof} */ (`stored-${sum}`))
}

/** The most bytes that one request copies: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const MOST_BYTES = 5 * 1024 * MiB

/**
 * One request keeps the ETag of an object that was uploaded in one piece. The ETag of an object that was uploaded in parts
 * is kept only by copying the same parts.
 *
 * @param {ServerCopySituation} job
 * @param {ObjectHead} object
 * @returns {Promise<ServerChunk>} whole: copied by one request
 */
async function chooseServerChunk(job, object) {
  const { destination, settings } = job
  const usual = { bytes: settings.chunkBytes, matched: false, notices: [] }
  const asOne = { ...usual, bytes: Math.max(usual.bytes, object.bytes), whole: true }
  if (settings.inPlace) {
    // Parts that turned out wrong would be removed, and with them the only object that there is.
    if (object.bytes <= MOST_BYTES) return asOne
    throw usage(
      `${job.source.text} has ${object.bytes} bytes, and a store changes at most ${MOST_BYTES} in one request.`,
      'Copy it to another key with these options, and move it back with xfer mv.',
    )
  }
  if (destination.store.serverCopy?.wholeOnly) return asOne
  if (settings.matchChunk) {
    const matched = await chooseGivenChunk(job, object)
    if (matched.matched) return { ...matched, whole: false }
  }
  if (fitsOneRequest(job, object)) return asOne
  const own = settings.usualChunk ? await ownParts(job, object) : undefined
  return { ...usual, ...own, whole: false }
}

/**
 * Whether one request copies the object, judged by its size and ETag: the result of `chooseServerChunk`, without a request.
 *
 * @param {Pick<ServerCopySituation, 'destination' | 'settings'>} job
 * @param {{ bytes: number, etag: string }} object
 */
function copiesWhole(job, object) {
  if (job.destination.store.serverCopy?.wholeOnly) return true
  const ofParts = md5EtagOf(object)?.parts !== undefined
  return !(job.settings.matchChunk && ofParts) && fitsOneRequest(job, object)
}

/** @param {Pick<ServerCopySituation, 'destination' | 'settings'>} job @param {Pick<ObjectHead, 'bytes' | 'etag' | 'encrypted'>} object */
function fitsOneRequest({ destination, settings }, object) {
  const { bytes } = object
  if (bytes === 0) return true
  // More stores support conditions on a completion than on a copy.
  if (isConditional(settings.condition) && !destination.store.serverCopy?.conditional) return false
  if (bytes > MOST_BYTES) return false
  const etag = md5EtagOf(object)
  return bytes <= settings.chunkBytes || (settings.usualChunk && etag !== undefined && etag.parts === undefined)
}

/**
 * The size of the source's own parts, if the store reports it and they are equal. The copy then gets the source's ETag,
 * which proves it.
 *
 * @param {ServerCopySituation} job
 * @param {ObjectHead} object
 * @returns {Promise<{ bytes: number, why: string } | undefined>}
 */
async function ownParts({ source, destination, run }, object) {
  if ((md5EtagOf(object)?.parts ?? 0) < 2) return undefined
  const found = await askPartSize({ source, run })
  if (!found) return undefined
  const { bytes, parts } = found
  const { minBytes, maxBytes, maxParts } = destination.store.limits
  const fits = bytes >= minBytes && bytes <= maxBytes && parts <= maxParts
  if (!fits || parts !== Math.ceil(object.bytes / bytes)) return undefined
  return { bytes, why: "The parts are the source's own, so that the copy gets its ETag." }
}

const NOT_PROVED = { now: 'the copy is there, and not proved' }

/**
 * @param {import('../job/open').Context} job with the engine that reads
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<Proof[]>}
 * @throws {XferError} WRONG_COPY, INTEGRITY when the source differs from its stored checksum, OBJECT_CHANGED, NOT_READ_BACK
 */
async function readBoth(job, work, written) {
  const { object } = work
  const parts = rangesOf(object.bytes, job.settings.chunkBytes)
  work.job.run.emit(notice('READING_SOURCE'))
  const reader = await readerOf(job, work, parts).catch(error => unread(job, error))
  // One that the source keeps, if it keeps any.
  const sums = [CRCS.find(sum => object.sums?.[sum] !== undefined) ?? 'crc32']
  const read = async (/** @type {Part[]} */ ranges) =>
    await readSource(reader, ranges, sums).catch(error => unread(job, error))
  const outcomes = await read(parts)
  work.job.run.emit(notice('READING_BACK'))
  const { wrong, found } = await compare(reader, { ...written, outcomes }, read)
  if (wrong) {
    await forgetUpload(work.job)
    const reason = isNot('what the source has', wrong, parts)
    throw await wrongCopy(work.job.destination, written, { ...wrong, reason })
  }
  const { equal } = compareSums(checkParts(found, parts, object, NOT_PROVED), object.sums)
  return ['read-back', ...equal.map(sum => /** @type {Proof} */ (`source-${sum}`))]
}

/**
 * A different range counts only after two equal readings of the source.
 *
 * @param {WriteWork} reader
 * @param {Written} written with the readings of the source
 * @param {(ranges: Part[]) => Promise<Written['outcomes']>} read reads ranges of the source
 * @returns {Promise<{ wrong?: Part, found: Written['outcomes'] }>} wrong: the first range that differs from the source;
 *   found: the readings of the source
 */
async function compare(reader, written, read) {
  const { parts } = reader.plan
  const found = [...written.outcomes]
  let rest = parts
  for (let again = 0; ; ) {
    const { wrong } = await firstWrong(reader, { ...written, outcomes: found }, rest)
    if (!wrong) return { found }
    const at = parts.indexOf(wrong)
    const [outcome] = await read([wrong])
    if (sameCrcs(outcome.sums, found[at].sums)) return { wrong, found }
    if (at > parts.indexOf(rest[0])) again = 0
    if (again++ === AGAIN.DOUBTFUL_READING)
      throw new XferError('INTEGRITY', {
        reason: `the source sent other bytes each time that it was asked for ${bytesIn(wrong)}`,
        ...NOT_PROVED,
      })
    found[at] = { ...outcome, partNumber: wrong.partNumber }
    rest = parts.slice(at)
  }
}

/** @param {import('../job/open').Context} job @param {WriteWork} work @param {import('../types').Part[]} parts @returns {Promise<WriteWork>} */
async function readerOf(job, work, parts) {
  const allowed = await askLimits(job)
  const most = Math.min(job.settings.concurrency, allowed.concurrent, parts.length)
  const partBytes = Math.max(...parts.map(({ bytes }) => bytes))
  const { concurrency, limits } = shareRate(job, { concurrency: most, limits: allowed, partBytes })
  return {
    ...work,
    concurrency,
    limits,
    job: contextOf(work.job, { engine: job.engine, run: work.job.run }),
    plan: { ...work.plan, parts },
  }
}

/** @param {import('../job/open').Context} job @param {unknown} cause @returns {never} */
function unread({ destination }, cause) {
  const error = asXferError(cause)
  throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: destination.text }, { cause })
}

/**
 * The store of both sides copies, or the destination reads the source of another store, if the job `pulls`.
 *
 * @param {Job} job with the engine that reads, where a proof needs that
 * @returns {import('./copy').CopyWay}
 */
function serverWay(job) {
  const { serverCopy, pull, endpoint } = job.destination.store
  const pulls = job.asksServer === 'pulls'
  const sourceOf = pulls ? lentBy : copySourceOf
  const reads = contextOf(job, { engine: job.engine, run: job.run })
  return {
    engine: createServerEngine(/** @type {import('../types').ServerCopy} */ (pulls ? pull : serverCopy), endpoint),
    why: job.settings.inPlace
      ? 'the store changes the object where it is'
      : pulls
        ? 'the destination reads the source by itself'
        : 'source and destination are in one store, which copies by itself',
    partsPerInvocation: 1,
    chooseChunk: pulls
      ? async (job, object) => ({ ...(await chooseGivenChunk(job, object)), whole: false })
      : chooseServerChunk,
    copies: ({ source }, { etag }) => sourceOf(source, etag),
    readBack: (work, written) => readBoth(reads, work, written),
  }
}

module.exports = { copiesWhole, copySourceOf, proofsOfPulled, refusalOf, serverWay, whyNotPulled }
