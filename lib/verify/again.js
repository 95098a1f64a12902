'use strict'

/** Reads the source of a copy a second time. */

const { inHalves, readRanges } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Sum} Sum */

/** @typedef {import('../types').Sums} Sums */

/**
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @param {Sum[]} sums those to compute
 * @returns {Promise<Sums[]>} of each part; with their MD5s
 */
async function readWithMd5s(work, parts, sums) {
  const outcomes = await readSource(work, parts, [...new Set([...sums, /** @type {const} */ ('md5')])])
  return outcomes.map(outcome => outcome.sums)
}

/**
 * Reads the parts in other ranges than the copy did: each part in two halves.
 *
 * @param {WriteWork} work
 * @param {Part[]} parts
 * @param {Sum[]} sums those to compute
 * @returns {Promise<Sums[]>} of each part
 */
async function readInHalves(work, parts, sums) {
  const { halves, join } = inHalves(parts)
  return join(
    await readSource(
      work,
      halves,
      sums.filter(sum => sum !== 'md5'),
    ),
  )
}

/** @param {WriteWork} work @param {Part[]} ranges @param {Sum[]} sums */
async function readSource({ job, object, concurrency, limits, partsPerInvocation, reading, schedule }, ranges, sums) {
  const { source, engine, settings } = job
  const { cancel } = job.run
  const [outcomes] = await readRanges({
    objects: [{ ...source, object }],
    ranges,
    sums,
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
 * Reads each range in one request.
 *
 * @param {WriteWork} work
 * @param {Part[]} ranges
 * @param {Sum[]} sums those to compute
 */
async function readPlain(work, ranges, sums) {
  return await readSource(work, ranges, sums)
}

module.exports = { readInHalves, readPlain, readWithMd5s }
