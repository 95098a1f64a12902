'use strict'

const { createPressure, refusingSide } = require('./limits')
const { createScheduler } = require('./scheduler')

/**
 * All parts of one piece of work, and nothing else.
 *
 * @param {import('../types').Part[]} parts
 * @param {Omit<Parameters<typeof createScheduler>[0], 'workers' | 'partBytes'> & import('./groups').GroupHow} how
 * @returns {Promise<import('../types').TaskSuccess[]>} one a part, in the parts' order
 * @throws {import('../types').XferError} the first failure that ended the work, once nothing is in flight any more
 */
async function runParts(parts, how) {
  const partBytes = parts.reduce((most, part) => Math.max(most, part.bytes), 0)
  // Twins fly beside what they are to replace.
  const workers = Math.max(1, Math.min(how.concurrency, 2 * parts.length))
  const scheduler = createScheduler({ ...how, workers, partBytes })
  try {
    return await scheduler.run(parts, how)
  } finally {
    await scheduler.end()
  }
}

module.exports = { createPressure, createScheduler, refusingSide, runParts }
