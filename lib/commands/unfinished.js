'use strict'

/**
 * What is left of copies that ended early: `xfer abort` gives a job up, `xfer clean` aborts multipart uploads that nobody completes,
 * and removes jobs that are over from a state.
 */

const { rm } = require('node:fs/promises')
const { ignoreGone, openJournals, leavesNothing, objectsOf } = require('../journal')
const { createMirror } = require('../manifest')
const { checkArguments, mergeSide, readerOf } = require('../options')
const { abortUpload, idsOf, openDestination, trustedOf, ownersOf } = require('../job')
const { XferError, asXferError, unlessDenied, usage, throwIfAborted } = require('../errors')
const { identify, parsePlace, textToOpen, placeText } = require('../stores')
const { countParts, findLost, lapseOf, uploadsLeft, listUploads } = require('../destination')
const { eachAtOnce, withHandler } = require('../async')
const { KEPT_MS, endJob, progressOf, report, withJournals } = require('./jobs')

/** @typedef {import('../types').AbortedJob} AbortedJob */
/** @typedef {import('../types').AbortOptions} AbortOptions */
/** @typedef {import('../types').JobState} JobState */

/**
 * Gives a job up: aborts its uploads until no part is left, then removes its journal.
 *
 * @param {string} name a job's id, the first characters of the id, or the path of its journal
 * @param {AbortOptions} [options]
 * @returns {Promise<AbortedJob>}
 * @throws {import('../types').XferError} NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL, and the store's errors; the job is kept then
 */
async function abortJob(name, options = {}) {
  checkArguments('abortJob', { job: name }, options)
  return await withJournals(options, async (journals, place) => {
    if (!place?.fences) return await giveUp(journals, name, options, place)
    // Who has it is asked to stop first.
    const found = report(await journals.see(name))
    if ((found.state === 'running' || found.ranges) && !options.take) await endJob(journals, found, options.signal)
    const ranges = (found.ranges ?? []).filter(({ state }) => state !== 'done' && state !== 'failed')
    const { copied } = found.ranges ? report(await journals.see(found.id)) : {}
    const uploads = []
    /** @type {NonNullable<AbortedJob['unread']>} */
    const unread = []
    for (const { id, state } of ranges) {
      const aborted = await giveUp(journals, id, options, place).catch(async error => {
        // It may have ended meanwhile.
        if (state !== 'damaged' || error.code !== 'BAD_JOURNAL') return ignoreGone(error)
        // A worker that still runs it is asked to stop.
        await journals.ask?.(id)
        unread.push({ job: id, problem: error.message })
      })
      uploads.push(...(aborted?.uploads ?? []))
    }
    const aborted = await giveUp(journals, found.id, options, place, copied)
    return { ...aborted, uploads: [...uploads, ...aborted.uploads], ...(unread.length > 0 && { unread }) }
  })
}

/** What a state remembers of it. */
const GIVEN_UP = { code: 'INTERRUPTED', message: 'It was given up with xfer abort.' }

/**
 * @param {import('../types').Journals} journals
 * @param {string} name
 * @param {AbortOptions} options
 * @param {import('../types').JournalPlace} [place]
 * @param {{ objects: number, bytes: number }} [copied] by the ranges of a split job
 * @returns {Promise<AbortedJob>}
 */
async function giveUp(journals, name, options, place, copied) {
  const env = options.env ?? process.env
  const journal = await journals.open(name, { take: options.take }).catch(adviseDeletion)
  try {
    const { state, brought } = journal
    if (copied) journal.note({ type: 'ranges', ranges: [], copied })
    const job = brought ? trustedOf(state) : state
    const aborted = await abortUploads(job, options, env, async () => idsOf(await journals.list()))
    // A manifest that was to be uploaded: lib/commands/manifest-out.js.
    if (place?.bucket) await createMirror(place.bucket, state.id).remove()
    const begun = brought || place?.bucket ? [] : ['.manifest', '.manifest.held'].map(end => journal.path + end)
    for (const path of begun) await rm(path, { force: true })
    await journal.remove(GIVEN_UP)
    return aborted
  } finally {
    await journal.close()
  }
}

