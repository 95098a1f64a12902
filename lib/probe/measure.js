'use strict'

/** Measures a place: how long requests take, and how fast they are by size and by how many there are at once. */

const { randomFillSync } = require('node:crypto')
const { asXferError, throwIfAborted } = require('../errors')
const { helps, isSettled, medianOf, rateOf, timesOf } = require('./numbers')

/** @typedef {import('./numbers').Curve} Curve */
/** @typedef {import('./numbers').Times} Times */
/** @typedef {import('./place').Probed} Probed */
/** @typedef {{ op: 'head' | 'get' | 'put', bytes: number, step: import('./numbers').ProbeStep }} Told a step that has ended */

/** The sizes of the text that this comes from (docs/experiments.md); from 5 MB on they are sizes of parts. */
const SIZES = [100_000, 3_600_000, 5_000_000, 10_000_000, 100_000_000]
const LEAST_PART = 5_000_000
/** Requests one by one, for the times. */
const ALONE = 40
/** Requests in a step that writes, for each at once: bytes are what a probe is given. */
const WRITES_EACH = 2
/** From functions, which are counted: calls one by one, and the sizes. */
const CALLS_ALONE = 10
const SIZES_CALLED = [100_000, 10_000_000, 100_000_000]
/** Objects that are smaller than a part: in a step of a tenth of a second what ends last is half of it. */
const SMALL_WRITES_EACH = 8
const LEAST_WRITES = 30
const FEW_BYTES = 1_000_000

/**
 * @param {Probed} place
 * @param {object} how
 * @param {number[]} how.sizes bytes, the smallest first
 * @param {number} how.mostLanes
 * @param {number} [how.eachBytes] the size of many objects: measured, however small
 * @param {boolean} how.called whether functions are called, as few as can be
 * @param {number} how.mostMs of a step
 * @param {(told: Told) => void} how.tell
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<{ times: Record<'head' | 'get' | 'put', Times>, gets: Curve[], puts: Curve[], calls?: import('../types').ProbeCalls }>} gets, puts: by size
 * @throws {import('../types').XferError} the store's errors
 */
async function measure(place, { sizes, eachBytes, mostLanes, mostMs, called, tell, signal }) {
  const memory = new Map(sizes.map(bytes => [bytes, randomMemory(bytes)]))
  const held = (/** @type {number} */ bytes) => /** @type {SharedArrayBuffer} */ (memory.get(bytes))
  const small = await place.write(held(sizes[0]))
  const large = await place.write(held(/** @type {number} */ (sizes.at(-1))))

  /** @param {'head' | 'get' | 'put'} op @param {number} bytes @param {Omit<Parameters<typeof runStep>[0], 'bytes' | 'mostMs' | 'signal'>} how */
  async function step(op, bytes, how) {
    const done = await runStep({ ...how, bytes, mostMs, signal })
    throwIfAborted(signal)
    tell({ op, bytes, step: done })
    return done
  }

  /** @param {'head' | 'get' | 'put'} op @param {ProbeRequest} request */
  async function alone(op, request) {
    // The first opens the connection, and says nothing of the others.
    await request(0)
    const mostRequests = called && op !== 'head' ? CALLS_ALONE : ALONE
    return (await step(op, op === 'head' ? 0 : sizes[0], { lanes: 1, mostRequests, request })).times
  }

  /**
   * @param {'get' | 'put'} op
   * @param {number} bytes
   * @param {ProbeRequest} request
   * @param {number} [mostBytes] that may be written
   * @returns {Promise<Curve>}
   */
  async function curve(op, bytes, request, mostBytes = Number.POSITIVE_INFINITY) {
    const until = place.leftBytes() - mostBytes
    /** @type {ProbeStep[]} */
    const steps = []
    for (let lanes = 1; lanes <= mostLanes; lanes *= 2) {
      const wanted =
        bytes < FEW_BYTES ? Math.max(LEAST_WRITES, SMALL_WRITES_EACH * lanes) : Math.max(6, WRITES_EACH * lanes)
      const roomFor = op === 'put' ? Math.floor((place.leftBytes() - until) / bytes) : wanted
      const mostRequests = op === 'put' || called ? Math.min(wanted, roomFor) : undefined
      if (mostRequests !== undefined && mostRequests < 2 * lanes) break
      steps.push(await step(op, bytes, { lanes, mostRequests, request }))
      if (!helps(steps) || steps[steps.length - 1].refused > 0) break
    }
    const last = steps.at(-1)
    // There was no room to try more, though that may help.
    const rising = last !== undefined && last.refused === 0 && helps(steps)
    return { bytes, steps, ...(rising && { rising }) }
  }

  const calls = called ? await callTimes(place.gets(small, small.bytes)) : undefined
  const times = {
    head: await alone('head', place.heads(small)),
    get: await alone('get', place.gets(small, small.bytes)),
    put: await alone('put', place.puts(held(small.bytes), small)),
  }
  const gets = []
  const puts = []
  const ofCurves = called
    ? sizes.filter(bytes => bytes > SIZES_CALLED[0] || bytes === eachBytes || sizes.length === 1)
    : sizes
  for (const [i, bytes] of ofCurves.entries()) {
    gets.push(await curve('get', bytes, place.gets(bytes === small.bytes ? small : large, bytes)))
    // What a size leaves, the larger ones may use.
    const put = await curve('put', bytes, place.puts(held(bytes), large), place.leftBytes() / (ofCurves.length - i))
    if (put.steps.length > 0) puts.push(put)
  }
  return { times, gets, puts, ...(calls && { calls }) }
}

