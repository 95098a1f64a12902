'use strict'

/** Measures a place: how long requests take, and how fast they are by size and by how many there are at once. */

const { randomFillSync } = require('node:crypto')
const { throwIfAborted } = require('../errors')
const { helps } = require('./numbers')
const { runStep } = require('./steps')

/** @typedef {import('./numbers').Curve} Curve */
/** @typedef {import('./numbers').Times} Times */
/** @typedef {import('./place').Probed} Probed */
/** @typedef {{ op: 'head' | 'get' | 'put', bytes: number, step: import('./numbers').Step }} Told a step that has ended */

/** The sizes of the text that this comes from (docs/experiments.md); from 5 MB on they are sizes of parts. */
const SIZES = [100_000, 3_600_000, 5_000_000, 10_000_000, 100_000_000]
const LEAST_PART = 5_000_000
/** Requests one by one, for the times. */
const ALONE = 40
/** Requests in a step that writes, for each at once: bytes are what a probe is given. */
const WRITES_EACH = 2
/** A step of objects that are smaller than a part makes more. */
const LEAST_WRITES = 30
const FEW_BYTES = 1_000_000

/**
 * @param {Probed} place
 * @param {object} how
 * @param {number[]} how.sizes bytes, the smallest first
 * @param {number} how.mostLanes
 * @param {number} how.mostMs of a step
 * @param {(told: Told) => void} how.tell
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<{ times: Record<'head' | 'get' | 'put', Times>, gets: Curve[], puts: Curve[] }>} gets, puts: by size
 * @throws {import('../types').XferError} the store's errors
 */
async function measure(place, { sizes, mostLanes, mostMs, tell, signal }) {
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

  /** @param {'head' | 'get' | 'put'} op @param {import('./steps').Request} request */
  async function alone(op, request) {
    // The first opens the connection, and says nothing of the others.
    await request(0)
    return (await step(op, op === 'head' ? 0 : sizes[0], { lanes: 1, mostRequests: ALONE, request })).times
  }

  /**
   * @param {'get' | 'put'} op
   * @param {number} bytes
   * @param {import('./steps').Request} request
   * @param {number} [mostBytes] that may be written
   * @returns {Promise<Curve>}
   */
  async function curve(op, bytes, request, mostBytes = Number.POSITIVE_INFINITY) {
    const until = place.leftBytes() - mostBytes
    /** @type {import('./numbers').Step[]} */
    const steps = []
    for (let lanes = 1; lanes <= mostLanes; lanes *= 2) {
      const wanted = Math.max(bytes < FEW_BYTES ? LEAST_WRITES : 6, WRITES_EACH * lanes)
      const mostRequests = op === 'put' ? Math.min(wanted, Math.floor((place.leftBytes() - until) / bytes)) : undefined
      if (mostRequests !== undefined && mostRequests < 2 * lanes) break
      steps.push(await step(op, bytes, { lanes, mostRequests, request }))
      if (!helps(steps) || steps[steps.length - 1].refused > 0) break
    }
    const last = steps.at(-1)
    // There was no room to try more, though that may help.
    const rising = last !== undefined && last.refused === 0 && helps(steps)
    return { bytes, steps, ...(rising && { rising }) }
  }

  const times = {
    head: await alone('head', place.heads(small)),
    get: await alone('get', place.gets(small, small.bytes)),
    put: await alone('put', place.puts(held(small.bytes))),
  }
  const gets = []
  const puts = []
  for (const [i, bytes] of sizes.entries()) {
    gets.push(await curve('get', bytes, place.gets(bytes === small.bytes ? small : large, bytes)))
    // What a size leaves, the larger ones may use.
    const put = await curve('put', bytes, place.puts(held(bytes)), place.leftBytes() / (sizes.length - i))
    if (put.steps.length > 0) puts.push(put)
  }
  return { times, gets, puts }
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

/** The parts among the sizes. @param {Curve[]} curves */
function ofParts(curves) {
  const parts = curves.filter(({ bytes }) => bytes >= LEAST_PART)
  return parts.length > 0 ? parts : curves
}

module.exports = { SIZES, measure, ofParts }