/**
 * @param {JobState} state
 * @param {AbortOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @param {() => Promise<Set<string>>} listKnown the uploads of all jobs
 * @returns {Promise<AbortedJob>}
 */
async function abortUploads(state, { destination: given, signal }, env, listKnown) {
  const { id, source, destination, updatedMs, prefix } = state
  const { bytes, parts } = progressOf(state)
  const objects = objectsOf(state)
  /** @type {AbortedJob} */
  const aborted = {
    job: id,
    source: source.typed ?? source.text,
    destination: destination.typed ?? destination.text,
    bytes,
    parts,
    ...(prefix?.copied && { copied: { objects: prefix.copied.objects, bytes: prefix.copied.bytes } }),
    uploads: [],
    maybeCompleted: false,
  }
  if (objects.every(([, object]) => leavesNothing(object))) return aborted
  const merged = { caBundle: state.options.caBundle, ...mergeSide(state.options.destination, given) }
  const location = parsePlace(textToOpen(destination, 'destination', merged), 'destination', { ofJournal: true })
  const { store, settings } = await openDestination(location, merged, env)
  try {
    const place = identify(location, settings).id + (state.options.recursive ? '*' : '')
    if (given?.endpointUrl === undefined && place !== destination.place) throw elsewhere(state, store)
    let lapsing = 0
    for (const [name, object] of objects) {
      const { upload, completing, creatingMs, parts: noted } = object
      const key = location.key + name
      for (const of of uploadsLeft(key, object)) {
        const { uploadId } = of
        const outcome = await abortUpload(store, of, signal)
        if (uploadId !== '') aborted.uploads.push({ uploadId, outcome })
        if (outcome === 'lapses') lapsing += await countParts(store, of, noted.size, signal)
        const unclear = outcome === 'gone' || outcome === 'lapses'
        if (uploadId === upload?.id && unclear && completing) aborted.maybeCompleted = true
      }
      if (creatingMs === undefined) continue
      // The response to a creation was lost. Its upload cannot be told from somebody else's, so it is left there.
      const lost = { store, key, createdMs: creatingMs, known: await listKnown(), signal }
      for (const uploadId of (await findLost(lost).catch(unlessDenied)) ?? [])
        aborted.uploads.push({ uploadId, outcome: 'left' })
    }
    return { ...aborted, ...(lapsing > 0 && { lapse: lapseOf(store, { parts: lapsing, lastMs: updatedMs }) }) }
  } finally {
    store.close()
  }
}

/** At another endpoint a missing upload does not mean that it was aborted. @param {JobState} state @param {import('../types').Store} store */
function elsewhere({ id, destination }, { facts }) {
  return usage(
    `The job ${id} writes ${destination.typed ?? destination.text} at another endpoint than the one that is configured now.`,
    `Give the endpoint that the job was started with in ${facts.terms?.endpoint ?? 'the configuration'}.`,
  )
}

/** @param {unknown} cause @returns {never} */
function adviseDeletion(cause) {
  const error = asXferError(cause)
  if (error.code !== 'BAD_JOURNAL' || error.facts.advice) throw error
  const advice = 'Delete the file, and look for its uploads with xfer clean.'
  throw new XferError('BAD_JOURNAL', { ...error.facts, advice }, { cause })
}

/** Multipart uploads that were never completed or aborted: no listing of objects shows them, and their parts cost money. */

/** @typedef {import('../types').CleanedUpload} CleanedUpload */
/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').StoredUpload} StoredUpload */

/** Concurrent aborts. */
const AT_ONCE = 8

/**
 * Lists the multipart uploads of a bucket or a prefix that are older than `olderThan`. With `yes` it aborts them until no
 * part is left, except uploads of this user's jobs on this machine, and of the jobs of a state, and uploads whose age the store does not report. Uploads of a
 * store that cannot abort them are listed only.
 *
 * @param {string} destination `s3://bucket` or `s3://bucket/prefix`
 * @param {import('../types').CleanOptions} [options]
 * @returns {Promise<import('../types').Cleaned>}
 * @throws {import('../types').XferError} if some could not be aborted: the first error, after all were tried
 */
async function clean(destination, options = {}) {
  return await withHandler('onUpload', options, given => run(destination, given))
}