/**
 * How much longer calls take than what their function does.
 *
 * @param {ProbeRequest} request
 * @returns {Promise<import('../types').ProbeCalls | undefined>} undefined: the platform refused nearly all
 */
async function callTimes(request) {
  /** @type {number[]} */
  const overheads = []
  for (let i = 0; i <= CALLS_ALONE; i++) {
    const fromMs = performance.now()
    const told = await request(0)
    if (told !== 'refused') overheads.push(performance.now() - fromMs - (told.ranMs ?? 0))
  }
  const [firstMs, ...others] = overheads
  return others.length > 0 ? { firstMs, warmMs: medianOf(others) } : undefined
}

/** @param {number} bytes */
function randomMemory(bytes) {
  const memory = new SharedArrayBuffer(bytes)
  const view = new Uint8Array(memory)
  // Repeated, because random bytes cost time; none of it can be compressed within a megabyte.
  const piece = randomFillSync(new Uint8Array(Math.min(bytes, 1024 ** 2)))
  for (let at = 0; at < bytes; at += piece.length) view.set(piece.subarray(0, Math.min(piece.length, bytes - at)), at)
  return memory
}

/** @param {number} bytes whether parts can be so large */
const isPart = bytes => bytes >= LEAST_PART

/** The parts among the sizes: what is smaller is an object of its own. @param {Curve[]} curves */
const ofParts = curves => curves.filter(({ bytes }) => isPart(bytes))

/** Runs requests of one kind and size, so many at once, until their rate has settled, or time or bytes are over. */

/** @typedef {import('./numbers').ProbeSample} ProbeSample */
/** @typedef {import('./numbers').ProbeStep} ProbeStep */
/** Resolves to the milliseconds until its first byte, and those that it ran in a function; `refused`: the store, or the platform, has too many. @typedef {(lane: number) => Promise<{ firstByteMs: number, ranMs?: number } | 'refused'>} ProbeRequest */

/** A rate is not believed earlier. */
const LEAST_MS = 400
/** Each lane ends at least so many requests. */
const LEAST_EACH = 2
/** After a refusal a lane waits. */
const REFUSED_MS = 250

/**
 * @param {object} how
 * @param {number} how.lanes
 * @param {number} how.bytes of each request
 * @param {ProbeRequest} how.request
 * @param {number} how.mostMs
 * @param {number} [how.mostRequests]
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<ProbeStep>}
 * @throws {import('../types').XferError} what a request failed with
 */
