'use strict'

/** `--verify full` for a copy by the store: the engine reads both objects, and they are compared. */

const { askLimits, shareRate } = require('../../transfer')
const { XferError, asXferError, factsOfCause } = require('../../errors')
const { checkParts, compareSums, CRCS, sameCrcs } = require('../../integrity')
const { bytesIn, firstWrong, forgetUpload, isNot, rangesOf, readSource, wrongCopy } = require('../../verify')
const { contextOf } = require('../../job')
const { notice } = require('../../notices')

/** @typedef {import('../../types').WriteWork} WriteWork */
/** @typedef {import('../../types').Written} Written */
/** @typedef {import('../../types').Part} Part */
/** @typedef {import('../../types').Proof} Proof */

/** How often to read a range of the source again, because its first reading may be wrong. */
const MOST_AGAIN = 2

/**
 * @param {import('../../job/open').Context} job with the engine that reads
 * @returns {(work: WriteWork, written: Written) => Promise<import('../../types').Proof[]>} the proofs; throws WRONG_COPY,
 *   INTEGRITY when the source differs from its stored checksum, OBJECT_CHANGED, NOT_READ_BACK
 */
function bothReader(job) {
  return async (work, written) => {
    if (job.settings.verify !== 'full') return []
    const { object } = work
    const parts = rangesOf(object.bytes, job.settings.chunkBytes)
    work.job.run.emit(notice('READING_SOURCE'))
    const reader = await readerOf(job, work, parts).catch(error => unread(job, error))
    // One that the source keeps, if it keeps any.
    const sums = [CRCS.find(sum => object.sums?.[sum] !== undefined) ?? 'crc32']
    const read = async (/** @type {Part[]} */ ranges) =>
      await readSource(reader, ranges, sums).catch(error => unread(job, error))
    const outcomes = await read(parts)
    work.job.run.emit(notice('READING_BACK'))
    const { wrong, found } = await compare(reader, { ...written, outcomes }, read)
    if (wrong) {
      await forgetUpload(work.job)
      const reason = isNot('what the source has', wrong, parts)
      throw await wrongCopy(work.job.destination, written, { ...wrong, reason })
    }
    const { equal } = compareSums(checkRead(found, parts, object), object.sums)
    return ['read-back', ...equal.map(sum => /** @type {Proof} */ (`source-${sum}`))]
  }
}

/**
 * A different range counts only after two equal readings of the source.
 *
 * @param {WriteWork} reader
 * @param {Written} written with the readings of the source
 * @param {(ranges: Part[]) => Promise<Written['outcomes']>} read reads ranges of the source
 * @returns {Promise<{ wrong?: Part, found: Written['outcomes'] }>} wrong: the first range that differs from the source;
 *   found: the readings of the source
 */
async function compare(reader, written, read) {
  const { parts } = reader.plan
  const found = [...written.outcomes]
  let rest = parts
  for (let again = 0; ; ) {
    const { wrong } = await firstWrong(reader, { ...written, outcomes: found }, rest)
    if (!wrong) return { found }
    const at = parts.indexOf(wrong)
    const [outcome] = await read([wrong])
    if (sameCrcs(outcome.sums, found[at].sums)) return { wrong, found }
    if (at > parts.indexOf(rest[0])) again = 0
    if (again++ === MOST_AGAIN)
      throw new XferError('INTEGRITY', {
        reason: `the source sent other bytes each time that it was asked for ${bytesIn(wrong)}`,
        now: 'the copy is there, and not proved',
      })
    found[at] = { ...outcome, partNumber: wrong.partNumber }
    rest = parts.slice(at)
  }
}

/**
 * @param {import('../../types').TaskSuccess[]} outcomes
 * @param {import('../../types').Part[]} parts
 * @param {import('../../types').ObjectHead} object
 * @returns {import('../../types').Sums} of the whole object
 * @throws {XferError} INTEGRITY
 */
function checkRead(outcomes, parts, object) {
  try {
    return checkParts(outcomes, parts, object)
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    throw new XferError(code, { ...facts, now: 'the copy is there, and not proved' }, { cause })
  }
}

/** @param {import('../../job/open').Context} job @param {WriteWork} work @param {import('../../types').Part[]} parts @returns {Promise<WriteWork>} */
async function readerOf(job, work, parts) {
  const allowed = await askLimits(job)
  const most = Math.min(job.settings.concurrency, allowed.concurrent, parts.length)
  const partBytes = Math.max(...parts.map(({ bytes }) => bytes))
  const { concurrency, limits } = shareRate(job, { concurrency: most, limits: allowed, partBytes })
  return {
    ...{ ...work, concurrency, limits, partsPerInvocation: undefined },
    job: contextOf(work.job, { engine: job.engine, run: work.job.run }),
    plan: { ...work.plan, parts },
  }
}

/** @param {import('../../job/open').Context} job @param {unknown} cause @returns {never} */
function unread({ destination }, cause) {
  const error = asXferError(cause)
  throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: destination.text }, { cause })
}

module.exports = { bothReader }
