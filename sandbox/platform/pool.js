'use strict'

const { setTimeout: delay } = require('node:timers/promises')

/** @import { Action, Container, ContainerFactory } from './types' */

/**
 * The pool calls `execute` with a started container, once, and again after `reschedule`. If no container could be started it
 * calls `fail`.
 *
 * @typedef {object} Job
 * @property {Action} action
 * @property {(container: Container) => Promise<'keep' | 'destroy' | 'reschedule'>} execute
 * @property {() => void} fail
 *
 * @typedef {object} Slot
 * @property {string} key
 * @property {Action} action
 * @property {Container} container
 * @property {'starting' | 'busy' | 'idle' | 'removing'} state
 * @property {boolean} gone
 * @property {boolean} paused
 * @property {NodeJS.Timeout} [pauseTimer]
 * @property {NodeJS.Timeout} [idleTimer]
 */

/** @param {Action} action */
const keyOf = action => `${action.package ?? ''}/${action.name}@${action.revision}`

/**
 * The pool of containers. A container belongs to one revision of one action and runs one activation at a time. A warm one is
 * reused. If all are busy, activations queue in order; an idle container of another action is removed to make room.
 * Upstream: core/invoker ContainerPool.scala, ContainerProxy.scala.
 *
 * @param {object} options
 * @param {number} options.max containers at once
 * @param {number} options.coldStartMs added to a container's own start
 * @param {number} options.pauseGraceMs after which an idle container is frozen
 * @param {number} options.idleMs after which an idle container is removed
 * @param {ContainerFactory} options.create
 * @param {(event: 'container-start' | 'container-exit', slot: { pid: number | undefined, action: string }) => void} options.notify
 */
function createPool({ max, coldStartMs, pauseGraceMs, idleMs, create, notify }) {
  /** @type {Slot[]} least recently used first */
  let slots = []
  /** @type {Job[]} */
  const queue = []
  let closed = false

  /** @param {Slot} slot */
  const describe = slot => ({
    pid: slot.container.pid,
    action: slot.action.package ? `${slot.action.package}/${slot.action.name}` : slot.action.name,
  })

  function schedule() {
    while (queue.length > 0 && !closed) {
      const [job] = queue
      const key = keyOf(job.action)
      const warm = slots.findLast(slot => slot.state === 'idle' && slot.key === key)
      if (!warm && slots.length >= max) return makeRoom()
      queue.shift()
      const slot = warm ?? open(job.action, key)
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

  /** @param {Action} action @param {string} key @returns {Slot} */
  function open(action, key) {
    /** @type {Slot} */
    const slot = { key, action, container: create(action), state: 'starting', gone: false, paused: false }
    slots.push(slot)
    notify('container-start', describe(slot))
    slot.container.exited.then(() => {
      slot.gone = true
      stopTimers(slot)
      slots = slots.filter(other => other !== slot)
      notify('container-exit', describe(slot))
      schedule()
    })
    return slot
  }

  /** @param {Slot} slot @param {Job} job */
  async function serve(slot, job) {
    stopTimers(slot)
    slots = [...slots.filter(other => other !== slot), slot]
    try {
      await slot.container.started
      if (coldStartMs > 0 && slot.state === 'starting') await delay(coldStartMs)
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

  /** @param {Slot} slot */
  function rest(slot) {
    slot.state = 'idle'
    slot.pauseTimer = setTimeout(() => {
      slot.container.pause()
      slot.paused = true
    }, pauseGraceMs).unref()
    slot.idleTimer = setTimeout(() => remove(slot), idleMs).unref()
  }

  /** @param {Slot} slot */
  function stopTimers(slot) {
    clearTimeout(slot.pauseTimer)
    clearTimeout(slot.idleTimer)
  }

  /** @param {Slot} slot */
  function remove(slot) {
    slot.state = 'removing'
    stopTimers(slot)
    slot.container.kill()
  }

  return {
    /** @param {Job} job */
    submit(job) {
      if (closed) return
      queue.push(job)
      schedule()
    },
    /** All containers, including those that are being removed. */
    list: () => slots.map(slot => ({ ...describe(slot), state: slot.paused ? 'paused' : slot.state })),
    get queued() {
      return queue.length
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

module.exports = { createPool }
