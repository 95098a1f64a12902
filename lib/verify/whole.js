'use strict'

/**
 * An object that is written in one PUT is visible at once: whether what is read is what the source has must be known
 * before its last byte is sent. So the function is told what to expect, and holds that byte back until it has found it.
 */

const { XferError } = require('../errors')
const { fullCrc32, judgeSource, md5EtagOf } = require('../integrity')
const { readInHalves } = require('./again')
const { NOT_ITS_ETAG } = require('./source')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Proof} Proof */
/**
 * @typedef {{ crc32?: number, md5?: string }} Known what the bytes must be
 * @typedef {{ known: Known, md5: boolean }} Expected md5: whether to compute it in any case
 */

/** How often the source is read anew when two readings of it differ. */
const MOST_AGAIN = 3

/**
 * @param {WriteWork} work
 * @param {(expected: Expected) => Promise<Written>} write
 * @returns {Promise<Written>}
 * @throws {XferError} what `write` throws; exit status 8 where no two readings are alike
 */
async function writeExpected(work, write) {
  const { job, object } = work
  const kept = md5EtagOf(object)
  const md5 = kept !== undefined && (kept.parts ?? 1) === 1
  let { known, proofs } = await expectation(work)
  for (let attempt = 0; ; attempt++) {
    try {
      const written = await write({
        known,
        md5: md5 && known.crc32 !== undefined && fullCrc32(object.checksum) === undefined,
      })
      return { ...written, proofs: [...proofs, ...conclude(work, written, known)] }
    } catch (error) {
      if (!readOtherwise(error) || fullCrc32(object.checksum) !== undefined || attempt === MOST_AGAIN) throw error
      job.emit({ type: 'notice', message: 'Reading the source a second time.' })
      known = await readOnce(work)
      proofs = ['source-read']
    }
  }
}

/**
 * What the source keeps of itself; where that is asked for, or what it keeps can be compared in no other way, what a
 * first reading finds.
 *
 * @param {WriteWork} work
 * @returns {Promise<{ known: Known, proofs: Proof[] }>}
 */
async function expectation(work) {
  const { job, object } = work
  if (!job.settings.proved) return { known: {}, proofs: [] }
  const crc32 = fullCrc32(object.checksum)
  if (crc32 !== undefined) return { known: { crc32 }, proofs: [] }
  if (object.bytes === 0) return { known: {}, proofs: [] }
  const kept = md5EtagOf(object)
  if (kept && kept.parts === undefined) return { known: { md5: kept.md5 }, proofs: [] }
  const onePart = kept?.parts === 1 || object.checksum?.crc32.endsWith('-1')
  if (job.settings.verify === 'auto' && !onePart) return { known: {}, proofs: [] }
  return { known: await readOnce(work), proofs: ['source-read'] }
}

/**
 * In other pieces than it will be read when it is written.
 *
 * @param {WriteWork} work
 * @returns {Promise<Known>}
 * @throws {XferError} INTEGRITY where the source keeps a composite checksum of its one part, and no reading fits it
 */
async function readOnce(work) {
  const { object, plan } = work
  for (let attempt = 0; ; attempt++) {
    const [{ crc32 }] = await readInHalves(work, plan.parts)
    const evidence = judgeSource({ ...object, etag: '' }, [{ bytes: object.bytes, crc32, etag: '' }], false)
    if (evidence?.verdict !== 'different') return { crc32 }
    if (attempt === MOST_AGAIN) {
      const reason = `the source keeps the composite CRC-32 ${object.checksum?.crc32}, and what was read has another one`
      throw new XferError('INTEGRITY', { reason, expected: object.checksum?.crc32 })
    }
  }
}

/** Whether the source was read in another way than was expected. @param {any} error */
function readOtherwise(error) {
  const { code } = error.code === 'PART_FAILED' ? error.cause : error
  return code === 'MD5_DIFFERS' || code === 'READ_CORRUPTED'
}

/**
 * @param {WriteWork} work
 * @param {Written} written
 * @param {Known} known
 * @returns {Proof[]}
 */
function conclude({ job, object }, { outcomes }, known) {
  const evidence = judgeSource(object, outcomes, false)
  if (evidence?.verdict === 'different' && known.crc32 !== undefined) {
    job.emit({ type: 'notice', message: NOT_ITS_ETAG })
  }
  return evidence?.proofs ?? []
}

module.exports = { writeExpected }
