'use strict'

/**
 * The scheduler runs all parts through the engine, with as many invocations at once as the limits allow, and retries them.
 * It is the one place that acts on an error's properties, such as `retryable`.
 *
 * A worker takes a batch of parts, asks the destination for parts that may already be there, signs the others, invokes the
 * function and reads the outcomes. A failed part goes back to the queue with the time of its retry, so no slot is held by
 * waiting. A straggler's parts may be in two flights at once: the first answer wins.
 * Parts belong to a group, which is an object or other work that succeeds or fails as a whole. The group says how its parts
 * are signed and checked. Groups share the queue, the limits and the flights. A group that fails does not affect the others.
 */

const { pool } = require('async-await-parallel')
const { XferError, asXferError, abortReason } = require('../errors')
const { systemClock } = require('../async')
const { createBatching, objectsPolicy, partsPolicy } = require('./batch')
const {
  beginWith,
  createMeter,
  createNetworkLimit,
  createPlatformLimit,
  createPressure,
  createQuota,
  refusingSide,
} = require('./limits')
const { byGroup, createGroup } = require('./groups')
const { createHedging } = require('./hedging')
const { bytesOf, isPending, itemOf, leave, startFlight } = require('./items')
const { signFlight } = require('./loading')
const { tried, workedMs } = require('./outcomes')
const { createQueue } = require('./queue')
const { createSetbacks } = require('./after-failure')
const { createSettling } = require('./settling')
const { createPace } = require('./stragglers')
const { createWitness } = require('./witness')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./groups').Group} Group */
/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('./loading').Signed} Signed */

/** Aborts a flight whose parts are all done. Never shown; one error for all, because a stack trace costs time. */
const ALREADY_DONE = new XferError('INTERRUPTED')

/** What a whole object costs beside its bytes, as bytes: so the limit of the network sees that objects are done, however small they are. */
const OBJECT_BYTES = 256 * 1024

/**
 * @param {object} how
 * @param {(tasks: import('../types').Task[], options: import('../types').RunOptions) => Promise<Outcome[]>} how.run one invocation
 * @param {import('../types').EngineLimits} how.limits
 * @param {number} how.concurrency invocations in flight, at most
 * @param {number} [how.startWith] the engine's: invocations in flight at first; absent: as many as the limits allow
 * @param {number} [how.workers] workers to start, enough for the parts and their hedged requests
 * @param {number} how.partBytes of the largest part
 * @param {number} [how.partsPerInvocation] if absent, more than one only if the quota slows the copy
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {import('./limits/pressure').Pressure} [how.pressure] of the stores, if other work uses them too
 * @param {AbortSignal} [how.cancel] soft: nothing more starts; what is in flight may complete
 * @param {AbortSignal} [how.abort] hard: what is in flight ends at once
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit for events that are not about a single part
 * @param {import('../types').Clock} [how.clock]
 * @param {() => number} [how.random]
 */