/** @type {typeof clean} */
async function run(destination, options = {}) {
  checkArguments('clean', { destination }, options)
  const { yes = false, env = process.env, signal, onUpload } = options
  const olderThanMs = readerOf('clean', options)('olderThan')
  const location = parsePlace(destination, 'destination')
  const { store, settings } = await openDestination(location, options.destination ?? {}, env)
  try {
    const { old, young } = await listOld(store, location.key, olderThanMs, signal)
    // The journals are read after the uploads were listed, so that they name the owner of every listed upload.
    const jobs = await openJournals({ env }).list()
    await withJournals(options, async (journals, place) => void (place && jobs.push(...(await journals.list()))))
    const ownerOf = ownersOf(jobs, key => identify({ ...location, key }, settings).id)
    /** @type {CleanedUpload[]} */
    const uploads = []
    /** @type {import('../types').XferError | undefined} */
    let failure
    /** @param {StoredUpload} found @returns {Promise<Pick<CleanedUpload, 'outcome' | 'job' | 'error'>>} */
    const outcomeOf = async found => {
      const job = ownerOf(found)
      if (job !== undefined) return { outcome: 'kept', job }
      if (!store.upload.abort) return { outcome: 'lapses' }
      if (found.initiatedMs === undefined) return { outcome: 'undated' }
      if (!yes) return { outcome: 'left' }
      throwIfAborted(signal)
      try {
        return { outcome: await abortUpload(store, { key: found.key, uploadId: found.id }, signal) }
      } catch (cause) {
        throwIfAborted(signal)
        const error = asXferError(cause)
        failure ??= error
        return { outcome: 'failed', error: { code: error.code, message: error.message } }
      }
    }
    await eachAtOnce(old, AT_ONCE, async found => {
      const { key, id: uploadId, initiatedMs } = found
      const upload = { location: placeText({ ...location, key }), key, uploadId }
      const cleaned = { ...upload, ...(initiatedMs !== undefined && { initiatedMs }), ...(await outcomeOf(found)) }
      uploads.push(cleaned)
      onUpload?.(cleaned)
    })
    if (failure) throw failure
    const lapse = store.upload.lapse && { lapse: lapseOf(store, {}) }
    return { location: placeText(location), olderThanMs, uploads, young, ...lapse }
  } finally {
    store.close()
  }
}

/**
 * Reads all pages before anything is aborted: an aborted upload cannot mark the end of a page.
 *
 * @param {Store} store
 * @param {string} prefix
 * @param {number} ageMs
 * @param {AbortSignal | undefined} signal
 */
async function listOld(store, prefix, ageMs, signal) {
  /** @type {StoredUpload[]} */
  const old = []
  let young = 0
  for await (const upload of listUploads(store, prefix, signal)) {
    if (upload.initiatedMs === undefined || store.now() - upload.initiatedMs > ageMs) old.push(upload)
    else young++
  }
  return { old, young }
}

/** A process that slept for less does not look whether its job is still there: lib/journal/segments.js. */
const LEAST_AGE_MS = 60 * 60_000

/**
 * Lists the jobs of a state that are over for longer than `olderThan`; with `yes` removes all that is there of them.
 *
 * @param {import('../types').CleanStateOptions} options
 * @returns {Promise<import('../types').JobReport[]>} newest first
 * @throws {import('../types').XferError} USAGE without a state, STATE_UNSAFE
 */
async function cleanState(options = {}) {
  checkArguments('cleanState', {}, options)
  const olderThanMs = options.olderThan === undefined ? KEPT_MS : Number(readerOf('clean', options)('olderThan'))
  return await withJournals(options, async (journals, place) => {
    if (place === undefined) throw usage('Nothing says what is to be cleaned.', 'Give a place, or --state LOCATION.')
    const old = []
    for (const job of await journals.list()) {
      const oldest = Date.now() - Math.max(olderThanMs, LEAST_AGE_MS)
      if (job.problem !== undefined || !job.over || job.over.atMs > oldest) continue
      throwIfAborted(options.signal)
      if (options.yes) await place.forget?.(job.id, job)
      old.push(report(job))
    }
    return old
  })
}

module.exports = { abortJob, clean, cleanState }
