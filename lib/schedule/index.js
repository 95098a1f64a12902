'use strict'

/**
 * Tasks and when they run: how one is made and what its failure means, the limits of stores and platforms, outages, retries and hedges,
 * detached invocations.
 */

const { createOutages } = require('./outage')
const { createPressure, refusingSide } = require('./pressure')
const { createScheduler } = require('./scheduler')

/**
 * Runs parts with a scheduler of their own.
 *
 * @param {import('../types').Part[]} parts
 * @param {Omit<Parameters<typeof createScheduler>[0], 'workers' | 'partBytes'> & import('./queue').GroupHow} how
 * @returns {Promise<import('../types').TaskSuccess[]>} one for each part, in the order of the parts
 * @throws {import('../types').XferError} the first failure that ended the work, once nothing is in flight
 */
async function runParts(parts, how) {
  let partBytes = 0
  for (const { bytes } of parts) partBytes = Math.max(partBytes, bytes)
  // A hedged part runs at the same time as the first one.
  const workers = Math.max(1, Math.min(how.concurrency, 2 * parts.length))
  const scheduler = createScheduler({ ...how, workers, partBytes })
  try {
    return await scheduler.run(parts, how)
  } finally {
    await scheduler.end()
  }
}

module.exports = {
  createOutages,
  createPressure,
  createScheduler,
  refusingSide,
  runParts,
  ...require('./allowance'),
  ...require('./task'),
}
