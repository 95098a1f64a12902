'use strict'

/** Judges a download as a whole, before its last range is handed out. */

const { XferError } = require('../errors')
const { CRCS, isCrc, judgeSource, keptBy, sameCrcs, sumsOfParts, sumText } = require('../integrity')
const { notice } = require('../notices')
const { isComparable, rangesOf, readRanges } = require('../verify')

/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('./download').Opened} Opened */
/** @typedef {{ bytes: number, sums: Sums, etag: string }} ReadPart */

/** Ends the last sentence of an error about bytes of which some were handed out. */
const DISCARD = 'Discard what was written, and repeat the command; if it happens again, the source itself is damaged.'

/**
 * @param {Opened} opened
 * @param {import('../types').ObjectHead} object
 * @param {ReadPart[]} parts all that was read, joined to the parts that the proof needs
 * @param {{ rangeBytes: number, capacity: import('./read').Capacity, watch: ReturnType<typeof import('../progress').watchProgress> }} how
 * @returns {Promise<{ sums: Sums, proof: Proof[], uncompared?: true }>} sums: of all bytes
 * @throws {XferError} READ_CORRUPTED or MD5_DIFFERS; what ends a second reading
 */
async function judge(opened, object, parts, { rangeBytes, capacity, watch }) {
  const { settings, source, run, engine } = opened
  const evidence = judgeSource(object, parts, false)
  const proof = evidence?.proofs ?? []
  const differs = evidence?.verdict === 'different' ? evidence.by : undefined
  const doubted = differs !== undefined && (await isComparable({ by: differs }, source, parts, run.cancel))
  if (doubted && differs !== 'etag') {
    const found = isCrc(differs) ? sumText(differs, sumsOfParts(parts)[differs]) : 'another one'
    throw damaged(`the source keeps the ${keptBy(differs, object).words}, and what was read has ${found}`)
  }
  if (doubted && object.sums?.md5 !== undefined) {
    const [expected, found] = [object.sums.md5, parts[0].sums.md5]
    throw new XferError('MD5_DIFFERS', { reason: `${found} instead of ${expected}`, expected, found })
  }
  if (doubted || settings.verify === 'full') {
    await readAgain()
    proof.push('source-read')
  }
  // An ETag in the form of an MD5 may be none.
  if (doubted) run.emit(notice('SOURCE_ETAG_DIFFERS'))
  return { sums: sumsOfParts(parts), proof, ...(proof.length === 0 && { uncompared: /** @type {const} */ (true) }) }

  /** Reads everything again, in other ranges: a proxy that damages the n-th byte of each answer then damages others. */
  async function readAgain() {
    run.emit(notice('READING_SOURCE', { again: true }))
    const ranges = rangesOf(object.bytes, Math.ceil(rangeBytes / 2) || 1)
    const first = sumsOfParts(parts)
    const job = { engine, settings, run: { ...run, cancel: opened.ended } }
    const sums = CRCS.filter(sum => first[sum] !== undefined)
    const how = { objects: [{ ...source, object }], ranges, sums, emit: watch.reading(ranges) }
    const [again] = await readRanges({ job, ...capacity }, how)
    if (!sameCrcs(first, sumsOfParts(again))) throw damaged('two readings of it differ')
  }
}

/** @param {string} reason */
function damaged(reason) {
  return new XferError('READ_CORRUPTED', { reason, advice: DISCARD })
}

module.exports = { judge }