async function runStep({ lanes, bytes, request, mostMs, mostRequests = Number.POSITIVE_INFINITY, signal }) {
  /** @type {ProbeSample[]} */
  const samples = []
  /** @type {number[]} */
  const rates = []
  const startedMs = performance.now()
  let begun = 0
  let refused = 0
  let over = false
  let firstDoneMs = Number.POSITIVE_INFINITY

  /** @param {ProbeSample} sample */
  function ended(sample) {
    samples.push(sample)
    const elapsedMs = sample.toMs - startedMs
    if (samples.length >= LEAST_EACH * lanes) rates.push(rateOf(samples, startedMs, sample.toMs))
    over ||= elapsedMs > mostMs || (elapsedMs > LEAST_MS && isSettled(rates))
  }

  /** @param {number} lane */
  async function work(lane) {
    while (!over && begun < mostRequests && !signal?.aborted) {
      begun++
      const fromMs = performance.now()
      const told = await request(lane)
      const toMs = performance.now()
      if (told !== 'refused') ended({ lane, fromMs, toMs, bytes, firstByteMs: told.firstByteMs })
      else {
        refused++
        over ||= toMs - startedMs > mostMs
        await new Promise(resolve => setTimeout(resolve, REFUSED_MS))
      }
    }
    firstDoneMs = Math.min(firstDoneMs, performance.now() - startedMs)
  }

  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))
  const lastDoneMs = performance.now() - startedMs
  const bytesPerSecond = Math.round(rateOf(samples, startedMs, startedMs + firstDoneMs))
  return { lanes, requests: samples.length, refused, bytesPerSecond, times: timesOf(samples), firstDoneMs, lastDoneMs }
}

/** How response times grow with the number of users at once. */

/** @typedef {'put' | 'get' | 'head'} Op */

/**
 * Each user makes one request after the other, taking turns with the kinds of the mix.
 *
 * @param {Probed} place
 * @param {object} how
 * @param {number[]} how.users
 * @param {Op[]} how.mix
 * @param {number} how.requests of each kind, by all users together
 * @param {SharedArrayBuffer} how.held the object
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<import('../types').ProbeUsers[]>} a row for each number of users and kind
 * @throws {import('../types').XferError} the store's error, if no request of a kind succeeds
 */
async function measureUsers(place, { users, mix, requests, held, signal }) {
  const object = await place.write(held)
  const make = { put: place.puts(held, object), get: place.gets(object, object.bytes), head: place.heads(object) }
  // Opens a connection for each, which is not what is asked.
  await Promise.all(Array.from({ length: Math.max(...users) }, () => make.head(0)))
  const rows = []
  for (const count of users) {
    const found = mix.map(op => ({
      op,
      samples: /** @type {ProbeSample[]} */ ([]),
      errors: 0,
      last: /** @type {unknown} */ (undefined),
    }))
    const startedMs = performance.now()
    const before = process.cpuUsage()
    let begun = 0
    const user = async (/** @type {number} */ lane) => {
      while (begun < requests * mix.length) {
        throwIfAborted(signal)
        const one = found[begun++ % mix.length]
        const fromMs = performance.now()
        const told = await make[one.op](lane).catch(error => ({ error }))
        if (told === 'refused' || 'error' in told) {
          one.errors++
          if (told !== 'refused') one.last = told.error
        } else one.samples.push({ lane, fromMs, toMs: performance.now(), bytes: held.byteLength, ...told })
      }
    }
    await Promise.all(Array.from({ length: count }, (_, lane) => user(lane)))
    const { user: userUs, system: systemUs } = process.cpuUsage(before)
    const cpu = (userUs + systemUs) / 1000 / (performance.now() - startedMs)
    for (const { op, samples, errors, last } of found) {
      if (samples.length === 0 && last !== undefined) throw asXferError(last)
      rows.push({ users: count, op, bytes: held.byteLength, times: timesOf(samples), errors, cpu })
    }
  }
  return rows
}

module.exports = { SIZES, SIZES_CALLED, isPart, measure, measureUsers, ofParts, randomMemory }
