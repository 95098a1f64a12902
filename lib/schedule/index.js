'use strict'

/**
 * The scheduler: every part through the engine, so many invocations at once as the limits allow, each part again until it
 * is done or has failed too often. The one place that acts on what an error says of itself.
 *
 * A worker takes a batch of parts and flies it: settles what may have been copied already, signs, invokes, and reads the
 * outcomes. A part that failed goes back to the queue with a time before which it must not start, so a slot is never
 * held by waiting. A part may be in two flights at once, when the first is far behind: the first answer wins.
 */

const { pool } = require('async-await-parallel')
const { asXferError, abortReason } = require('../errors')
const { systemClock } = require('../system-clock')
const { untilAborted } = require('../until-aborted')
const { createBatching } = require('./batch')
const { beginWith, createClimb, createMeter } = require('./climb')
const { createHedging } = require('./hedging')
const { bytesOf, itemOf, leave, takeOff } = require('./items')
const { createLimit } = require('./limit')
const { createPressure, refusingSide } = require('./pressure')
const { createQueue } = require('./queue')
const { createQuota } = require('./quota')
const { createSetbacks } = require('./setbacks')
const { createPace } = require('./stragglers')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').Clock} Clock */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */

/**
 * @param {Part[]} parts
 * @param {object} how
 * @param {(part: Part) => Promise<Task>} how.sign called once an attempt, so that no retry carries a stale signature
 * @param {(tasks: Task[], options: import('../types').RunOptions) => Promise<Outcome[]>} how.run one invocation
 * @param {(error: import('../types').TaskError, part: Part) => Failure} how.explain
 * @param {(outcome: TaskSuccess, attempt: number) => Failure | undefined} [how.check] of a part that was written:
 *   whether it counts
 * @param {(parts: Part[], signal: AbortSignal) => Promise<TaskSuccess[]>} [how.settle] which of them the destination has, of parts that an
 *   invocation of which nothing is known may have copied
 * @param {import('../types').EngineLimits} how.limits
 * @param {number} how.concurrency invocations in flight, at most
 * @param {number} [how.partsPerInvocation] as many as the quota makes better when absent
 * @param {boolean} [how.hedge] whether a part that is far behind may be started a second time
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {(outcome: TaskSuccess) => void} [how.done] told of each part once it is done, before its event
 * @param {import('./pressure').Pressure} [how.pressure] of the stores, where others ask them too
 * @param {AbortSignal} [how.stop] nothing more starts; what is in flight may come home
 * @param {AbortSignal} [how.signal] what is in flight ends too
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit
 * @param {Clock} [how.clock]
 * @param {() => number} [how.random]
 * @returns {Promise<TaskSuccess[]>} one a part, in the parts' order
 * @throws {XferError} the first failure that ended the work, once nothing is in flight any more
 */
