'use strict'

/**
 * Checks before a copy becomes visible that what was read is what the source has. The checksums and the ETag of the source
 * are compared first. If they leave a doubt, or with `--verify full`, the source is read a second time.
 */

const { XferError } = require('../errors')
const { CRCS, hasMd5Tags, judgeSource, keptBy } = require('../integrity')
const { notice } = require('../notices')
const { isComparable } = require('./stored')
const { bytesIn, differing, inHalves, readRanges } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../integrity/source').Evidence} Evidence */

/** How often a part is copied again if two readings of it differ. */
const MAX_COPIES_AGAIN = 3

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not in `done`
 * @returns {Promise<{ outcomes: TaskSuccess[], proofs: Proof[] }>} the parts, some of them perhaps copied again, and
 *   the proofs about the source
 * @throws {XferError} INTEGRITY; the errors of reading
 */
async function recheckSource(work, created, copied, copyRest) {
  const { job, object, plan } = work
  const { verify, proved } = job.settings
  const md5Tags = hasMd5Tags(job.destination.store.can, created.encrypted)
  const judge = (/** @type {TaskSuccess[]} */ outcomes) => judgeSource(object, outcomes, md5Tags)
  let outcomes = copied
  let evidence = judge(outcomes)
  const once = job.source.store.can.readsOnce
  if (evidence?.verdict === 'equal' || !proved || once) return { outcomes, proofs: evidence?.proofs ?? [] }
  const doubted = evidence !== undefined && (await isComparable(evidence, job.source, plan.parts, job.run.cancel))
  if (verify === 'auto' && !doubted) return { outcomes, proofs: [] }
  job.run.emit(notice('READING_SOURCE', { again: true }))
  // The parts' MD5s were taken from the destination's ETags, which may be no MD5s: compute them.
  if (evidence?.by === 'etag' && outcomes.some(({ sums }) => sums.md5 === undefined)) {
    outcomes = await readAlike(work, outcomes, copyRest, readWithMd5s)
    evidence = judge(outcomes)
  }
  if (evidence?.verdict !== 'equal') {
    outcomes = await readAlike(work, outcomes, copyRest, readInHalves)
    evidence = judge(outcomes)
  }
  if (doubted && evidence?.verdict === 'different') reportDifference(work, evidence.by)
  return { outcomes, proofs: ['source-read', ...(evidence?.proofs ?? [])] }
}

/**
 * Reads all parts again. Copies those again whose two readings differ, until two readings of each part are equal.
 *
 * @param {WriteWork} work
 * @param {TaskSuccess[]} copied
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest
 * @param {typeof readInHalves} read
 * @returns {Promise<TaskSuccess[]>}
 * @throws {XferError} INTEGRITY
 */
async function readAlike(work, copied, copyRest, read) {
  const { parts } = work.plan
  const sums = CRCS.filter(sum => copied.some(part => part.sums[sum] !== undefined))
  let outcomes = copied
  const again = await read(work, parts, sums)
  for (let attempt = 0; ; attempt++) {
    const doubtful = differing(parts, outcomes, again)
    if (doubtful.length === 0)
      return outcomes.map((outcome, i) => ({ ...outcome, sums: { ...again[i].sums, ...outcome.sums } }))
    if (attempt === MAX_COPIES_AGAIN) throw readDifferently(doubtful[0])
    const numbers = new Set(doubtful.map(({ partNumber }) => partNumber))
    outcomes = await copyRest(outcomes.filter(({ partNumber }) => !numbers.has(partNumber)))
    const still = differing(parts, outcomes, again)
    const newer = still.length > 0 ? await read(work, still, sums) : []
    for (const [i, part] of still.entries()) again[parts.indexOf(part)] = newer[i]
  }
}

/** @param {Part} part */
function readDifferently(part) {
  const reason = `the source sent other bytes each time that it was asked for ${bytesIn(part)}`
  return new XferError('INTEGRITY', { reason, start: part.start, end: part.start + part.bytes - 1 })
}

/**
 * Both readings are equal, and differ from the checksum or the ETag that the source has for these parts. If it is a checksum,
 * the source is damaged: fails. If it is an ETag, it may be no MD5: a notice says so.
 *
 * @param {WriteWork} work
 * @param {Evidence['by']} by
 * @throws {XferError} INTEGRITY
 */
function reportDifference({ job, object }, by) {
  if (by === 'etag') return job.run.emit(notice('SOURCE_ETAG_DIFFERS'))
  const { words, expected } = keptBy(by, object)
  const reason = `the source keeps the ${words}, and what was read twice has another one`
  throw new XferError('INTEGRITY', { reason, expected })
}

/**
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @param {Sum[]} sums those to compute
 * @returns {Promise<Array<{ sums: Sums }>>} of each part; with their MD5s
 */
async function readWithMd5s(work, parts, sums) {
  return await readSource(work, parts, [...new Set([...sums, /** @type {const} */ ('md5')])])
}

/**
 * Reads the parts in other ranges than the copy did: each part in two halves.
 *
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @param {Sum[]} sums those to compute
 * @returns {Promise<Array<{ sums: Sums }>>} of each part
 */
async function readInHalves(work, parts, sums) {
  const { halves, join } = inHalves(parts)
  return join(await readSource(work, halves, sums)).map(sums => ({ sums }))
}

/** Reads each range in one request. @param {WriteWork} work @param {Part[]} ranges @param {Sum[]} sums those to compute */
async function readSource(work, ranges, sums) {
  const { job, object, reading } = work
  const objects = [{ ...job.source, object }]
  const [outcomes] = await readRanges(work, {
    ...{ objects, ranges, sums },
    changed: 'SOURCE_CHANGED',
    emit: reading(ranges),
  })
  return outcomes
}

module.exports = { readSource, recheckSource }
