'use strict'

/** Runs requests of one kind and size, so many at once, until their rate has settled, or time or bytes are over. */

const { isSettled, rateOf, timesOf } = require('./numbers')

/** @typedef {import('./numbers').Sample} Sample */
/** @typedef {import('./numbers').Step} Step */
/** Resolves to the milliseconds until its first byte, and those that it ran in a function; `refused`: the store, or the platform, has too many. @typedef {(lane: number) => Promise<{ firstByteMs: number, ranMs?: number } | 'refused'>} Request */

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
 * @param {Request} how.request
 * @param {number} how.mostMs
 * @param {number} [how.mostRequests]
 * @param {AbortSignal} [how.signal]
 * @returns {Promise<Step>}
 * @throws {import('../types').XferError} what a request failed with
 */
async function runStep({ lanes, bytes, request, mostMs, mostRequests = Number.POSITIVE_INFINITY, signal }) {
  /** @type {Sample[]} */
  const samples = []
  /** @type {number[]} */
  const rates = []
  const startedMs = performance.now()
  let begun = 0
  let refused = 0
  let over = false
  let firstDoneMs = Number.POSITIVE_INFINITY

  /** @param {Sample} sample */
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

module.exports = { runStep }
