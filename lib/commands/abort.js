'use strict'

const { abortUpload, idsOf, openDestination, trustedOf } = require('../job')
const { XferError, asXferError, unlessDenied, usage } = require('../errors')
const { leavesNothing, objectsOf, openJournals } = require('../journal')
const { identify, parsePlace, textToOpen } = require('../stores')
const { checkArguments, mergeSide } = require('../options')
const { countParts, findLost, lapseOf, uploadsLeft } = require('../destination')
const { progressOf } = require('./jobs')

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
  const env = options.env ?? process.env
  const journals = openJournals({ env })
  const journal = await journals.open(name).catch(adviseDeletion)
  try {
    const { state, brought } = journal
    const job = brought ? trustedOf(state) : state
    const aborted = await abortUploads(job, options, env, async () => idsOf(await journals.list()))
    await journal.remove()
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
  const { id, source, destination, updatedMs } = state
  const { bytes, parts } = progressOf(state)
  const objects = objectsOf(state)
  /** @type {AbortedJob} */
  const aborted = {
    job: id,
    source: source.typed ?? source.text,
    destination: destination.typed ?? destination.text,
    bytes,
    parts,
    uploads: [],
    maybeCompleted: false,
  }
  if (objects.every(([, object]) => leavesNothing(object))) return aborted
  const merged = { caBundle: state.options.caBundle, ...mergeSide(state.options.destination, given) }
  const location = parsePlace(textToOpen(destination, 'destination', merged), 'destination')
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

module.exports = { abortJob }
