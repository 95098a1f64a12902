'use strict'

/**
 * The steps that the copies of one object and of a prefix share: plan an object, write the plan to the journal, write the
 * object in one request or in parts, and prove the result. And what earlier runs left of it: uploads, and the request for an
 * upload whose id they did not receive.
 */

const { AGAIN } = require('../async')
const { isSamePinned, proofsOf, proofsOfCopied, secondOf } = require('../integrity')
const { judgeMatch, planObject } = require('./plan')
const {
  abortOwnUpload,
  checkDestination,
  checkFound,
  clearCreating,
  isConditional,
  look,
  lookFirst,
} = require('../destination')
const { asXferError } = require('../errors')
const { notice } = require('../notices')
const { runParts } = require('../schedule')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('./copy').Chunk} Chunk */
/** @typedef {import('./copy').CopyWay} CopyWay */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {Pick<Job, 'destination' | 'run'>} BegunJob */

/**
 * Plans an object. A resumed upload keeps its part size.
 *
 * @param {Pick<import('../job/open').Context, 'destination' | 'engine' | 'run'>} job
 * @param {{ bytes: number }} object
 * @param {Chunk} chunk
 * @returns {Plan}
 * @throws {import('../types').XferError} TOO_LARGE
 */
function planOne({ destination, engine, run }, { bytes }, chunk) {
  const { upload, plan: begun } = run.journal.state
  const { limits } = destination.store
  // A PUT that cannot be cancelled could appear at the destination after the copy was given up.
  const { cancel } = engine.can
  const wholePut = limits.maxParts === 1 ? cancel : (chunk.whole ?? (cancel && !chunk.matched))
  const plan = planObject({ bytes, chunkBytes: chunk.bytes, limits, wholePut })
  if (upload && begun) {
    const kept = planObject({ bytes, chunkBytes: begun.partBytes, limits, wholePut: false })
    if (kept.partBytes !== plan.partBytes) kept.notices.push(notice('CHUNK_CHANGED', { why: 'begun' }))
    return kept
  }
  const notices = [...chunk.notices, ...plan.notices]
  return { ...plan, notices, ...(chunk.why !== undefined && { chunkWhy: chunk.why }) }
}

/** @param {Pick<Job, 'run'>} job @param {ObjectHead} object */
async function noteObject({ run: { journal } }, { bytes, etag, versionId, lastModifiedMs }) {
  await journal.write({ type: 'object', bytes, etag, versionId, lastModifiedMs })
}

/** @param {Pick<Job, 'run'>} job @param {ObjectHead} object @param {Plan} plan */
async function notePlan({ run }, object, { route, partBytes, parts }) {
  const { journal } = run
  await noteObject({ run }, object)
  await journal.write({ type: 'plan', route, partBytes, parts: parts.length })
}

/**
 * Writes an object by the route of its plan. An upload is written again after a concurrent write of the key, unless the
 * condition fails now: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 * @throws {import('../types').XferError} the errors of the writers
 */
async function writeObject(work) {
  const { job, plan, restart } = work
  if (plan.route !== 'multipart') {
    await clearCreating(job)
    return await putSingle(work)
  }
  const { writeMultipart } = require('./parts')
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeMultipart(work)
    } catch (cause) {
      const error = asXferError(cause)
      // A stream cannot be copied again.
      if (error.code !== 'UPLOAD_CONFLICT' || attempt > AGAIN.CONFLICT || plan.growing) throw error
      const { code, message } = error
      job.run.emit({ type: 'retry', call: 'write', side: 'destination', attempt, code, message })
      await checkDestination(job)
      restart()
    }
  }
}

/** @type {typeof import('./small') | undefined} */
let put

/**
 * A PUT is the first that this store hears of us: a look at its key finds the bucket's region, the store's clock and name,
 * and a missing bucket, before any byte is moved. With write-only credentials the look is denied, and the copy goes on. What
 * is uploaded to a store that has answered this process before is one request, if its answer proves it.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 */
