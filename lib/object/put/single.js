'use strict'

/** The route `put`: writes a single object in one request, with the writer in put.js. */

const { checkFound, isConditional, look } = require('../../destination')
const { runParts } = require('../../schedule')
const { createPut } = require('./put')
const { createReader } = require('./reader')
const { throughEngine } = require('./through-engine')

/** @typedef {import('../../types').Written} Written */
/** @typedef {import('../../types').WriteWork} WriteWork */

/**
 * A PUT is the first that this store hears of us: a look at its key finds the bucket's region, the store's clock and name,
 * and a missing bucket, before any byte is moved. With write-only credentials the look is denied, and the copy goes on.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 */
async function putSingle(work) {
  const { job, object, attributes, copies } = work
  const { source: from, destination: to, settings } = job
  const { condition } = settings
  // What a condition names is looked at as late as possible.
  const before = (!isConditional(condition) && work.before) || (await look(to, job.run.cancel))
  const scheduleOne = scheduleOf(work)
  const reader = createReader({ scheduleOne, reading: work.reading })
  const describe = async () => ({ attributes, notices: [], encrypted: object.encrypted === true })
  const describer = { describe, describeRead: describe, differs() {}, fits() {} }
  const shared = { job, condition, tell: job.run.emit }
  const via = copies
    ? require('./by-store').byStore({ ...shared, scheduleOne, copySourceOf: () => copies, attributesOf: describe })
    : throughEngine({ job, scheduleOne, describer, reader })
  const keepsConditions = copies ? to.store.serverCopy?.conditional === true : !to.store.can.ignoresConditions
  // As late as possible, because some stores ignore conditions.
  if (isConditional(condition)) checkFound(before, condition, to.store.facts)
  const put = createPut({ ...shared, via, reader, keepsConditions, single: true })
  const written = await put({ from, to, source: object, before, emit: job.run.emit, restart: work.restart })
  if (written === 'skipped' || 'now' in written) throw new Error('an object that nobody may skip was skipped')
  const { outcome, proof, ...rest } = written
  return { ...rest, outcomes: [outcome], proof }
}

/**
 * Makes a scheduler for each request; there are few.
 *
 * @param {WriteWork} work
 * @returns {import('./types').ScheduleOne}
 */
function scheduleOf({ job, limits }) {
  const { engine, settings } = job
  const { pressure, cancel } = job.run
  const { run, startWith } = engine
  const how = { run, limits, concurrency: 1, startWith, pressure, retries: settings.retries, abort: cancel }
  return async (bytes, { start = 0, ...one }) => {
    const [outcome] = await runParts([{ partNumber: 1, start, bytes }], { ...how, ...one })
    return outcome
  }
}

module.exports = { putSingle }
