'use strict'

/**
 * The ways to copy the bytes of an object: through an engine, by the store itself within one store, or by the destination,
 * which reads the source. The copies of one object and of a prefix share the first two. Journal, plan, uploads, conditions and events do not depend on the way.
 */

const { createServerEngine } = require('../engines')
const { proofsOf, proofsOfCopied } = require('../integrity')
const { contextOf } = require('../job')
const { chooseChunk, chooseGivenChunk } = require('./plan')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../job/open').Context} Context */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Proof} Proof */

/**
 * @typedef {object} Way
 * @property {import('../types').Engine} engine runs its tasks
 * @property {string} why the reason for this way
 * @property {number | undefined} partsPerInvocation undefined: chosen by the quota
 * @property {(job: Context, object: ObjectHead, askLimits: () => Promise<import('../types').EngineLimits>) => Promise<Chunk>} chooseChunk
 * @property {(job: Pick<Job, 'source'>, object: ObjectHead) => import('../types').CopySource | undefined} copies the source of a server-side copy
 * @property {(work: WriteWork, written: Written) => Promise<Proof[]>} readBack reads the copy back if that is asked for and was not done
 * @property {(written: Written & { source: ObjectHead }) => Proof[]} proofsOf the proofs of an object in several parts
 * @property {import('../types').Plan} [plan] of an object whose size is not known; absent: made of its size
 * @property {WriteWork['schedule']} [schedule] how its parts come to the scheduler
 *
 * @typedef {import('./plan').Chunk & { whole?: boolean }} Chunk whole: whether one request writes it all; what the engine can
 *   do when absent
 */

/** @param {Pick<Job, 'engine' | 'why'>} job @returns {Way} */
function engineWay({ engine, why }) {
  /** @type {Way['readBack']} */
  const readBack = (work, written) => require('../verify').readBack(work, written)
  return { engine, why, partsPerInvocation: undefined, chooseChunk, copies: () => undefined, readBack, proofsOf }
}

/**
 * The store of both sides copies, or the destination reads the source of another store, if the job `pulls`.
 *
 * @param {Job} job with the engine that reads, where a proof needs that
 * @returns {Way}
 */
function serverWay(job) {
  const { bothReader, chooseServerChunk, copySourceOf, lentBy } = require('./server-copy')
  const { serverCopy, pull, endpoint } = job.destination.store
  const pulls = job.asksServer === 'pulls'
  const sourceOf = pulls ? lentBy : copySourceOf
  return {
    engine: createServerEngine(/** @type {import('../types').ServerCopy} */ (pulls ? pull : serverCopy), endpoint),
    why: pulls
      ? 'the destination reads the source by itself'
      : 'source and destination are in one store, which copies by itself',
    partsPerInvocation: 1,
    chooseChunk: pulls
      ? async (job, object) => ({ ...(await chooseGivenChunk(job, object)), whole: false })
      : chooseServerChunk,
    copies: ({ source }, { etag }) => sourceOf(source, etag),
    readBack: bothReader(contextOf(job, { engine: job.engine, run: job.run })),
    proofsOf: proofsOfCopied,
  }
}

module.exports = { engineWay, serverWay }
