'use strict'

/**
 * The platform's containers: takes any free one, else a new one, else queues. OpenWhisk takes the first that it finds in a
 * hash map (core/invoker, ContainerPool.scala), which can be any.
 */

const { between, lognormal } = require('./draws')

/** Ids of the random draws; they only have to differ. */
const COLD = 1
const WARM = 2
const BANDWIDTH = 3
const SLOW = 4
const SLOWER = 5
const PICK = 6

/**
 * @typedef {object} Container
 * @property {number} id from 1
 * @property {number} uses
 * @property {number} freeSinceMs
 * @property {number} bytesPerMs
 * @property {{ bytes: number, times: number }} burst
 */

/**
 * @param {{ clock: import('./clock').VirtualClock, draw: import('./draws').Draw, model: import('./model').Model, most: number }} pool
 *   most: containers at a time; further activations wait
 */
function createContainers({ clock, draw, model, most }) {
  /** @type {Container[]} */
  const free = []
  /** @type {Array<(container: Container) => void>} */
  const waiting = []
  let alive = 0
  let made = 0
  let picks = 0

  function make() {
    alive++
    const id = ++made
    return { id, uses: 0, freeSinceMs: 0, bytesPerMs: bandwidthOf(id, draw, model), burst: { ...model.burst } }
  }

  /** @param {Container} container @returns {number} how long it takes to be ready */
  function startMs(container) {
    const { warm, frozenMs, freezeAfterMs } = model.start
    if (container.uses === 1) return coldStartMs(container.id, draw, model)
    const frozen = clock.now() - container.freeSinceMs > freezeAfterMs
    return lognormal(warm, draw, WARM, container.id, container.uses) + (frozen ? frozenMs : 0)
  }

  /** @returns {Container | undefined} a free one; those that idled for too long are removed */
  function pick() {
    while (free.length > 0) {
      const [container] = free.splice(Math.floor(draw(PICK, ++picks) * free.length), 1)
      if (clock.now() - container.freeSinceMs <= model.start.removeAfterMs) return container
      alive--
    }
    return undefined
  }

  /** @returns {Promise<Container>} when one is free */
  async function take() {
    /** @type {Container} */
    const container = pick() ?? (alive < most ? make() : await new Promise(resolve => waiting.push(resolve)))
    container.uses++
    return container
  }

  return {
    /** @returns {Promise<Container>} ready to run */
    async start() {
      const container = await take()
      await clock.delay(startMs(container))
      return container
    },
    /** @param {Container} container @param {boolean} broken a new one takes its place */
    release(container, broken) {
      if (broken) alive--
      const next = waiting.shift()
      if (next) next(broken ? make() : container)
      else if (!broken) free.push(Object.assign(container, { freeSinceMs: clock.now() }))
    },
    /** How many are idle. */
    free: () => free.length,
  }
}

/** Bytes a millisecond. @param {number} id @param {import('./draws').Draw} draw @param {import('./model').Model} model */
function bandwidthOf(id, draw, { functionBytes, slow }) {
  const factor = draw(SLOW, id) < slow.containers ? between(slow, draw(SLOWER, id)) : 1
  return lognormal(functionBytes, draw, BANDWIDTH, id) / factor / 1000
}

/** @param {number} id @param {import('./draws').Draw} draw @param {import('./model').Model} model */
function coldStartMs(id, draw, { start }) {
  return lognormal(start.cold, draw, COLD, id)
}

module.exports = { createContainers, bandwidthOf, coldStartMs }
