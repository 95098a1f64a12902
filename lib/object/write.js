'use strict'

/**
 * What the copy of one object and that of many have in common: an object is planned, its plan is written down, it is
 * written in one request or in parts, and what is there is proved.
 */

const { againOnConflict, giveUpUpload, reportLost } = require('../destination')
const { writeMultipart } = require('./multipart')
const { planObject } = require('./plan')
const { putSingle } = require('./put')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('./ways').Way} Way */

/**
 * An upload that was begun keeps the size of its parts.
 *
 * @param {Pick<Job, 'destination' | 'run'>} job
 * @param {{ bytes: number }} object
 * @param {{ chunkBytes: number, wholePut: boolean }} how as of planObject
 * @returns {{ plan: Plan, begun: Plan | undefined }} begun: that of the upload that goes on, which counts then
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

/** @param {Pick<Job, 'run'>} job @param {ObjectHead} object @param {Plan} plan */
async function notePlan({ run: { journal } }, { bytes, etag, versionId, lastModifiedMs }, { route, partBytes, parts }) {
  await journal.write({ type: 'object', bytes, etag, versionId, lastModifiedMs })
  await journal.write({ type: 'plan', route, partBytes, parts: parts.length })
}

/**
 * By the route of its plan.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 * @throws {import('../types').XferError} what the writers throw
 */
async function writeObject(work) {
  if (work.plan.route === 'multipart') return await againOnConflict(work, writeMultipart)
  await clearCreating(work.job)
  return await putSingle(work)
}

/**
 * What the writer proved, and, where that is asked for and it did not, what reading back does.
 *
 * @param {Pick<Way, 'readBack' | 'proofsOf'>} way
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>} all that may be claimed
 */
async function proveObject(way, work, written) {
  const { proof, proofs = [] } = written
  if (!proof) {
    const found = [...proofs, ...(await way.readBack(work, written))]
    return way.proofsOf({ ...written, proofs: found, source: work.object })
  }
  if (work.job.settings.verify !== 'full' || proof.includes('read-back')) return proof
  return [...proof.filter(each => each !== 'size'), ...(await way.readBack(work, written))]
}

/**
 * Aborts what earlier runs of the job uploaded of the object: it is of no use any more.
 *
 * @param {Pick<Job, 'destination' | 'run'>} job
 * @throws {import('../types').XferError} what the store says where it cannot be aborted now
 */
async function giveUpEarlier(job) {
  const { upload, left } = job.run.journal.state
  for (const id of [...left, ...(upload ? [upload.id] : [])]) await giveUpUpload(job, id, job.run.cancel)
}

/** An earlier run may have asked for an upload whose id it never learned. @param {Pick<Job, 'destination' | 'run'>} job */
async function clearCreating({ destination, run }) {
  const { journal, cancel } = run
  const { creatingMs } = journal.state
  if (creatingMs === undefined) return
  await reportLost({ destination, run }, { createdMs: creatingMs, signal: cancel })
  await journal.write({ type: 'cleared' })
}

module.exports = { clearCreating, giveUpEarlier, notePlan, planBegun, proveObject, writeObject }
