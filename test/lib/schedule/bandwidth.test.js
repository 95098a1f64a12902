'use strict'

/** Functions that share a bandwidth, on a clock of the test's: each takes its bytes at its rate. */

const { EventEmitter, once } = require('node:events')
const { createScheduler } = require('../../../lib/schedule')
const { trackDetached } = require('../../../lib/transfer')
const { NO_LIMITS, createRig, explain, failure } = require('./rig')

const MiB = 1024 ** 2
const BYTES = 10 * MiB
const RATE = 40 * MiB

/** @param {object} how @param {number} announced invocations at once, as the copy announces them */
const rigOf = (how, announced) =>
  createRig({
    bytes: BYTES,
    concurrency: announced,
    takesMs: (_part, _nth, bytesPerSecond) => (1000 * BYTES) / bytesPerSecond,
    hedge: false,
    ...how,
    limits: { bandwidth: RATE, bytesPerSecond: Math.floor(RATE / announced), ...how.limits },
  })

const FAILURE = failure('STORE_ERROR')

/** How many times as long as at the full rate. */
const slowness = (rig, parts) => rig.clock.elapsedMs() / ((1000 * parts * BYTES) / RATE)

test('as many as were announced get an even share each', async () => {
  const rig = rigOf({ parts: 40 }, 8)
  await rig.go()
  expect(new Set(rig.invocations.map(({ bytesPerSecond }) => bytesPerSecond))).toEqual(new Set([RATE / 8]))
  expect(slowness(rig, 40)).toBeLessThan(1.01)
})

test('few parts get all of it, however many invocations were announced', async () => {
  const rig = rigOf({ parts: 4 }, 200)
  await rig.go()
  expect(rig.invocations.map(({ bytesPerSecond }) => bytesPerSecond)).toEqual(Array(4).fill(RATE / 4))
  expect(slowness(rig, 4)).toBeLessThan(1.01)
})

test('all together never exceed it, whatever fails', async () => {
  const odd = ({ partNumber, nth }) => (partNumber * nth) % 3 === 1 && nth < 3 && FAILURE
  const rig = rigOf({ parts: 100, answer: odd }, 16)
  await rig.go()
  expect(rig.mostRate()).toBeLessThanOrEqual(RATE)
  expect(slowness(rig, 100)).toBeLessThan(3)
})

test('few large parts are in flight, so that an interrupt after some seconds loses only these', async () => {
  const stop = new AbortController()
  const limits = { bytesInFlight: 2 * BYTES }
  const rig = rigOf({ parts: 100, limits, cancel: stop.signal }, 64)
  rig.clock.setTimeout(() => stop.abort(), 1_600)
  await expect(rig.go()).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(rig.invocations.every(({ bytesPerSecond }) => bytesPerSecond === RATE / 2)).toBe(true)
  expect(rig.mostInFlight()).toBe(2)
  // Of 6.4 parts that the rate allows until then; those in flight are done soon afterwards.
  expect(rig.eventsOf('part')).toHaveLength(8)
})

test('a function that goes on after its wait was aborted keeps its share until it ends', async () => {
  /** By part number: the rate, and how the function ends. @type {Map<number, { rate: number, end: (outcome: object) => void }>} */
  const functions = new Map()
  const begun = new EventEmitter()
  const engine = trackDetached({
    can: { cancel: false },
    run: ([{ partNumber, bytes }], { bytesPerSecond: rate }) =>
      new Promise(resolve => {
        functions.set(partNumber, {
          rate,
          end: more => resolve([{ partNumber, bytes, etag: '"e"', sums: { crc32: '00000001' }, ...more }]),
        })
        begun.emit(`${partNumber}`)
      }),
  })
  const scheduler = createScheduler({
    run: engine.run,
    limits: { ...NO_LIMITS, bandwidth: RATE, bytesPerSecond: RATE / 4 },
    ...{ concurrency: 4, partBytes: BYTES, partsPerInvocation: 1, retries: 0, emit() {} },
  })
  const how = { sign: async part => part, explain, emit() {}, hedge: false }
  const partsOf = numbers => numbers.map(partNumber => ({ partNumber, start: 0, bytes: BYTES }))

  const failing = scheduler.run(partsOf([1, 2]), how)
  await Promise.all(['1', '2'].map(number => once(begun, number)))
  functions.get(1).end(failure('STORE_ERROR'))
  await expect(failing).rejects.toMatchObject({ code: 'STORE_ERROR' })

  const next = scheduler.run(partsOf([3]), how)
  await once(begun, '3')
  expect([1, 2, 3].map(number => functions.get(number).rate)).toEqual([RATE / 2, RATE / 2, RATE / 2])
  functions.get(3).end({})
  await next
  functions.get(2).end({})
  await engine.settled(60_000)
  const last = scheduler.run(partsOf([4]), how)
  await once(begun, '4')
  expect(functions.get(4).rate).toBe(RATE)
  functions.get(4).end({})
  await last
  await scheduler.end()
})
