'use strict'

/** Judges a download as a whole, before its last range is handed out. */

const { XferError } = require('../errors')
const { CRCS, judgeSource, sameCrcs, sumsOfParts, sumText, SUM_WORDS } = require('../integrity')
const { notice } = require('../notices')
const { mayHaveLayout, rangesOf, readRanges } = require('../verify')

/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('./open').Opened} Opened */
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
  const { settings, source, run } = opened
  const evidence = judgeSource(object, parts, false)
  const proof = evidence?.proofs ?? []
  const differs = evidence?.verdict === 'different' ? evidence.by : undefined
  // Checksums that are made of those of parts differ, too, if the parts had other sizes.
  const doubted = differs !== undefined && (isCrc(differs) || (await mayHaveLayout(source, parts, run.cancel)))
  if (doubted && differs !== 'etag') throw damaged(differenceOf(differs, object, parts))
  if (doubted && object.sums?.md5 !== undefined) throw wrongMd5(object.sums.md5, parts)
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
    const [again] = await readRanges({
      objects: [{ ...source, object }],
      ranges,
      sums: CRCS.filter(sum => first[sum] !== undefined),
      engine: opened.engine,
      ...capacity,
      pressure: run.pressure,
      retries: settings.retries,
      abort: opened.ended,
      emit: watch.reading(ranges),
    })
    if (!sameCrcs(first, sumsOfParts(again))) throw damaged('two readings of it differ')
  }
}

/** @typedef {import('../integrity/source').Evidence['by']} By */

/** @param {By} by @returns {by is import('../integrity/sums').Crc} */
function isCrc(by) {
  return by !== 'etag' && by !== 'composite'
}

/** @param {Exclude<By, 'etag'>} by @param {import('../types').ObjectHead} object @param {ReadPart[]} parts */
function differenceOf(by, object, parts) {
  if (!isCrc(by))
    return `the source keeps the composite CRC-32 ${object.composite?.crc32}, and what was read has another one`
  const [expected, found] = [object.sums, sumsOfParts(parts)].map(sums => sumText(by, sums?.[by]))
  return `the source keeps the ${SUM_WORDS[by]} ${expected}, and what was read has ${found}`
}

/** @param {string} reason */
function damaged(reason) {
  return new XferError('READ_CORRUPTED', { reason, advice: DISCARD })
}

/** @param {string} expected @param {ReadPart[]} parts */
function wrongMd5(expected, parts) {
  const reason = `${parts[0].sums.md5} instead of ${expected}`
  return new XferError('MD5_DIFFERS', { reason, expected, found: parts[0].sums.md5 })
}

module.exports = { judge }
