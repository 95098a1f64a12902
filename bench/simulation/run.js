'use strict'

/** Simulates one copy: the real plan and the real scheduler, on a virtual clock, against the model of a platform. */

const { READ, WRITE } = require('../../lib/stores/s3/answers')
const { XferError } = require('../../lib/errors')
const { explainAnswer } = require('../../lib/stores/s3/explain')
const { explainWith } = require('../../lib/schedule')
const { planObject } = require('../../lib/copy')
const { createOutages } = require('../../lib/schedule')
const { createPressure, runParts } = require('../../lib/schedule')
const { limitsOf, knownOf } = require('../../lib/stores/servers')
const { leastMs } = require('./bound')
const { createVirtualClock } = require('./clock')
const { createDraw, sequence } = require('./draws')
const { MODEL } = require('./model')
const { createPlatform } = require('./platform')

/** @typedef {import('../../lib/types').SchedulerEvent} SchedulerEvent */

/** The usual size of a part. */
const CHUNK_BYTES = 100 * 1024 ** 2
const SCHEDULER = 31
const STARTS = 32
const MINUTE_MS = 60_000
/** The last share of the bytes, whose time is told. */
const TAIL = 0.05

/** URLs as long as real ones, because they count for the platform's payload limit; their content is not used. */
const SIGNATURE = 'x'.repeat(220)

/**
 * @param {object} copy
 * @param {number} copy.bytes
 * @param {import('../../lib/types').EngineLimits} copy.limits
 * @param {boolean} copy.hedge
 * @param {number} copy.seed
 * @param {import('./model').Model} [copy.model]
 * @param {import('./store').Bears} [copy.bears] the limits of the destination; default none
 * @param {number} [copy.containers] at a time; default as many as may be in flight
 * @param {number} [copy.concurrency] the option `--concurrency`
 * @throws if the simulation hangs, or has a defect
 */
async function simulate({
  bytes,
  limits,
  hedge,
  seed,
  model = MODEL,
  bears,
  containers,
  concurrency: asked = Math.max(1000, limits.concurrent),
}) {
  const draw = createDraw(seed)
  const parts = partsOf(bytes)
  const clock = createVirtualClock(1_700_000_040_000 + Math.floor(draw(STARTS) * MINUTE_MS))
  const platform = createPlatform({ clock, draw, limits, model, bears, containers })
  const concurrency = Math.min(asked, limits.concurrent)
  const random = sequence(draw, SCHEDULER)
  /** @type {Record<SchedulerEvent['type'], number>} */
  const events = { part: 0, retry: 0, throttle: 0, hedge: 0 }
  let hedgedBytes = 0
  let copiedBytes = 0
  let tailFromMs = 0
  const side = (/** @type {string} */ name) => {
    const facts = { side: name, endpoint: name }
    return /** @type {any} */ ({
      facts,
      explain: (/** @type {any} */ answer) => explainAnswer(answer, /** @type {any} */ (facts)),
    })
  }

  const copied = clock.run(
    runParts(parts, {
      sign: async part => signed(part, bytes),
      run: platform.run,
      explain: explainWith({ source: side('source'), destination: side('destination') }),
      settle: platform.settle,
      limits,
      hedge,
      concurrency,
      retries: 3,
      emit(event) {
        events[event.type]++
        if (event.type === 'hedge') hedgedBytes += event.bytes
        if (event.type !== 'part') return
        if (copiedBytes < (1 - TAIL) * bytes) tailFromMs = clock.elapsedMs()
        copiedBytes += event.bytes
      },
      pressure: createPressure({ outages: createOutages({ timeoutMs: 0, emit() {}, clock }), random }),
      clock,
      random,
    }),
  )
  const failure = await copied.then(
    () => undefined,
    failure => {
      if (!(failure instanceof XferError)) throw failure
      return failure
    },
  )
  const { minutes, calls, store, queuedMs } = platform.counted()
  return {
    failure,
    timeMs: clock.elapsedMs(),
    tailMs: clock.elapsedMs() - tailFromMs,
    leastMs: leastMs({ parts, concurrency: Math.min(concurrency, containers ?? concurrency), limits, model, draw }),
    calls,
    queuedMs,
    refused: minutes.reduce((sum, { refused }) => sum + refused.rate + refused.concurrent, 0),
    events,
    hedgedBytes,
    store,
  }
}

/** More than an object holds is copied as a prefix, whose objects share the scheduler. */
const OBJECT_BYTES = 10e12

/** @param {number} bytes @returns {import('../../lib/types').Part[]} */
function partsOf(bytes) {
  /** @type {import('../../lib/types').Part[]} */
  const parts = []
  for (let from = 0; from < bytes; from += OBJECT_BYTES) {
    const one = { bytes: Math.min(OBJECT_BYTES, bytes - from), chunkBytes: CHUNK_BYTES }
    const plan = planObject({ ...one, limits: limitsOf(knownOf({ host: 's3.amazonaws.com' })), wholePut: false })
    for (const part of plan.parts) parts.push({ ...part, partNumber: parts.length + 1 })
  }
  return parts
}

/** @param {import('../../lib/types').Part} part @param {number} totalBytes @returns {Promise<import('../../lib/types').Task>} */
async function signed({ partNumber, bytes }, totalBytes) {
  const headers = {
    host: 'bucket.s3.eu-central-1.amazonaws.com',
    authorization: SIGNATURE,
    'x-amz-date': '20231114T221320Z',
  }
  const url = `https://bucket.s3.eu-central-1.amazonaws.com/key?partNumber=${partNumber}&uploadId=${SIGNATURE}`
  return {
    partNumber,
    bytes,
    read: { method: 'GET', url: url.slice(0, 60), headers, accepts: READ },
    write: { method: 'PUT', url, headers, accepts: WRITE },
    sums: ['crc32'],
    expect: { etag: '"d41d8cd98f00b204e9800998ecf8427e-1145"', totalBytes },
  }
}

module.exports = { simulate }