async function putSingle(work) {
  // Loaded on use: an object in parts needs none of it.
  put ??= require('./small')
  const { job, object, attributes, copies, scheduleWhole } = work
  const { source: from, destination: to, settings } = job
  const { condition } = settings
  // A service uploads thousands of objects to a store that it knows, that checks them, and shows them at once: one request each.
  const isStream = from.store.can.readsOnce === true
  const isKnown = isStream && to.store.answered?.() === true && to.store.can.consistent === true
  // What a condition names is looked at as late as possible.
  const looked = !isConditional(condition) && (work.before !== undefined || isKnown)
  const lookNow = isStream && !isConditional(condition) ? lookFirst : look
  const before = looked ? work.before : await lookNow(to, job.run.cancel)
  const schedule = scheduleOf(work)
  const describe = async () => ({ attributes, notices: [], encrypted: object.encrypted === true })
  const describer = { describe, describeRead: describe, differs() {}, fits() {} }
  const via = copies
    ? put.byStore({ job, schedule, attributesOf: describe })
    : put.throughEngine({ job, schedule, describer, reader: work, many: scheduleWhole !== undefined })
  // As late as possible, because some stores ignore conditions.
  if (before) checkFound(before, condition, to.store.facts)
  const write = put.createPut({ job, via, single: !isKnown })
  const written = await write({ from, to, source: object, before, emit: job.run.emit, restart: work.restart })
  if (written === 'skipped' || 'now' in written) throw new Error('an object that nobody may skip was skipped')
  const { outcome, proof, ...rest } = written
  return { ...rest, outcomes: [outcome], proof }
}

/**
 * Each request gets a scheduler of its own, because there are few. The uploads of a client share one.
 *
 * @param {WriteWork} work
 * @returns {import('./small').Schedule}
 */
function scheduleOf({ job, limits, scheduleWhole }) {
  const { engine, settings } = job
  const { pressure, cancel } = job.run
  const { run, startWith } = engine
  if (scheduleWhole) return (parts, one) => scheduleWhole(parts, { ...one, runAlone: run, signal: cancel })
  const how = { run, limits, concurrency: 1, startWith, pressure, retries: settings.retries, abort: cancel }
  return (parts, one) => runParts(parts, { ...how, ...one })
}

/**
 * The proofs of the writer, and those of reading back if that is asked for and the writer did not do it.
 *
 * @param {CopyWay} way
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>} all proofs
 */
async function proveObject(way, work, written) {
  // `proof` is complete, and only an object in one request has it; `proofs` is what else was found during an upload.
  const { proof: complete, proofs: others = [] } = written
  const full = work.job.settings.verify === 'full'
  if (complete && (!full || complete.includes('read-back'))) return complete
  const back = (full && (await way.readBack?.(work, written))) || []
  if (complete) return [...complete.filter(each => each !== 'size'), ...back]
  const prove = work.copies ? proofsOfCopied : proofsOf
  return prove({ ...written, proofs: [...others, ...back], source: work.object })
}

/**
 * Writes an object and proves the result. A notice says it if equal parts did not give an equal ETag.
 *
 * @param {CopyWay} way
 * @param {WriteWork} work
 * @param {Chunk} chunk
 * @returns {Promise<Written & { proof: import('../types').Proof[] }>}
 */
async function copyProved(way, work, chunk) {
  const written = await writeObject(work)
  const proof = await proveObject(way, work, written)
  const unmatched = judgeMatch(chunk, proof)
  if (unmatched) work.job.run.emit(unmatched)
  return { ...written, proof }
}

/**
 * Whether earlier runs began to copy another object than the one that is at the source now. Parts of both must not be mixed.
 *
 * @param {import('../types').JobState['object']} begun undefined: it is not known which
 * @param {ObjectHead | undefined} found undefined: the source has none
 * @param {{ versions: boolean, rewrites: boolean }} how versions: another version counts as another object, even if it has equal bytes;
 *   rewrites: what is written again with equal bytes has an equal ETag, but perhaps other attributes
 */
function isReplaced(begun, found, { versions, rewrites }) {
  // Of an upload whose object the journal does not tell, because its line is damaged, nothing is known.
  if (!begun) return true
  if (!found || !isSamePinned(begun, found)) return true
  const [then, now] = [begun, found].map(secondOf)
  if (rewrites && then !== undefined && now !== undefined && then !== now) return true
  return versions && begun.versionId !== found.versionId
}

/**
 * Aborts the uploads of earlier runs for this object: they are of no use any more. A dry run only leaves them out.
 *
 * @param {BegunJob & Pick<Job, 'settings'>} job
 * @throws {import('../types').XferError} the store's error if an upload cannot be aborted now
 */
async function abortEarlierUploads(job) {
  const { journal, cancel } = job.run
  const { upload, left } = journal.state
  for (const one of [...left, ...(upload ? [upload] : [])]) {
    if (job.settings.dryRun) await journal.write({ type: 'gone', upload: one.id })
    else await abortOwnUpload(job, one, cancel)
  }
}

module.exports = { abortEarlierUploads, copyProved, isReplaced, noteObject, notePlan, planOne }
