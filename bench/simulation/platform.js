'use strict'

/** A platform as a client sees it: calls that are refused, queued, answered, answered late, or never answered. */

const { XferError } = require('../../lib/errors')
const { untilAborted } = require('../../lib/async')
const { createActivations } = require('./activation')
const { createContainers } = require('./containers')
const { between } = require('./draws')
const { createNetwork } = require('./network')
const { createQuotas, PLATFORM } = require('./quotas')
const { createStore } = require('./store')

/** @typedef {import('../../lib/types').Task} Task */
/** @typedef {import('../../lib/types').Outcome} Outcome */
/** @typedef {import('../../lib/types').TaskSuccess} TaskSuccess */

/** Ids of the random draws; they only have to differ. */
const LOST = 21
const LOST_WHEN = 22
const RELEASE = 23

/** The page size of ListParts. */
const PAGE_MS = 100
const PAGE_PARTS = 1_000

/**
 * @param {object} world
 * @param {import('./clock').VirtualClock} world.clock
 * @param {import('./draws').Draw} world.draw
 * @param {import('../../lib/types').EngineLimits} world.limits
 * @param {import('./model').Model} world.model
 * @param {import('./store').Bears} [world.bears] the limits of the destination
 * @param {number} [world.containers] at a time; default as many as may be in flight
 */
function createPlatform({ clock, draw, limits, model, bears, containers: most = limits.concurrent }) {
  const containers = createContainers({ clock, draw, model, most })
  const quotas = createQuotas({ clock, limits, needsNew: () => containers.free() === 0 })
  const network = createNetwork({ clock, mostPerMs: model.storeBytes / 1000 })
  const store = createStore({ clock, bears })
  /** @type {Map<number, TaskSuccess>} what the destination has */
  const stored = new Map()
  const activate = createActivations({
    clock,
    draw,
    model,
    network,
    store,
    timeoutMs: limits.timeoutMs,
    written(outcome) {
      stored.set(outcome.partNumber, outcome)
    },
  })
  let calls = 0
  /** How long all of them waited for containers. */
  let queuedMs = 0

  /** @param {number} id @param {Task[]} tasks @param {number} parallel @param {import('../../lib/types').RunOptions['onQueued']} onQueued */
  async function activation(id, tasks, parallel, onQueued) {
    const sentMs = clock.now()
    const container = await containers.start()
    const startMs = clock.now()
    queuedMs += startMs - sentMs
    let broken = true
    try {
      const outcomes = await activate(id, tasks, parallel, container)
      broken = false
      onQueued?.({ startMs, waitedMs: startMs - sentMs, ranMs: clock.now() - startMs, isNew: container.uses === 1 })
      return outcomes
    } finally {
      // Released later, because the logs are collected first.
      clock.setTimeout(
        () => {
          quotas.release()
          containers.release(container, broken)
        },
        between(model.releaseMs, draw(RELEASE, id)),
      )
    }
  }

  /** @param {Task[]} tasks @param {number} parallel @param {import('../../lib/types').RunOptions['onQueued']} onQueued @returns {Promise<Outcome[]>} */
  async function call(tasks, parallel, onQueued) {
    const id = ++calls
    const sentMs = clock.now()
    const wayMs = model.roundTripMs / 2
    await clock.delay(wayMs)
    try {
      quotas.admit()
    } catch (error) {
      await clock.delay(wayMs)
      throw error
    }
    const running = activation(id, tasks, parallel, onQueued)
    const answer = draw(LOST, id) < model.failures.lost ? breaks(id, running) : running
    try {
      return await answer
    } finally {
      await clock.delay(lateMs(clock.now() - sentMs) + wayMs)
    }
  }

  /** The connection breaks, and the activation continues. @param {number} id @param {Promise<Outcome[]>} running @returns {Promise<never>} */
  async function breaks(id, running) {
    const whenMs = draw(LOST_WHEN, id) * model.noticed.lostMs
    await Promise.race([clock.delay(whenMs), running]).catch(() => undefined)
    running.catch(() => undefined)
    throw new XferError('PLATFORM_UNREACHABLE', { platform: PLATFORM, reason: 'ECONNRESET' })
  }

  /** The time until the poll that finds the result of an activation that was answered without it. @param {number} elapsedMs */
  function lateMs(elapsedMs) {
    const { firstMs, growth, mostMs } = model.poll
    if (elapsedMs <= limits.answerMs) return 0
    let askedMs = limits.answerMs
    for (let waitMs = firstMs; askedMs < elapsedMs; waitMs = Math.min(waitMs * growth, mostMs)) askedMs += waitMs
    return askedMs - elapsedMs
  }

  return {
    /**
     * As an engine's, on a platform that cannot cancel activations: after an abort the functions continue.
     *
     * @param {Task[]} tasks
     * @param {Pick<import('../../lib/types').RunOptions, 'signal' | 'parallel' | 'onQueued'>} [options]
     * @returns {Promise<Outcome[]>}
     */
    run: (tasks, { signal, parallel = 1, onQueued } = {}) => untilAborted(call(tasks, parallel, onQueued), signal),
    /** The answer of ListParts. @param {import('../../lib/types').Part[]} parts @returns {Promise<TaskSuccess[]>} */
    async settle(parts) {
      await clock.delay(PAGE_MS * Math.ceil((stored.size + 1) / PAGE_PARTS))
      return parts.flatMap(({ partNumber }) => stored.get(partNumber) ?? [])
    },
    counted: () => ({
      queuedMs,
      ...quotas.counted(),
      store: store.counted(),
      calls,
    }),
  }
}

module.exports = { createPlatform }
