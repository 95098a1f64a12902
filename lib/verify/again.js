'use strict'

/** Reads the source of a copy a second time. */

const { inHalves, readRanges } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Part} Part */

/** @typedef {{ crc32: number, md5?: string }} Sums of one part */

/**
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @returns {Promise<Sums[]>} with their MD5s
 */
async function readWithMd5s(work, parts) {
  return await readSource(work, parts, true)
}

/**
 * Reads the parts in other ranges than the copy did: each part in two halves.
 *
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @returns {Promise<Sums[]>}
 */
async function readInHalves(work, parts) {
  const { halves, join } = inHalves(parts)
  return join(await readSource(work, halves, false)).map(crc32 => ({ crc32 }))
}

/** @param {WriteWork} work @param {Part[]} ranges @param {boolean} md5 */
async function readSource({ job, object, concurrency, limits, partsPerInvocation, reading, schedule }, ranges, md5) {
  const { source, engine, settings } = job
  const { cancel } = job.run
  const [outcomes] = await readRanges({
    objects: [{ ...source, object }],
    ranges,
    md5,
    engine,
    limits,
    concurrency,
    partsPerInvocation,
    retries: settings.retries,
    changed: 'SOURCE_CHANGED',
    abort: cancel,
    emit: reading(ranges),
    schedule,
  })
  return outcomes
}

/**
 * Reads each range in one request, without MD5s.
 *
 * @param {WriteWork} work
 * @param {Part[]} ranges
 */
async function readPlain(work, ranges) {
  return await readSource(work, ranges, false)
}

module.exports = { readInHalves, readPlain, readWithMd5s }