async function runParts(parts, how) {
  const { sign, run, explain, check, settle, limits, concurrency, partsPerInvocation, hedge = false } = how
  const { retries, done, stop, signal, emit, clock = systemClock, random = Math.random } = how
  const { pressure = createPressure({ random }) } = how
  if (parts.length === 0) return []
  /** The platform's time: its minutes are the ones that count. */
  const thereMs = () => clock.now() + limits.skewMs
  const limit = createLimit(concurrency)
  const { startWith, bytesPerSecond } = limits
  const quota = createQuota(limits.perMinute, random)
  const pace = createPace()
  const partBytes = parts.reduce((most, part) => Math.max(most, part.bytes), 0)
  const climb =
    startWith === undefined ? undefined : createClimb({ start: beginWith({ startWith, partBytes }), most: concurrency })
  /** Invocations at once. */
  const slots = () => Math.min(limit.current(), pressure.current(), climb?.current() ?? concurrency)
  const batching = createBatching({ asked: partsPerInvocation, partBytes, limits })
  const items = parts.map(itemOf)
  /** @type {ReturnType<typeof createQueue<Item>>} */
  const queue = createQueue(items, {
    limit: slots,
    batch: waiting =>
      batching.parts({
        waiting,
        slots: slots(),
        free: slots() - queue.out(),
        perMinute: quota.perMinute(),
        startable: quota.left(thereMs()),
        msPerByte: pace.msPerByte(2),
      }),
    quota: { waitMs: () => quota.waitMs(thereMs()), spend: () => quota.spend(thereMs()) },
    clock,
  })
  /** @type {Set<Flight>} */
  const flights = new Set()
  const hedging = createHedging({
    flights,
    queue,
    msPerByte: pace.msPerByte,
    settle: settleItems,
    fail,
    parts,
    emit,
    clock,
  })
  const setbacks = createSetbacks({
    ...{ queue, limit, pressure, most: concurrency, quota, batching, retries, fail, emit, clock, thereMs, random },
  })
  /** Ends what is asked of the destination when there is nothing more to settle. */
  const over = new AbortController()
  let settles = true
  let left = items.length
  /** @type {Failure | undefined} */
  let failure

  /** Nothing more starts, and what is in flight is of no interest any more. */
  function end() {
    over.abort(failure)
    hedging.stop()
    queue.close()
    for (const flight of flights) flight.controller.abort(failure)
  }

  /** @param {unknown} error */
  function fail(error) {
    failure ??= asXferError(error)
    end()
  }

  /** @param {Item} item @param {TaskSuccess} outcome @param {number} elapsedMs */
  function finish(item, outcome, elapsedMs) {
    if (item.done) return
    item.done = outcome
    queue.drop(item)
    done?.(outcome)
    const { partNumber, bytes, crc32 } = outcome
    emit({ type: 'part', partNumber, bytes, crc32, attempt: item.attempt, elapsedMs })
    for (const flight of item.flights) if (--flight.open === 0) flight.controller.abort()
    if (--left === 0) end()
  }

  /** What the destination has already, of parts of which nobody knows. @param {Item[]} unsure @returns {Promise<Failure | undefined>} */
  async function settleItems(unsure) {
    if (!settle || !settles || unsure.length === 0) return undefined
    const { value: found = [], error } = await tried(() =>
      settle(
        unsure.map(({ part }) => part),
        over.signal,
      ),
    )
    if (over.signal.aborted || error?.retryable || error?.code === 'UPLOAD_GONE') return error
    // Who may not list has to copy once more: it does no harm.
    if (error) settles = false
    const byNumber = new Map(found.map(outcome => [outcome.partNumber, outcome]))
    for (const item of unsure) {
      const outcome = byNumber.get(item.part.partNumber)
      item.uncertain = false
      if (outcome && !item.done && !check?.(outcome, item.attempt)) finish(item, outcome, 0)
    }
    return undefined
  }

  /** What came of each part. @param {Flight} flight @param {Item[]} carried @param {Outcome[]} outcomes */
  function landed(flight, carried, outcomes) {
    const elapsedMs = clock.now() - flight.startedMs
    /** @type {{ [verdict: string]: Array<{ item: Item, error: Failure }> }} */
    const setback = { throttled: [], renewed: [], unstarted: [], failed: [] }
    /** @type {Item[]} */
    const copied = []
    for (const [i, item] of carried.entries()) {
      const outcome = outcomes[i]
      const error =
        'error' in outcome ? explain(outcome.error, item.part) : item.done ? undefined : check?.(outcome, item.attempt)
      if (!error) {
        copied.push(item)
        finish(item, /** @type {TaskSuccess} */ (outcome), elapsedMs)
      } else if (error.throttled) setback.throttled.push({ item, error })
      else if (error.renewed) setback.renewed.push({ item, error })
      else if (error.code === 'NOT_STARTED') setback.unstarted.push({ item, error })
      else setback.failed.push({ item, error })
    }
    const sides = new Set(setback.throttled.map(({ error }) => refusingSide(error)))
    const refusing = [...sides].flatMap(side => side ?? [])
    setbacks.answered({ some: setback.throttled.length < carried.length, but: refusing })
    if (setback.throttled.length + setback.renewed.length + setback.failed.length === 0)
      pace.finished(bytesOf(copied), elapsedMs, carried.length)
    if (setback.unstarted.length > 0) batching.ranOut(copied.length)
    else if (copied.length === carried.length) batching.didAll(carried.length)
    setbacks.handBack(pendingOf(setback.renewed), 0)
    // A function that got something done has only run out of time.
    if (copied.length > 0) setbacks.handBack(pendingOf(setback.unstarted), 0)
    else setback.failed.push(...setback.unstarted)
    for (const { item, error } of setback.failed) if (!item.done) setbacks.failed(item, error)
    for (const side of sides) {
      const refused = setback.throttled.filter(({ error }) => refusingSide(error) === side)
      const items = pendingOf(refused)
      if (items.length > 0) setbacks.throttled(items, refused[0].error, flight)
    }
  }

  /** @param {Item[]} taken */
  async function fly(taken) {
    const flight = takeOff(taken, clock.now())
    const pending = () => taken.filter(item => !item.done)
    flights.add(flight)
    pressure.underWay(flights.size, concurrency)
    try {
      const unsettled = await settleItems(taken.filter(item => item.uncertain))
      const carried = pending()
      if (failure || carried.length === 0) return
      const { value: outcomes, error } = unsettled ? { error: unsettled } : await tried(() => invoke(flight, carried))
      flights.delete(flight)
      leave(flight)
      if (failure) return
      if (!error) landed(flight, carried, /** @type {Outcome[]} */ (outcomes))
      else if (pending().length > 0) setbacks.lost(pending(), error, flight)
    } finally {
      flights.delete(flight)
      pressure.underWay(flights.size, concurrency)
      leave(flight)
      queue.release()
    }
  }

  /** @param {Flight} flight @param {Item[]} carried @returns {Promise<Outcome[]>} */
  async function invoke(flight, carried) {
    // Credentials may have to be had anew first, from somebody who does not answer.
    const { signal } = flight.controller
    const tasks = await untilAborted(Promise.all(carried.map(({ part }) => sign(part))), signal)
    batching.saw(tasks[0])
    flight.startedMs = clock.now()
    flight.totalBytes = bytesOf(carried)
    const how = { signal, parallel: batching.parallel(), ...(bytesPerSecond && { bytesPerSecond }) }
    if (!climb) return await run(tasks, how)
    const meter = createMeter(bytes => {
      climb.saw(clock.now(), bytes, queue.out())
      queue.look()
    })
    const outcomes = await run(tasks, { ...how, onBytes: meter.moved })
    meter.ended(outcomes)
    return outcomes
  }

  async function worker() {
    const taken = await queue.take()
    if (taken !== undefined && !failure) {
      const flown = fly(taken).catch(fail)
      // It may be a second start, and the last: nobody else would look after it.
      if (hedge) hedging.look()
      await flown
    }
    if (hedge && queue.open()) hedging.look()
    return queue.open()
  }

  function drain() {
    hedging.stop()
    queue.close()
  }

  const interrupt = () => fail(abortReason(/** @type {AbortSignal} */ (signal)))
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  if (stop?.aborted) drain()
  stop?.addEventListener('abort', drain, { once: true })
  try {
    // Twins fly beside what they are to replace.
    await pool(Math.min(concurrency, 2 * parts.length), worker)
    await hedging.stop()
  } finally {
    signal?.removeEventListener('abort', interrupt)
    stop?.removeEventListener('abort', drain)
  }
  if (failure) throw failure
  if (left > 0) throw abortReason(/** @type {AbortSignal} */ (stop))
  return items.map(({ done }) => /** @type {TaskSuccess} */ (done))
}

/** @param {Array<{ item: Item }>} verdicts */
function pendingOf(verdicts) {
  return verdicts.map(({ item }) => item).filter(item => !item.done)
}

/**
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<{ value?: T, error?: Failure }>}
 */
async function tried(action) {
  try {
    return { value: await action() }
  } catch (error) {
    return { error: asXferError(error) }
  }
}

module.exports = { runParts }