function createScheduler(how) {
  const { run, limits, concurrency, startWith, workers = concurrency, partBytes, partsPerInvocation } = how
  const { retries, cancel, abort, emit, clock = systemClock, random = Math.random } = how
  const { pressure = createPressure({ random }) } = how
  const { outages } = pressure
  /** The platform's time: its minutes are the ones that count. */
  const thereMs = () => clock.now() + limits.skewMs
  const limit = createPlatformLimit(concurrency)
  const { bytesPerSecond } = limits
  const quota = createQuota(limits.perMinute, random)
  const pace = createPace()
  const network =
    startWith === undefined
      ? undefined
      : createNetworkLimit({ start: beginWith({ startWith, partBytes }), most: concurrency })
  /** Invocations at once. */
  const slots = () => Math.min(limit.current(), pressure.current(), network?.current() ?? concurrency)
  /** The batch sizes, by lane. */
  const batchings = [partsPolicy({ partBytes, limits }), objectsPolicy({ limits })].map(policy =>
    createBatching({ asked: partsPerInvocation, limits, policy }),
  )
  const laneOf = (/** @type {Item} */ { group }) => group.how.lane ?? 0
  /** @type {ReturnType<typeof createQueue<Item>>} */
  const queue = createQueue(/** @type {Item[]} */ ([]), {
    limit: slots,
    laneOf,
    bytesOf: ({ part }) => part.bytes,
    room: (waiting, lane, bytes) => batchings[lane].room(situation(waiting, bytes)),
    gatherMs: lane => batchings[lane].gatherMs,
    batch: (waiting, lane, bytes) => batchings[lane].parts(situation(waiting, bytes)),
    quota: { waitMs: () => quota.waitMs(thereMs()), started: () => quota.started(thereMs()) },
    open: true,
    clock,
  })
  /** @param {number} waiting @param {number} bytes @returns {import('./batch').Situation} */
  function situation(waiting, bytes) {
    return {
      waiting,
      bytes,
      slots: slots(),
      free: slots() - queue.out(),
      perMinute: quota.perMinute(),
      startable: quota.left(thereMs()),
      msPerByte: pace.msPerByte(2),
    }
  }
  /** @type {Set<Flight>} */
  const flights = new Set()
  /** The groups that are not over. @type {Set<Group>} */
  const groups = new Set()
  const batchingOf = (/** @type {Item} */ item) => batchings[laneOf(item)]
  const settleItems = createSettling({ finish, look })
  const hedging = createHedging({ flights, queue, msPerByte: pace.msPerByte, settle: settleItems, fail, clock })
  const setbacks = createSetbacks({
    queue,
    limit,
    pressure,
    most: concurrency,
    quota,
    batchingOf,
    retries,
    fail,
    giveUp,
    emit,
    clock,
    thereMs,
    random,
  })
  /** @type {Promise<unknown> | undefined} */
  let working
  /** The failure that ended all groups. @type {Failure | undefined} */
  let failure
  /** Aborted when nothing more starts. */
  const closing = new AbortController()
  const witness = createWitness(outages, closing.signal)

  /** Settles the group's promise if it is over: all parts are done, or no more will be. @param {Group} group */
  function look(group) {
    if (!groups.has(group) || group.flying > 0 || group.asking > 0) return
    if (group.failure) group.reject(group.failure)
    else if (group.left === 0) group.resolve(group.items.map(({ done }) => /** @type {TaskSuccess} */ (done)))
    else if (cancel?.aborted) group.reject(abortReason(cancel))
    else return
    groups.delete(group)
  }

  /** Removes the group's parts from the queue, and aborts its flights. @param {Group} group @param {Failure} error */
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
    queue.close()
    for (const group of groups) failGroup(group, failure)
  }

  /** Fails the group of a part that will not be done. @param {Item} item @param {Failure} error */
  function giveUp(item, error) {
    failGroup(item.group, error)
  }

  /** @param {Item} item @param {TaskSuccess} outcome @param {number} elapsedMs */
  function finish(item, outcome, elapsedMs) {
    if (item.done || item.gone) return
    const { group, attempt } = item
    item.done = outcome
    outages?.progressed()
    queue.drop(item)
    group.how.done?.(outcome)
    const { partNumber, bytes, crc32 } = outcome
    group.how.emit({ type: 'part', partNumber, bytes, crc32, attempt, elapsedMs })
    for (const flight of item.flights) if (--flight.open === 0) flight.controller.abort(ALREADY_DONE)
    if (--group.left === 0) group.over?.abort(ALREADY_DONE)
  }

  /**
   * Handles the outcome of each part. Returns at once, so that the slot is free, unless a probe for an outage is needed.
   *
   * @param {Flight} flight
   * @param {Item[]} carried
   * @param {Outcome[]} outcomes
   * @returns {Promise<void> | undefined}
   */
  function handleOutcomes(flight, carried, outcomes) {
    const elapsedMs = clock.now() - flight.startedMs
    /** @type {{ [verdict: string]: Array<{ item: Item, error: Failure }> }} */
    const setback = { throttled: [], free: [], unstarted: [], failed: [] }
    /** @type {Item[]} */
    const copied = []
    for (const [i, item] of carried.entries()) {
      const outcome = outcomes[i]
      const { explain, check } = item.group.how
      const error =
        'error' in outcome ? explain(outcome.error, item.part) : item.done ? undefined : check?.(outcome, item.attempt)
      if (!error) {
        copied.push(item)
        finish(item, /** @type {TaskSuccess} */ (outcome), elapsedMs)
      } else if (error.throttled) setback.throttled.push({ item, error })
      else if (error.freeRetry) setback.free.push({ item, error })
      else if (error.code === 'NOT_STARTED') setback.unstarted.push({ item, error })
      else setback.failed.push({ item, error })
    }
    const sides = new Set(setback.throttled.map(({ error }) => refusingSide(error)))
    const refusing = [...sides].flatMap(side => side ?? [])
    setbacks.answered({ some: setback.throttled.length < carried.length, but: refusing })
    const batching = batchingOf(carried[0])
    const smooth = setback.throttled.length + setback.free.length + setback.failed.length === 0
    // Small objects take longer than their bytes do, so their times say nothing about parts.
    if (smooth && laneOf(carried[0]) === 0) pace.finished(bytesOf(copied), elapsedMs, carried.length)
    if (copied.length === carried.length) {
      batching.took({ elapsedMs, workedMs: workedMs(outcomes) ?? elapsedMs }, carried.length)
    }
    if (setback.unstarted.length > 0) batching.ranOut(copied.length)
    else if (copied.length === carried.length) batching.didAll(carried.length)
    setbacks.handBack(pendingOf(setback.free), 0)
    // A function that did some of its parts has only run out of time.
    if (copied.length > 0) setbacks.handBack(pendingOf(setback.unstarted), 0)
    else setback.failed.push(...setback.unstarted)
    for (const side of sides) {
      const refused = setback.throttled.filter(({ error }) => refusingSide(error) === side)
      const items = pendingOf(refused)
      if (items.length > 0) setbacks.throttled(items, refused[0].error, flight)
    }
    /** @param {Set<Failure>} excused */
    const failed = excused => {
      for (const { item, error } of setback.failed) {
        if (!excused.has(error)) outages?.failed(error)
        if (!isPending(item)) continue
        if (excused.has(error)) setbacks.excused([item], error)
        else setbacks.failed(item, error)
      }
    }
    const shared = setback.failed.flatMap(({ error }) => (witness.doubts(error) ? error : []))
    if (shared.length === 0) return void failed(new Set())
    return Promise.all(shared.map(error => witness.excuses(error, flight))).then(excused => {
      if (!failure) failed(new Set(shared.filter((_, i) => excused[i])))
    })
  }

  /** @param {Item[]} taken */
  async function runBatch(taken) {
    const flight = startFlight(taken, clock.now())
    const involved = [...byGroup(taken).keys()]
    for (const group of involved) group.flying++
    flights.add(flight)
    pressure.underWay(flights.size, concurrency)
    try {
      const unsettled = await settleItems(taken.filter(item => item.uncertain))
      for (const [group, error] of unsettled) {
        const waiting = taken.filter(item => item.group === group && isPending(item))
        leave(flight, waiting)
        if (waiting.length > 0) setbacks.unsettled(waiting, error, flight)
      }
      const carried = taken.filter(item => isPending(item) && !unsettled.has(item.group))
      if (failure || carried.length === 0) return
      const { value: signed, error: unsigned } = await tried(() =>
        signFlight(flight, carried, { batching: batchingOf(carried[0]), setbacks }),
      )
      if (failure || signed?.length === 0) return
      const sent = signed?.map(({ item }) => item) ?? carried
      const { value: outcomes, error = unsigned } = signed ? await tried(() => invoke(flight, signed)) : {}
      flights.delete(flight)
      leave(flight)
      if (failure) return
      if (!error) {
        const judging = handleOutcomes(flight, sent, /** @type {Outcome[]} */ (outcomes))
        if (judging) await judging
        return
      }
      const excused = witness.doubts(error) && (await witness.excuses(error, flight))
      const pending = sent.filter(isPending)
      if (failure || pending.length === 0) return
      if (excused) return setbacks.excused(pending, error)
      outages?.failed(error)
      setbacks.invocationFailed(pending, error, flight)
    } finally {
      flights.delete(flight)
      pressure.underWay(flights.size, concurrency)
      leave(flight)
      queue.release()
      for (const group of involved) {
        group.flying--
        look(group)
      }
    }
  }

  /** @param {Flight} flight @param {Signed[]} signed @returns {Promise<Outcome[]>} */
  async function invoke(flight, signed) {
    const { signal } = flight.controller
    const carried = signed.map(({ item }) => item)
    const tasks = signed.map(({ task }) => task)
    const batching = batchingOf(carried[0])
    flight.startedMs = clock.now()
    flight.totalBytes = bytesOf(carried)
    const how = { signal, parallel: batching.parallel(), ...(bytesPerSecond && { bytesPerSecond }) }
    if (!network) return witness.heard(tasks, await run(tasks, how), flight)
    const meter = createMeter(bytes => {
      network.answered({ nowMs: clock.now(), moved: bytes, inFlight: queue.out() })
      queue.look()
    })
    const outcomes = await run(tasks, { ...how, onBytes: meter.moved })
    meter.ended(outcomes, laneOf(carried[0]) === 1 ? OBJECT_BYTES : 0)
    return witness.heard(tasks, outcomes, flight)
  }

  async function worker() {
    const taken = await queue.take()
    if (taken !== undefined && !failure) {
      const running = runBatch(taken).catch(fail)
      // This may be the last batch, and a hedged one: no other worker would look for stragglers.
      hedging.look()
      await running
    }
    if (queue.open()) hedging.look()
    return queue.open()
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
  const unlisten = outages?.listen({ changed: queue.look, lost: fail })

  return {
    /**
     * @param {Part[]} parts each with a part number that no other part in flight has
     * @param {import('./groups').GroupHow} how
     * @returns {Promise<TaskSuccess[]>} one for each part, in the order of the parts
     * @throws {Failure} the first that ended the work, once nothing of it is in flight
     */
    async run(parts, how) {
      if (failure) throw failure
      if (parts.length === 0) return []
      const { group, over } = createGroup(how)
      group.items = parts.map(part => itemOf(part, group))
      group.left = parts.length
      groups.add(group)
      if (how.hedge) hedging.budget.add(parts)
      look(group)
      if (groups.has(group)) queue.add(group.items)
      working ??= pool(workers, worker).catch(fail)
      return await over
    },

    /** The failure that ended all work, if there was one. @returns {Failure | undefined} */
    failure: () => failure,

    /** Says that no more parts will come; resolves once all work is over. */
    async end() {
      queue.end()
      try {
        await working
        await hedging.stop()
      } finally {
        unlisten?.()
        abort?.removeEventListener('abort', interrupt)
        cancel?.removeEventListener('abort', drain)
      }
    },
  }
}

/** @param {Array<{ item: Item }>} verdicts */
function pendingOf(verdicts) {
  return verdicts.map(({ item }) => item).filter(isPending)
}

module.exports = { createScheduler }
