'use strict'

/**
 * The scheduler runs all parts through the engine, with as many invocations at once as the limits allow, and retries them.
 * Nothing else retries a part. (lib/async/repeat.js retries control calls.)
 *
 * A worker takes a batch of parts, asks the destination for parts that may already be there, signs the others, invokes the
 * function and reads the outcomes. A failed part goes back to the queue with the time of its retry, so no slot is held by
 * waiting. A straggler's parts may be in two flights at once: the first answer wins.
 * Parts belong to a group, which is an object or other work that succeeds or fails as a whole. The group says how its parts
 * are signed and checked. Groups share the queue, the limits and the flights. A group that fails does not affect the others.
 *
 * capacity.js has the limits and the queue, failure-handling.js what an answer means and what follows a failure.
 */

const { setMaxListeners } = require('node:events')
const { pool } = require('async-await-parallel')
const { XferError, abortReason, asXferError } = require('../errors')
const { onAbort, systemClock, untilAborted } = require('../async')
const { createCapacity } = require('./capacity')
const { byGroup, bytesOf, carriedBy, createGroup, isPending, leave, startFlight } = require('./queue')
const { createHedging, createWaiting } = require('./hedging')
const { createFailureHandling } = require('./failure-handling')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('./queue').Group} Group */
/** @typedef {import('./queue').Item} Item */
/** @typedef {import('./queue').Flight} Flight */

/** Aborts a flight whose parts are all done. Never shown; one error for all, because a stack trace costs time. */
const ALREADY_DONE = new XferError('INTERRUPTED')

const SIDES = /** @type {const} */ (['source', 'destination'])

/** What a whole object costs beside its bytes, as bytes: so the limit of the network sees that objects are done, however small they are. */
const OBJECT_BYTES = 256 * 1024

/**
 * @param {object} how
 * @param {(tasks: import('../types').Task[], options: import('../types').RunOptions) => Promise<Outcome[]>} how.run one invocation
 * @param {import('../types').EngineLimits} how.limits
 * @param {number} how.concurrency invocations in flight, at most
 * @param {number} [how.startWith] the engine's: invocations in flight at first; absent: as many as the limits allow
 * @param {() => number} [how.roundTripMs] to the farther store, as far as it is known; absent: near
 * @param {number} [how.workers] workers to start, enough for the parts and their hedged requests
 * @param {number} how.partBytes of the largest part
 * @param {number} [how.partsPerInvocation] if absent, more than one only if the quota slows the copy
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {import('./pressure').Pressure} how.pressure of the stores, which other work may use too
 * @param {AbortSignal} [how.cancel] soft: nothing more starts; what is in flight may complete
 * @param {AbortSignal} [how.abort] hard: what is in flight ends at once
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit for events that are not about a single part
 * @param {import('../types').Clock} [how.clock]
 * @param {() => number} [how.random]
 */
