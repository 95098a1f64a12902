'use strict'

/**
 * Copies between two stores that the destination makes by itself: it reads each part from a URL that the source lends. Only
 * with `--route server`.
 */

const { createServerEngine } = require('../../engines')
const { XferError } = require('../../errors')
const { checkParts, compareSums, sameEtag } = require('../../integrity')
const { chooseChunk } = require('../plan')

/** @typedef {import('../../job/open').Job} Job */
/** @typedef {import('../../types').ObjectHead} ObjectHead */

/** The engine of such a job. @param {import('../../types').Store} store the destination's */
function pullEngineFor({ pull, endpoint }) {
  return createServerEngine(/** @type {import('../../stores/contract').Pull} */ (pull), endpoint)
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
 * @param {import('../../job/open').Side} source
 * @param {string} etag
 * @returns {import('../../stores/contract').Lent}
 */
function lentBy({ store, key, versionId }, etag) {
  const lend = /** @type {Required<import('../../types').Store>} */ (store).lend
  return { lend: () => lend({ key, versionId }), etag }
}

/**
 * As the user wants the parts: their size decides nothing else.
 *
 * @param {import('../../job/open').Context} job
 * @param {ObjectHead} object
 */
async function choosePullChunk(job, object) {
  const { settings } = job
  if (!settings.matchChunk) return { bytes: settings.chunkBytes, matched: false, notices: [], whole: false }
  const matched = await chooseChunk(job, object, async () => await job.engine.limits())
  return { ...matched, whole: false }
}

/**
 * Checks the parts before anything becomes visible. A store may ignore the condition for a source that is not its own, so the
 * source is looked at again; and the checksums that the store computed must give the one that the source keeps.
 *
 * @param {import('../../types').WriteWork} work
 * @param {import('../../types').TaskSuccess[]} copied all parts, in order
 * @returns {Promise<import('../../types').Proof[]>}
 * @throws {XferError} SOURCE_CHANGED, INTEGRITY
 */
async function proofsOfPulled({ job, object, plan }, copied) {
  const { store, key, versionId } = job.source
  const now = await store.head(key, { signal: job.run.cancel, versionId })
  if (!sameEtag(now.etag, object.etag) || now.bytes !== object.bytes) throw new XferError('SOURCE_CHANGED', store.facts)
  const answered = copied.map(part => ({ ...part, sums: part.answered ?? {} }))
  const { equal } = compareSums(object.sums, checkParts(answered, plan.parts, object))
  const crcs = /** @type {Array<Exclude<import('../../types').Sum, 'md5'>>} */ (equal.filter(sum => sum !== 'md5'))
  return crcs.map(sum => /** @type {const} */ (`stored-${sum}`))
}

module.exports = { choosePullChunk, lentBy, proofsOfPulled, pullEngineFor, whyNotPulled }
