'use strict'

/**
 * The steps that the copies of one object and of a prefix share: plan an object, write the plan to the journal, write the
 * object in one request or in parts, and prove the result.
 */

const { againOnConflict } = require('../destination')
const { clearCreating } = require('./earlier')
const { planObject } = require('./plan')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('./ways').Way} Way */

/**
 * Plans an object. A resumed upload keeps its part size.
 *
 * @param {Pick<Job, 'destination' | 'run'>} job
 * @param {{ bytes: number }} object
 * @param {{ chunkBytes: number, wholePut: boolean }} how as in `planObject`
 * @returns {{ plan: Plan, begun: Plan | undefined }} begun: the plan of the resumed upload, which replaces `plan`
 * @throws {import('../types').XferError} TOO_LARGE
 */
function planBegun({ destination, run: { journal } }, { bytes }, { chunkBytes, wholePut }) {
  const { upload, plan: begun } = journal.state
  const { limits } = destination.store
  return {
    plan: planObject({ bytes, chunkBytes, limits, wholePut }),
    begun: upload && begun && planObject({ bytes, chunkBytes: begun.partBytes, limits, wholePut: false }),
  }
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
 * Writes an object by the route of its plan.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 * @throws {import('../types').XferError} the errors of the writers
 */
async function writeObject(work) {
  if (work.plan.route === 'multipart') {
    const { writeMultipart } = require('./multipart')
    // A stream cannot be copied again.
    if (work.plan.growing) return await writeMultipart(work)
    return await againOnConflict(work, writeMultipart)
  }
  const { putSingle } = require('./put')
  await clearCreating(work.job)
  return await putSingle(work)
}

/**
 * The proofs of the writer, and those of reading back if that is asked for and the writer did not do it.
 *
 * @param {Pick<Way, 'readBack' | 'proofsOf'>} way
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>} all proofs
 */
async function proveObject(way, work, written) {
  // `proof` is complete, and only an object in one request has it; `proofs` is what else was found during an upload.
  const { proof: complete, proofs: others = [] } = written
  if (!complete) {
    const proofs = [...others, ...(await way.readBack(work, written))]
    return way.proofsOf({ ...written, proofs, source: work.object })
  }
  if (work.job.settings.verify !== 'full' || complete.includes('read-back')) return complete
  return [...complete.filter(each => each !== 'size'), ...(await way.readBack(work, written))]
}

module.exports = { noteObject, notePlan, planBegun, proveObject, writeObject }