function createScheduler(how) {
  const { run, concurrency, workers = concurrency } = how
  const { pressure, cancel, abort, clock = systemClock, random = Math.random } = how
  const { outages } = pressure
  const capacity = createCapacity({ ...how, clock, random })
  const { queue, network } = capacity
  /** @type {Set<Flight>} */
  const flights = new Set()
  /** The groups that are not over. @type {Set<Group>} */
  const groups = new Set()
  /** Aborted when nothing more starts. */
  const closing = new AbortController()
  // Every flight that fails in an outage listens to it.
  setMaxListeners(0, closing.signal)
  const failureHandling = createFailureHandling({
    ...how,
    capacity,
    outages,
    closing: closing.signal,
    clock,
    random,
    finish,
    fail,
    failGroup,
  })
  /** The bytes of all parts so far. */
  const work = { bytes: 0 }
  const hedging = createHedging({ flights, work, capacity, settle, fail, clock })
  const waiting = createWaiting({ capacity, settle, fail, clock })
  /** @type {Promise<unknown> | undefined} */
  let working
  /** The failure that ended all groups. @type {XferError | undefined} */
  let failure

  /** Settles the group's promise if it is over: all parts are done, or no more will be. @param {Group} group */
  function look(group) {
    if (!groups.has(group) || group.flying > 0 || group.asking > 0) return
    if (group.failure) group.reject(group.failure)
    else if (group.left === 0) {
      const outcomes = []
      for (const { done } of group.items) outcomes.push(/** @type {TaskSuccess} */ (done))
      group.resolve(outcomes)
    } else if (cancel?.aborted) group.reject(abortReason(cancel))
    else return
    groups.delete(group)
  }

  /** Removes the group's parts from the queue, and aborts its flights. @param {Group} group @param {XferError} error */
  function failGroup(group, error) {
    if (group.failure || group.left === 0) return
    group.failure = error
    group.over?.abort(error)
    const pending = group.items.filter(item => !item.done)
    queue.remove(new Set(pending))
    for (const item of pending) {
      item.gone = true
      for (const flight of item.flights) if (--flight.open === 0) flight.controller.abort(error)
    }
    look(group)
  }

  /** Ends all work with this error. @param {unknown} error */
  function fail(error) {
    failure ??= asXferError(error)
    closing.abort(failure)
    hedging.stop()
    waiting.stop()
    queue.close()
    for (const group of groups) failGroup(group, failure)
  }

  /** @param {Item} item @param {TaskSuccess} outcome @param {number} elapsedMs */
  function finish(item, outcome, elapsedMs) {
    if (item.done || item.gone) return
    const { group, attempt } = item
    item.done = outcome
    outages.progressed()
    queue.drop(item)
    group.how.done?.(outcome)
    const { partNumber, bytes, sums } = outcome
    group.how.emit({ type: 'part', partNumber, bytes, sums, attempt, elapsedMs })
    for (const flight of item.flights) if (--flight.open === 0) flight.controller.abort(ALREADY_DONE)
    if (--group.left === 0) group.over?.abort(ALREADY_DONE)
  }

  /**
   * Asks the destination for these parts, and finishes those that it has.
   *
   * @param {Item[]} unsure
   * @param {Flight} [flight] that they are in: what cannot be asked for leaves it
   */
  async function settle(unsure, flight) {
    const asked = [...byGroup(unsure)].map(async ([group, items]) => {
      group.asking++
      const error = await settleGroup(group, items).finally(() => group.asking--)
      if (error && flight) failureHandling.notSent(byGroup(flight.items).get(group) ?? [], error, flight)
      look(group)
    })
    await Promise.all(asked)
  }

  /** @param {Group} group @param {Item[]} unsure @returns {Promise<XferError | undefined>} why the destination did not answer */
  async function settleGroup(group, unsure) {
    const { settle: ask, check } = group.how
    if (!ask || !group.settles) return undefined
    const parts = unsure.map(({ part }) => part)
    group.over ??= new AbortController()
    const { signal } = group.over
    // Every flight of it that asks listens to it.
    setMaxListeners(0, signal)
    /** @type {TaskSuccess[]} */
    let found = []
    try {
      found = await ask(parts, signal)
    } catch (cause) {
      const error = asXferError(cause)
      if (signal.aborted || error.retryable || error.code === 'UPLOAD_GONE') return error
      // Without permission to list the parts, copy them again: that does no harm.
      group.settles = false
    }
    if (signal.aborted) return undefined
    const byNumber = new Map(found.map(outcome => [outcome.partNumber, outcome]))
    for (const item of unsure) {
      const outcome = byNumber.get(item.part.partNumber)
      item.uncertain = false
      if (!outcome || item.done || check?.(outcome, item.attempt)) continue
      item.shown = item.flights.size === 1
      finish(item, outcome, 0)
    }
    return undefined
  }

  /**
   * Signs the tasks of a flight, shortly before it is sent. Items that cannot be signed leave the flight and are handled as
   * failed parts. Items that do not fit into the payload go back to the queue.
   *
   * @param {Flight} flight
   * @returns {Promise<import('../types').Task[]>} of those that are then in the flight
   * @throws {XferError} if the flight was aborted meanwhile
   */
  async function sign(flight) {
    for (const item of flight.items) if (!isPending(item)) item.flights.delete(flight)
    const items = carriedBy(flight)
    if (items.length === 0) return []
    const signing = []
    for (const { group, part } of items) signing.push(group.how.sign(part))
    // Credentials may have to be fetched anew first, from a service that does not answer.
    const results = await untilAborted(Promise.allSettled(signing), flight.controller.signal)
    /** @type {import('../types').Task[]} */
    const tasks = []
    /** @type {Item[]} */
    const signed = []
    for (const [i, result] of results.entries()) {
      if (result.status === 'rejected') failureHandling.notSent([items[i]], asXferError(result.reason), flight)
      else {
        tasks.push(result.value)
        signed.push(items[i])
      }
    }
    const room = capacity.batchingOf(items[0]).fitting(tasks)
    if (room === tasks.length) return tasks
    leave(flight, signed.slice(room))
    failureHandling.handBack(signed.slice(room))
    return tasks.slice(0, room)
  }

  /** @param {Item[]} taken */
  async function runBatch(taken) {
    const flight = startFlight(taken, clock.now())
    /** @type {Set<Group>} */
    const involved = new Set()
    /** @type {Item[]} */
    const unsure = []
    for (const item of taken) {
      involved.add(item.group)
      if (item.uncertain) unsure.push(item)
    }
    for (const group of involved) group.flying++
    flights.add(flight)
    pressure.underWay(flights.size, concurrency)
    try {
      if (unsure.length > 0) await settle(unsure, flight)
      const answer = failure ? [] : await send(flight).catch(asXferError)
      const sent = carriedBy(flight)
      flights.delete(flight)
      leave(flight)
      if (failure || sent.length === 0) return
      if (Array.isArray(answer)) await failureHandling.handleOutcomes(flight, sent, answer)
      else await failureHandling.invocationFailed(sent, answer, flight)
    } finally {
      flights.delete(flight)
      waiting.ended(flight)
      pressure.underWay(flights.size, concurrency)
      leave(flight)
      hedging.ended(taken)
      capacity.giveBack(flight)
      queue.release()
      for (const group of involved) {
        group.flying--
        look(group)
      }
    }
  }

  /**
   * Signs the tasks of a flight and invokes the function.
   *
   * @param {Flight} flight
   * @returns {Promise<Outcome[]>} of the items that are then in the flight
   */
  async function send(flight) {
    const tasks = await sign(flight)
    if (failure || tasks.length === 0) return []
    const carried = carriedBy(flight)
    flight.startedMs = clock.now()
    flight.totalBytes = bytesOf(carried)
    const how = {
      signal: flight.controller.signal,
      parallel: capacity.batchingOf(carried[0]).parallel(),
      ...capacity.paced(flight),
      onWaiting: () => waiting.waits(flight),
      isShown: () => carried.every(({ shown }) => shown),
    }
    const [{ group }] = carried
    const outcomes = network ? await metered(tasks, how, group.lane) : await (group.how.runAlone ?? run)(tasks, how)
    outages.answered('platform', flight.startedMs)
    // A task without a write shows nothing about one of the stores.
    for (const [i, outcome] of outcomes.entries()) {
      if ('error' in outcome || !(tasks[i].write || tasks[i].copy)) continue
      for (const side of SIDES) outages.answered(side, flight.startedMs)
      break
    }
    return outcomes
  }

  /**
   * Tells the limit of the network what is moved: of parts while they are, of small objects once they are there.
   *
   * @param {import('../types').Task[]} tasks
   * @param {import('../types').RunOptions} how
   * @param {0 | 1} lane
   */
  async function metered(tasks, how, lane) {
    /** Bytes so far. @type {Map<number, number>} by the part's number */
    const seen = new Map()
    /** @param {number} partNumber @param {number} bytes so far */
    function onBytes(partNumber, bytes) {
      const before = seen.get(partNumber) ?? 0
      seen.set(partNumber, bytes)
      // A part that starts again counts from zero.
      move(bytes < before ? bytes : bytes - before)
    }
    const outcomes = await run(tasks, lane === 1 ? how : { ...how, onBytes })
    let objectBytes = 0
    for (const outcome of outcomes) {
      if ('error' in outcome) continue
      if (lane === 1) objectBytes += outcome.bytes + OBJECT_BYTES
      else onBytes(outcome.partNumber, outcome.bytes)
    }
    if (lane === 1) move(objectBytes)
    return outcomes
  }

  /** @param {number} moved bytes since the last call */
  function move(moved) {
    network?.answered({ nowMs: clock.now(), moved, inFlight: queue.out() })
    queue.look()
  }

  async function worker() {
    const taken = await queue.take()
    if (taken !== undefined && !failure) {
      const running = runBatch(taken).catch(fail)
      // This may be the last batch, and a hedged one: no other worker would look for stragglers.
      hedging.look()
      await running
    }
    if (!queue.over()) hedging.look()
    return !queue.over()
  }

  function drain() {
    closing.abort(abortReason(/** @type {AbortSignal} */ (cancel)))
    hedging.stop()
    queue.close()
    for (const group of groups) look(group)
  }

  const interrupt = () => fail(abortReason(/** @type {AbortSignal} */ (abort)))
  if (abort?.aborted) interrupt()
  abort?.addEventListener('abort', interrupt, { once: true })
  if (cancel?.aborted) drain()
  cancel?.addEventListener('abort', drain, { once: true })
  const unlisten = outages.listen({ changed: queue.look, lost: fail })
  const unwatch = pressure.watch(capacity)

  /**
   * @param {Part[]} parts each with a number of its own among them
   * @param {import('./queue').GroupHow} how
   * @returns {Promise<TaskSuccess[]>} one for each part, in the order of the parts
   * @throws {XferError} the first that ended the work, once nothing of it is in flight
   */
  async function runGroup(parts, how) {
    const { signal } = how
    if (failure) throw failure
    if (parts.length === 0) return []
    for (const end of [cancel, signal]) if (end?.aborted) throw abortReason(end)
    const group = createGroup(how, parts)
    groups.add(group)
    for (const { bytes } of parts) work.bytes += bytes
    queue.add(group.items)
    working ??= pool(workers, worker).catch(fail)
    if (!signal) return await group.ended
    return await group.ended.finally(onAbort(signal, () => failGroup(group, asXferError(abortReason(signal)))))
  }

  return {
    run: runGroup,

    /** The failure that ended all work, if there was one. @returns {XferError | undefined} */
    failure: () => failure,

    /** Says that no more parts will come; resolves once all work is over. */
    async end() {
      queue.end()
      try {
        await working
        await hedging.stop()
      } finally {
        waiting.stop()
        unlisten()
        // A job may have thousands of schedulers one after the other: each object that is compared by reading has one.
        unwatch()
        abort?.removeEventListener('abort', interrupt)
        cancel?.removeEventListener('abort', drain)
      }
    },
  }
}

module.exports = { createScheduler }
