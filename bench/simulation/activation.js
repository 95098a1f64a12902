'use strict'

/** One activation: runs tasks as the action does, with the action's own rule for the end of its time. */

const { makeDeadline } = require('../../actions/copy-range/attempt')
const { XferError } = require('../../lib/errors')
const { between, lognormal } = require('./draws')
const { PLATFORM } = require('./quotas')

/** @typedef {import('../../lib/types').Task} Task */
/** @typedef {import('../../lib/types').Outcome} Outcome */
/** @typedef {import('../../lib/types').TaskError} TaskError */

/** Ids of the random draws; they only have to differ. */
const CONNECTION = 11
const SLOW = 12
const SLOWER = 13
const REQUEST = 14
const REFUSED = 15
const ENDS = 16
const WHEN = 17

/** The outcome of a part that was still in flight when the time was up. @type {TaskError} */
const CUT = { code: 'STALLED', message: "The invocation's time was up before the task was done." }
/** @type {TaskError} */
const UNDONE = { code: 'NOT_STARTED', message: 'The invocation had no time left for the task.' }
/** @type {TaskError} */
const BUSY = { code: 'HTTP_STATUS', side: 'write', status: 503, storeCode: 'SlowDown', message: 'Refused.' }
/** @type {TaskError} */
const BROKEN = { code: 'HTTP_STATUS', side: 'write', status: 500, storeCode: 'InternalError', message: 'Failed.' }

/**
 * @param {object} world
 * @param {import('./clock').VirtualClock} world.clock
 * @param {import('./draws').Draw} world.draw
 * @param {import('./model').Model} world.model
 * @param {ReturnType<typeof import('./network').createNetwork>} world.network
 * @param {Pick<import('./store').SimulatedStore, 'admit'>} world.store
 * @param {number} world.timeoutMs
 * @param {(outcome: import('../../lib/types').TaskSuccess) => void} world.written called for a part that the destination has
 */
function createActivations({ clock, draw, model, network, store, timeoutMs, written }) {
  /** @type {Map<number, number>} */
  const attempts = new Map()

  /** @param {Task} task @param {import('./network').Link} link @returns {Promise<Outcome>} */
  async function copy({ partNumber, bytes }, link) {
    const startedAtMs = clock.now()
    const attempt = (attempts.get(partNumber) ?? 0) + 1
    attempts.set(partNumber, attempt)
    await clock.delay(lognormal(model.requestMs, draw, REQUEST, partNumber, attempt))
    const firstByteMs = clock.now() - startedAtMs
    const { storeBusy, storeError } = model.failures
    const refused = draw(REFUSED, partNumber, attempt)
    if (refused < storeBusy) return { partNumber, error: BUSY }
    if (refused < storeBusy + storeError) return { partNumber, error: BROKEN }
    const over = store.admit()
    if (!over) return { partNumber, error: BUSY }
    const sent = await link.send(bytes, connectionOf(partNumber, attempt))
    over()
    if (!sent) return { partNumber, error: CUT }
    const timing = { startedAtMs, firstByteMs, totalMs: clock.now() - startedAtMs }
    const outcome = {
      partNumber,
      bytes,
      etag: `"${partNumber}"`,
      sums: { crc32: partNumber.toString(16).padStart(8, '0') },
      timing,
    }
    written(outcome)
    return outcome
  }

  /** Bytes a millisecond. @param {number} partNumber @param {number} attempt */
  function connectionOf(partNumber, attempt) {
    const { connectionBytes, slow } = model
    const name = [partNumber, attempt]
    const factor = draw(SLOW, ...name) < slow.connections ? between(slow, draw(SLOWER, ...name)) : 1
    return lognormal(connectionBytes, draw, CONNECTION, ...name) / factor / 1000
  }

  /**
   * @param {number} id of the activation
   * @param {Task[]} tasks
   * @param {number} parallel
   * @param {import('./containers').Container} container
   * @returns {Promise<Outcome[]>}
   * @throws {XferError} ACTIVATION_EXITED, ACTIVATION_TIMED_OUT
   */
  return async function activate(id, tasks, parallel, container) {
    const endMs = clock.now() + timeoutMs
    const deadline = makeDeadline(Math.floor(endMs), clock.now)
    const link = network.open(container)
    const cut = clock.setTimeout(link.cut, deadline.untilCut())
    const { exited, hung } = model.failures
    const ends = draw(ENDS, id)
    const lastTask = ends < exited + hung ? Math.floor(draw(WHEN, id) * tasks.length) : tasks.length
    let over = false
    let next = 0
    /** @type {Outcome[]} */
    const outcomes = []

    /** It exits or hangs after one of its tasks is done; the client does not learn of that task. */
    async function worker() {
      while (next < tasks.length && !over) {
        const index = next++
        const task = tasks[index]
        const outcome = deadline.leavesTime() ? await copy(task, link) : { partNumber: task.partNumber, error: UNDONE }
        if ('timing' in outcome) deadline.took(outcome.timing.totalMs)
        outcomes[index] = outcome
        if (index !== lastTask) continue
        over = true
        link.cut()
      }
    }

    await Promise.all(Array.from({ length: Math.min(parallel, tasks.length) }, worker))
    clock.clearTimeout(cut)
    if (!over) return outcomes
    const facts = { platform: PLATFORM, fn: 'the function', activationId: String(id) }
    if (ends < exited) {
      await clock.delay(model.noticed.exitedMs)
      throw new XferError('ACTIVATION_EXITED', { ...facts, reason: 'it did not produce a valid response' })
    }
    await clock.delay(endMs - clock.now())
    throw new XferError('ACTIVATION_TIMED_OUT', { ...facts, reason: `it exceeded ${timeoutMs} milliseconds` })
  }
}

module.exports = { createActivations }
