'use strict'

/**
 * The simulation's model, with all its numbers. Times of containers, network round trips and freezing were measured on a
 * running OpenWhisk, limits are as published, bandwidths and failures are assumptions.
 */

/** @typedef {import('../../lib/types').EngineLimits} EngineLimits */

/**
 * @typedef {object} Model
 * @property {number} roundTripMs between the client and the platform
 * @property {{ cold: { mean: number, spread: number }, warm: { mean: number, spread: number }, frozenMs: number, freezeAfterMs: number, removeAfterMs: number }} start of
 *   an activation: in a new container, in a warm one, in one that was frozen
 * @property {{ least: number, most: number }} releaseMs how long after its answer an activation still counts as in flight, and
 *   its container as busy
 * @property {{ mean: number, spread: number }} functionBytes steady bandwidth of a container, bytes per second
 * @property {{ bytes: number, times: number }} burst what a container may move faster than that before it is slowed, and how many times as fast
 * @property {{ mean: number, spread: number }} connectionBytes bandwidth of one connection, bytes per second
 * @property {{ mean: number, spread: number }} requestMs time of each part until its bytes flow
 * @property {number} storeBytes bandwidth of the stores for all functions together, bytes per second
 * @property {{ containers: number, connections: number, least: number, most: number }} slow the shares of containers (for
 *   their life) and of connections that are slower, by a factor between least and most
 * @property {{ exited: number, hung: number, lost: number, storeError: number, storeBusy: number }} failures the share of
 *   activations that exit half-way, that hang until their time is up, whose answer is lost; of parts refused with 500, with 503
 * @property {{ exitedMs: number, lostMs: number }} noticed exitedMs: how long after an exit the platform reports it;
 *   lostMs: within which time a connection breaks
 * @property {{ firstMs: number, growth: number, mostMs: number }} poll for the result of an activation that was answered without it
 */

/** @type {Model} */
const MODEL = {
  roundTripMs: 30,
  start: {
    cold: { mean: 600, spread: 0.4 },
    warm: { mean: 40, spread: 0.3 },
    frozenMs: 60,
    freezeAfterMs: 10_000,
    removeAfterMs: 600_000,
  },
  releaseMs: { least: 10, most: 100 },
  functionBytes: { mean: 50e6, spread: 0.2 },
  burst: { bytes: 500e6, times: 1.5 },
  connectionBytes: { mean: 30e6, spread: 0.2 },
  requestMs: { mean: 150, spread: 0.5 },
  storeBytes: Number.POSITIVE_INFINITY,
  slow: { containers: 0.01, connections: 0.01, least: 5, most: 20 },
  failures: { exited: 0.001, hung: 0, lost: 0.001, storeError: 0.001, storeBusy: 0.001 },
  noticed: { exitedMs: 2_000, lostMs: 10_000 },
  poll: { firstMs: 500, growth: 1.5, mostMs: 5_000 },
}

/** @param {Partial<EngineLimits>} published @returns {EngineLimits} */
const limits = published => ({
  concurrent: 1000,
  perMinute: Number.POSITIVE_INFINITY,
  timeoutMs: 300_000,
  answerMs: 60_000,
  memoryBytes: 256 * 1024 ** 2,
  payloadBytes: 1024 ** 2,
  skewMs: 0,
  ...published,
})

/**
 * AWS Lambda answers an invocation when it has ended, and counts none a minute. It starts 1,000 environments of a function in
 * 10 s. https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html
 *
 * @param {number} concurrent
 */
const lambda = concurrent =>
  limits({
    ramp: { atOnce: 1_000, perSecond: 100 },
    concurrent,
    timeoutMs: 900_000,
    answerMs: Number.POSITIVE_INFINITY,
    memoryBytes: 1_769 * 1024 ** 2,
    payloadBytes: 6 * 1024 ** 2,
  })

/**
 * The timeout is that of the manifest, upstream's maximum; DigitalOcean allows a quarter of an hour. The last two are AWS
 * Lambda: the usual account, and one whose limit was raised.
 *
 * @type {Record<string, EngineLimits>}
 */
const PROFILES = {
  upstream: limits({ perMinute: 60, concurrent: 30 }),
  adobe: limits({ perMinute: 6_000, concurrent: 100, timeoutMs: 10_800_000 }),
  digitalocean: limits({ perMinute: 600, concurrent: 120, timeoutMs: 900_000 }),
  'openserverless-8': limits({ perMinute: 999, concurrent: 250, timeoutMs: 600_000 }),
  'openserverless-24': limits({ perMinute: 999, concurrent: 250, timeoutMs: 600_000 }),
  unthrottled: limits({}),
  'lambda-1000': lambda(1_000),
  'lambda-5000': lambda(5_000),
}

/**
 * The containers of a platform whose pool is smaller than its quota: others wait. Apache OpenServerless has 2,048 MB for
 * containers of 256 MB, and more where it is given more.
 *
 * @type {Record<string, number>}
 */
const POOLS = { 'openserverless-8': 8, 'openserverless-24': 24 }

module.exports = { MODEL, POOLS, PROFILES }
