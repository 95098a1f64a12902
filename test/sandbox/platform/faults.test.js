'use strict'

const { once } = require('node:events')
const { startPlatform } = require('../../../sandbox/platform')
const { createFaults } = require('../../../sandbox/platform/faults')
const { client, rawCall, rejection, until } = require('./target')

const INVOKE = '/api/v1/namespaces/_/actions/count?blocking=true'

/** @type {Awaited<ReturnType<typeof startPlatform>>} */
let platform
/** @type {ReturnType<typeof client>} */
let ow
const invoke = () => ow.actions.invoke({ name: 'count', blocking: true })
const raw = () => rawCall(platform, 'POST', INVOKE, { json: {} })
const ran = () => platform.activations.counters.started

beforeEach(async () => {
  platform = await startPlatform({ limits: { perMinute: 1_000 } })
  ow = client(platform)
  await ow.actions.update({
    name: 'count',
    action: 'const main = p => new Promise(r => setTimeout(() => r({ ok: 1 }), p.ms ?? 0))',
  })
})
afterEach(() => platform.close())

test.each([
  [{ status: 429, throttle: 'rate' }, 429, 'Too many requests in the last minute (count: 1001, allowed: 1000).'],
  [{ status: 429 }, 429, 'Too many concurrent requests in flight (count: 30, allowed: 30).'],
  [{ status: 500 }, 500, 'There was an internal server error.'],
  [{ status: 503, message: 'No healthy invoker.' }, 503, 'No healthy invoker.'],
])('%j answers in place of running', async (fault, status, text) => {
  platform.faults.add({ first: 1, ...fault })
  const error = await rejection(invoke())
  expect([error.statusCode, error.error.error]).toEqual([status, text])
  expect(ran()).toBe(0)
  expect((await invoke()).response.result).toEqual({ ok: 1 })
})

test('retryAfter is a header, in seconds', async () => {
  platform.faults.add({ status: 503, retryAfter: 7 })
  expect((await raw()).headers['retry-after']).toBe('7')
  platform.faults.clear()
  expect((await raw()).status).toBe(200)
})

test('a lost answer was run nevertheless', async () => {
  platform.faults.add({ nth: 1, lose: true })
  const over = once(platform.activations, 'activation')
  const error = await rejection(raw())
  expect(error.code).toBe('ECONNRESET')
  expect((await over)[0].response.result).toEqual({ ok: 1 })
})

test('an answer is late by delayMs', async () => {
  platform.faults.add({ delayMs: 120 })
  const before = Date.now()
  await invoke()
  expect(Date.now() - before).toBeGreaterThanOrEqual(119)
})

test('a blocking invocation is accepted at once', async () => {
  platform.faults.add({ accepted: true })
  const { status, body } = await raw()
  expect([status, Object.keys(body)]).toEqual([202, ['activationId']])
  await until(() => ow.activations.get({ name: body.activationId }).catch(() => undefined))
})

test('a record is late, or never there', async () => {
  platform.faults.add({ nth: 1, recordLateMs: 60 }, { nth: 2, recordNever: true })
  const stored = []
  platform.activations.on('stored', activation => stored.push(activation.activationId))
  const late = (await invoke()).activationId
  expect((await rejection(ow.activations.get({ name: late }))).statusCode).toBe(404)
  const over = once(platform.activations, 'activation')
  const never = (await invoke()).activationId
  await over
  await until(() => stored.length === 1)
  expect((await ow.activations.get({ name: late })).activationId).toBe(late)
  expect((await rejection(ow.activations.get({ name: never }))).statusCode).toBe(404)
  expect(stored).toEqual([late])
})

test('a container is killed in the middle of the run, and only then', async () => {
  platform.faults.add({ first: 2, killAfterMs: 100 })
  const failed = await rejection(ow.actions.invoke({ name: 'count', blocking: true, params: { ms: 10_000 } }))
  expect(failed.error.response.result.error).toBe(
    'The action did not produce a valid response and exited unexpectedly.',
  )
  // this one is over before the fault would have struck, and its container stays
  await invoke()
  const [pid] = platform.containers()
  await new Promise(resolve => setTimeout(resolve, 150))
  expect(platform.containers()).toEqual([pid])
})

test('an answer can be half of its JSON, well-formed as HTTP', async () => {
  platform.faults.add({ truncate: true })
  const { status, raw: text, body } = await raw()
  expect(status).toBe(200)
  expect(text).toMatch(/^\{"activationId":"/)
  expect(body).toBeUndefined()
})

test('polling can be befallen too', async () => {
  const { activationId } = await invoke()
  platform.faults.add({ on: 'activations', first: 1, status: 500 })
  expect((await rejection(ow.activations.get({ name: activationId }))).statusCode).toBe(500)
  await until(() => ow.activations.get({ name: activationId }).catch(() => undefined))
})

describe('which calls are struck', () => {
  const struck = (fault, calls = 8, action = 'a') => {
    const faults = createFaults([{ status: 500, ...fault }])
    return Array.from({ length: calls }, () => Boolean(faults.strike('invoke', action).status))
      .map((hit, index) => (hit ? index + 1 : 0))
      .filter(Boolean)
  }

  test.each([
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ nth: 3 }, [3]],
    [{ nth: [2, 5] }, [2, 5]],
    [{ first: 2 }, [1, 2]],
    [{ action: 'b' }, []],
    [{ on: 'activations' }, []],
    [{ probability: 0 }, []],
    [{ probability: 1 }, [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%j', (fault, calls) => {
    expect(struck(fault)).toEqual(calls)
  })

  test('a probability strikes about as often, and the same calls with the same seed', () => {
    const hits = struck({ probability: 0.3, seed: 7 }, 10_000)
    expect(hits.length).toBeGreaterThan(2_800)
    expect(hits.length).toBeLessThan(3_200)
    expect(struck({ probability: 0.3, seed: 7 }, 10_000)).toEqual(hits)
    expect(struck({ probability: 0.3, seed: 8 }, 10_000)).not.toEqual(hits)
  })
})
