'use strict'

/**
 * Before a copy becomes visible: whether what was read is what the source has. What the source keeps of itself is
 * compared first; where that leaves a doubt, or where it is asked for, the source is read a second time.
 */

const { XferError } = require('../errors')
const { readInHalves, readWhole } = require('./again')
const { judgeSource, md5EtagOf } = require('../integrity')
const { notice } = require('../notices')
const { bytesIn, differing } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('./again').Sums} Sums */

/** How often a part is copied again that was read in two ways. */
const MOST_AGAIN = 3
const ASKED_AT_ONCE = 16

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not among those given
 * @returns {Promise<{ outcomes: TaskSuccess[], proofs: Proof[] }>} the parts as they are now, and what was found out
 * @throws {XferError} INTEGRITY; what reading throws
 */
async function recheckSource(work, created, copied, copyRest) {
  const { job, object } = work
  const { verify, proved } = job.settings
  const judge = (/** @type {TaskSuccess[]} */ outcomes) => judgeSource(object, outcomes, !created.encrypted)
  let outcomes = copied
  let evidence = judge(outcomes)
  if (evidence?.verdict === 'equal' || !proved) return { outcomes, proofs: evidence?.proofs ?? [] }
  const doubted = evidence !== undefined && (evidence.by === 'full-crc32' || (await mayHaveLayout(work)))
  if (verify === 'auto' && !doubted) return { outcomes, proofs: [] }
  job.run.emit(notice('READING_SOURCE_AGAIN'))
  // What was taken for the parts' MD5s came from the destination, whose ETags may be none.
  if (evidence?.by === 'etag' && outcomes.some(({ md5 }) => md5 === undefined)) {
    outcomes = await readAlike(work, outcomes, copyRest, readWhole)
    evidence = judge(outcomes)
  }
  if (evidence?.verdict !== 'equal') {
    outcomes = await readAlike(work, outcomes, copyRest, readInHalves)
    evidence = judge(outcomes)
  }
  if (doubted && evidence?.verdict === 'different') concede(work, evidence.by)
  return { outcomes, proofs: ['source-read', ...(evidence?.proofs ?? [])] }
}

/**
 * Whether MD5s of the parts have to be computed on the way, for the destination's ETags are none, and the source's ETag
 * may be one of such parts.
 *
 * @param {Pick<WriteWork, 'object' | 'plan' | 'job'>} work
 * @param {Upload} created
 */
function wantsMd5({ object, plan, job }, { encrypted = false }) {
  const kept = md5EtagOf(object)
  return encrypted && job.settings.proved && (kept?.parts ?? 1) === plan.parts.length && kept !== undefined
}

/**
 * Whether the source may have been uploaded in the very parts that ours are: their number is the same already, and the store
 * is asked for the size of each, which costs less than to read the source in vain. Where it does not tell, nothing says that
 * they are others, so that the doubt stays.
 *
 * @param {WriteWork} work
 */
async function mayHaveLayout({ job, plan }) {
  const { store, key, versionId } = job.source
  const { cancel: signal } = job.run
  const count = plan.parts.length
  if (count === 1) return true
  /** @param {Part} part @returns {Promise<boolean | undefined>} undefined: the store does not tell */
  const isOurs = async ({ partNumber, bytes }) => {
    const found = await store.partSize(key, { signal, partNumber, versionId }).catch(error => {
      if (signal?.aborted) throw error
      return undefined
    })
    return found && found.bytes === bytes && found.parts === count
  }
  const [first, ...rest] = plan.parts
  const known = await isOurs(first)
  // Who does not tell of the first tells of none.
  if (known === undefined) return true
  if (!known) return false
  for (let at = 0; at < rest.length; at += ASKED_AT_ONCE) {
    const asked = await Promise.all(rest.slice(at, at + ASKED_AT_ONCE).map(isOurs))
    if (asked.includes(false)) return false
  }
  return true
}

/**
 * Reads all parts again; those that were read otherwise are copied once more, until two readings of each are alike.
 *
 * @param {WriteWork} work
 * @param {TaskSuccess[]} copied
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest
 * @param {(work: WriteWork, parts: Part[]) => Promise<Sums[]>} read
 * @returns {Promise<TaskSuccess[]>}
 * @throws {XferError} INTEGRITY
 */
async function readAlike(work, copied, copyRest, read) {
  const { parts } = work.plan
  let outcomes = copied
  let again = await read(work, parts)
  for (let attempt = 0; ; attempt++) {
    const doubtful = differing(parts, crc32sOf(outcomes), crc32sOf(again))
    if (doubtful.length === 0) return outcomes.map((outcome, i) => withMd5(outcome, again[i].md5))
    if (attempt === MOST_AGAIN) throw readDifferently(doubtful[0])
    const numbers = new Set(doubtful.map(({ partNumber }) => partNumber))
    outcomes = await copyRest(outcomes.filter(({ partNumber }) => !numbers.has(partNumber)))
    const still = differing(parts, crc32sOf(outcomes), crc32sOf(again))
    if (still.length > 0) again = replaced(parts, again, still, await read(work, still))
  }
}

/** @param {Array<{ crc32?: number }>} sums */
function crc32sOf(sums) {
  return sums.map(({ crc32 }) => crc32)
}

/** @param {TaskSuccess} outcome @param {string | undefined} md5 of the same bytes @returns {TaskSuccess} */
function withMd5(outcome, md5) {
  return md5 === undefined ? outcome : { ...outcome, md5 }
}

/** @param {Part[]} parts @param {Sums[]} sums @param {Part[]} some @param {Sums[]} theirs */
function replaced(parts, sums, some, theirs) {
  const newer = new Map(some.map(({ partNumber }, i) => [partNumber, theirs[i]]))
  return sums.map((old, i) => newer.get(parts[i].partNumber) ?? old)
}

/** @param {Part} part */
function readDifferently(part) {
  const reason = `the source sent other bytes each time that it was asked for ${bytesIn(part)}`
  return new XferError('INTEGRITY', { reason, start: part.start, end: part.start + part.bytes - 1 })
}

/**
 * Both readings are alike, and do not give what the source keeps of these very parts. A checksum is one, so the source
 * is damaged; an ETag may be none of MD5s.
 *
 * @param {WriteWork} work
 * @param {'full-crc32' | 'composite-crc32' | 'etag'} by
 * @throws {XferError} INTEGRITY
 */
function concede({ job, object }, by) {
  if (by === 'etag') return job.run.emit(notice('SOURCE_ETAG_DIFFERS'))
  const kind = by === 'composite-crc32' ? 'composite CRC-32' : 'CRC-32'
  const reason = `the source keeps the ${kind} ${object.checksum?.crc32}, and what was read twice has another one`
  throw new XferError('INTEGRITY', { reason, expected: object.checksum?.crc32 })
}

module.exports = { recheckSource, wantsMd5 }
