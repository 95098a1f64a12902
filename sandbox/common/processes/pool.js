'use strict'

/**
 * What runs calls of one kind: a process, or in simulations a substitute.
 *
 * @typedef {object} Container
 * @property {number | undefined} pid
 * @property {Promise<unknown>} started resolves when it can be used; rejects when it can't be started
 * @property {Promise<unknown>} exited resolves when it has ended and is cleaned up
 * @property {() => void} pause
 * @property {() => void} resume
 * @property {() => void} kill
 */

const { setTimeout: delay } = require('node:timers/promises')

/**
 * The pool calls `execute` with a started container, once, and again after `reschedule`. If no container could be started it
 * calls `fail`.
 *
 * @template {Container} C
 * @template K what containers are made of: an action, or a version of a function
 * @typedef {object} Job
 * @property {K} kind
 * @property {(container: C) => Promise<'keep' | 'destroy' | 'reschedule'>} execute
 * @property {() => void} fail
 */

/**
 * @template {Container} C
 * @typedef {object} Slot
 * @property {string} key
 * @property {string} name
 * @property {C} container
 * @property {'starting' | 'busy' | 'idle' | 'removing'} state
 * @property {boolean} gone
 * @property {boolean} paused
 * @property {NodeJS.Timeout} [pauseTimer]
 * @property {NodeJS.Timeout} [idleTimer]
 */

/**
 * The pool of containers. A container belongs to one key, and runs one call at a time. A warm one is reused. If all are
 * busy, calls queue in order; an idle container of another key is removed to make room.
 *
 * @template {Container} C
 * @template K
 * @param {object} options
 * @param {number} options.max containers at once
 * @param {number} options.pauseGraceMs after which an idle container is frozen
 * @param {number} options.idleMs after which an idle container is removed
 * @param {(kind: K) => C} options.create
 * @param {(kind: K) => string} options.keyOf calls of one key share containers
 * @param {(kind: K) => string} options.nameOf for people
 */
function createPool({ max, pauseGraceMs, idleMs, create, keyOf, nameOf }) {
  /** @type {Slot<C>[]} least recently used first */
  let slots = []
  /** @type {Job<C, K>[]} */
  const queue = []
  let closed = false

  function schedule() {
    while (queue.length > 0 && !closed) {
      const [job] = queue
      const key = keyOf(job.kind)
      const warm = slots.findLast(slot => slot.state === 'idle' && slot.key === key)
      if (!warm && slots.length >= max) return makeRoom()
      queue.shift()
      const slot = warm ?? open(job.kind, key)
      slot.state = warm ? 'busy' : 'starting'
      serve(slot, job)
    }
  }

  /** Removes one idle container at a time: its exit event schedules again. */
  function makeRoom() {
    if (slots.some(slot => slot.state === 'removing')) return
    const victim = slots.find(slot => slot.state === 'idle')
    if (victim) remove(victim)
  }

  /** @param {K} kind @param {string} key @returns {Slot<C>} */
  function open(kind, key) {
    /** @type {Slot<C>} */
    const slot = { key, name: nameOf(kind), container: create(kind), state: 'starting', gone: false, paused: false }
    slots.push(slot)
    slot.container.exited.then(() => {
      slot.gone = true
      stopTimers(slot)
      slots = slots.filter(other => other !== slot)
      schedule()
    })
    return slot
  }

  /** @param {Slot<C>} slot @param {Job<C, K>} job */
  async function serve(slot, job) {
    stopTimers(slot)
    slots = [...slots.filter(other => other !== slot), slot]
    try {
      await slot.container.started
    } catch {
      remove(slot)
      job.fail()
      return
    }
    slot.state = 'busy'
    if (slot.paused) {
      slot.container.resume()
      slot.paused = false
    }
    const verdict = await job.execute(slot.container)
    if (verdict === 'reschedule') queue.unshift(job)
    if (slot.gone || verdict !== 'keep') remove(slot)
    else rest(slot)
    schedule()
  }

  /** @param {Slot<C>} slot */
  function rest(slot) {
    slot.state = 'idle'
    slot.pauseTimer = setTimeout(() => {
      slot.container.pause()
      slot.paused = true
    }, pauseGraceMs).unref()
    slot.idleTimer = setTimeout(() => remove(slot), idleMs).unref()
  }

  /** @param {Slot<C>} slot */
  function stopTimers(slot) {
    clearTimeout(slot.pauseTimer)
    clearTimeout(slot.idleTimer)
  }

  /** @param {Slot<C>} slot */
  function remove(slot) {
    slot.state = 'removing'
    stopTimers(slot)
    slot.container.kill()
  }

  return {
    /** @param {Job<C, K>} job */
    submit(job) {
      if (closed) return
      queue.push(job)
      schedule()
    },
    /** All containers, including those that are being removed. */
    list: () =>
      slots.map(({ container: { pid }, name, paused, state }) => ({ pid, name, state: paused ? 'paused' : state })),
    /** Removes the idle containers of a key. @param {string} key */
    retire(key) {
      for (const slot of slots) if (slot.state === 'idle' && slot.key === key) remove(slot)
    },
    /** Ends every container, busy or not, and resolves when none is left. */
    async close() {
      closed = true
      // The callers of queued jobs must get an answer.
      for (const job of queue.splice(0)) job.fail()
      const ends = slots.map(slot => slot.container.exited)
      for (const slot of slots) remove(slot)
      await Promise.all(ends)
    },
  }
}

/**
 * Waits for the first of some promises, but not for ever. The timer keeps no process alive.
 *
 * @template T
 * @template L
 * @param {number} ms
 * @param {L} late what it resolves with when none was in time
 * @param {Promise<T>[]} promises
 * @returns {Promise<T | L>}
 */
async function within(ms, late, promises) {
  const stop = new AbortController()
  const timer = delay(ms, late, { signal: stop.signal, ref: false })
  timer.catch(() => {})
  try {
    return await Promise.race([...promises, timer])
  } finally {
    stop.abort()
  }
}

/**
 * Runs a call in a container, which is killed as the call's fault says: so long after the call was sent, or when it was answered.
 *
 * @template T
 * @param {{ kill(): void }} container
 * @param {{ death?: string, rerun?: boolean, killAfterMs?: number }} fault
 * @param {(onSent: () => void) => Promise<T>} run
 * @returns {Promise<{ killed: boolean, outcome: T }>}
 */
async function runWithDeath(container, { death, rerun, killAfterMs }, run) {
  let killed = false
  const kill = () => {
    killed = true
    container.kill()
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const outcome = await run(() => {
    if (killAfterMs !== undefined) timer = setTimeout(kill, killAfterMs)
  })
  clearTimeout(timer)
  if ((death || rerun) && killAfterMs === undefined) kill()
  return { killed, outcome }
}

module.exports = { createPool, runWithDeath, within }
