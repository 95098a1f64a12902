'use strict'

/** Parts that are scheduled while they come: when the memory of a part is used again, and what cannot be sent again. */

const { PassThrough } = require('node:stream')
const { UNLIMITED } = require('../../../lib/engines')
const { XferError } = require('../../../lib/errors')
const { createCutter } = require('../../../lib/stream/up/cut')
const { createHold } = require('../../../lib/stream/up/hold')
const { scheduleComing } = require('../../../lib/stream/up/schedule')
const { createVirtualClock } = require('../../support/virtual-clock')

const PART = 10
const HELD = 8

/** @param {object} [how] of the scheduler */
function open(how = {}) {
  const input = new PassThrough()
  const cutter = createCutter(input, {
    sizes: { bytesOf: () => PART, first: PART, maxParts: 100, most: 100 * PART },
    hold: createHold(HELD * PART),
    expectation: { update() {}, judge() {} },
  })
  const clock = createVirtualClock()
  const send = come =>
    scheduleComing(cutter, { partBytes: PART })(come, {
      sign: async part => ({ ...part, at: Number(cutter.find(endOf(part)).held.address(part).headers['x-start']) }),
      explain: ({ code }) => new XferError(code === 'CANCELLED' ? 'INTERRUPTED' : 'INTEGRITY', { reason: 'it is so' }),
      run: async tasks => tasks.map(done),
      limits: UNLIMITED,
      concurrency: 16,
      retries: 0,
      hedge: true,
      emit() {},
      clock,
      ...how,
    })
  return { input, cutter, clock, send }
}

const endOf = ({ start, bytes }) => ({ start, end: start + bytes - 1 })
const done = ({ partNumber, bytes }) => ({ partNumber, bytes, etag: `"${partNumber}"`, sums: {}, timing: {} })

it('reads no more than it may hold, until the destination has a part', async () => {
  const { input, cutter } = open()
  input.write(Buffer.alloc((HELD + 2) * PART))
  const parts = []
  for (let held = 0; held < HELD; held++) parts.push(await cutter.next())
  let more = false
  const next = cutter.next().then(part => {
    more = true
    return part
  })
  await new Promise(setImmediate)
  expect({ more, bytes: cutter.bytes() }).toEqual({ more: false, bytes: HELD * PART })
  await cutter.release(parts[3])
  expect(await next).toMatchObject({ partNumber: HELD + 1, bytes: PART })
})

it('keeps the memory of a part as long as a second attempt may read it', async () => {
  /** Of each attempt: which part, and where its bytes are. */
  const sent = []
  let letGo
  const late = new Promise(resolve => {
    letGo = resolve
  })
  const { input, cutter, clock, send } = open({
    async run([task], { signal }) {
      sent.push(task)
      const attempts = sent.filter(({ partNumber }) => partNumber === task.partNumber).length
      if (task.partNumber !== 3 || attempts > 1) return [done(task)]
      // It goes on for a while after it was told to end.
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
      await late
      return [{ partNumber: 3, error: { code: 'CANCELLED', message: 'It was cancelled.' } }]
    },
  })
  const parts = send([])
  input.write(Buffer.alloc(HELD * PART))
  // Nothing more comes, and part 3 is late: it is sent a second time, which succeeds.
  const twice = () => sent.filter(({ partNumber }) => partNumber === 3).length === 2
  while (!twice()) await clock.run(clock.delay(1_000))
  const [{ at }] = sent.filter(({ partNumber }) => partNumber === 3)
  const others = sent.length
  input.write(Buffer.alloc(2 * HELD * PART))
  while (cutter.parts.length < 3 * HELD) await new Promise(setImmediate)
  expect(sent.slice(others).filter(task => task.at === at)).toEqual([])
  letGo()
  input.end(Buffer.alloc(HELD * PART))
  expect((await parts).map(({ partNumber }) => partNumber)).toEqual(Array.from({ length: 4 * HELD }, (_, i) => i + 1))
  expect(sent.slice(others).filter(task => task.at === at).length).toBeGreaterThan(0)
})

it('cannot send again what the destination has, and says so', async () => {
  const { input, send } = open()
  input.end(Buffer.alloc(3 * PART))
  const parts = await send([])
  expect(parts).toHaveLength(3)
  const [, second] = parts.map(({ partNumber }) => ({ partNumber, start: (partNumber - 1) * PART, bytes: PART }))
  await expect(send([second])).rejects.toMatchObject({ code: 'STREAM_PASSED', exitCode: 8, facts: { partNumber: 2 } })
})

it('ends with the first failure, and starts nothing more', async () => {
  let sent = 0
  const { input, send } = open({
    async run([task]) {
      sent++
      return [{ partNumber: task.partNumber, error: { code: 'HTTP_STATUS', message: 'It refused.' } }]
    },
  })
  const parts = send([])
  // The first part is sent once it is known that it is not the only one.
  input.write(Buffer.alloc(PART + 1))
  await expect(parts).rejects.toMatchObject({ code: 'INTEGRITY' })
  const before = sent
  input.end(Buffer.alloc(5 * PART))
  await new Promise(setImmediate)
  expect(sent).toBe(before)
})

it('takes no more parts than there may be', async () => {
  const { input, send } = open()
  input.end(Buffer.alloc(101 * PART))
  await expect(send([])).rejects.toMatchObject({ code: 'TOO_LARGE', facts: { most: 100 * PART } })
})
