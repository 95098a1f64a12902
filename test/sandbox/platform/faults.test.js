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
    action: `
      const main = ({ ms = 0, unless }) => new Promise(resolve => {
        if (!unless || require('node:fs').existsSync(unless)) setTimeout(() => resolve({ ok: 1 }), ms)
      })`,
  })
})
afterEach(() => platform.close())

test.each([
  [{ status: 429, throttle: 'rate' }, 429, 'Too many requests in the last minute (count: 1001, allowed: 1000).'],
  [{ status: 429 }, 429, 'Too many concurrent requests in flight (count: 30, allowed: 30).'],
  [{ status: 500 }, 500, 'There was an internal server error.'],
  [{ status: 503 }, 503, 'System is overloaded, try again later.'],
  [{ status: 503, message: 'No healthy invoker.' }, 503, 'No healthy invoker.'],
])('%j answers in place of running', async (fault, status, text) => {
  platform.faults.add({ first: 1, ...fault })
  const error = await rejection(invoke())
  expect([error.statusCode, error.error.error]).toEqual([status, text])
  expect(ran()).toBe(0)
  expect((await invoke()).response.result).toEqual({ ok: 1 })
})

test('retryAfter is a header, in seconds, and without it there is none', async () => {
  platform.faults.add({ nth: 1, status: 503, retryAfter: 7 }, { nth: 2, status: 503 })
  expect((await raw()).headers['retry-after']).toBe('7')
  expect((await raw()).headers).not.toHaveProperty('retry-after')
  expect((await raw()).status).toBe(200)
})

test('a connection is cut before anything is done', async () => {
  platform.faults.add({ nth: 1, cut: true })
  expect((await rejection(raw())).code).toBe('ECONNRESET')
  expect(ran()).toBe(0)
  expect((await raw()).status).toBe(200)
})

test('an answer breaks off in its middle, after all was done', async () => {
  platform.faults.add({ nth: 1, cutAnswer: true })
  const over = once(platform.activations, 'activation')
  expect((await rejection(raw())).code).toBe('ECONNRESET')
  expect((await over)[0].response.result).toEqual({ ok: 1 })
})

test('a call is never answered, and the activation ran', async () => {
  platform.faults.add({ nth: 1, silent: true })
  const over = once(platform.activations, 'activation')
  const unanswered = rejection(raw())
  expect((await over)[0].response.result).toEqual({ ok: 1 })
  await platform.close()
  expect((await unanswered).code).toBe('ECONNRESET')
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
  const seen = []
  for (const event of ['activation', 'stored'])
    platform.activations.on(event, ({ activationId }) => seen.push(`${event} ${activationId}`))
  const late = (await invoke()).activationId
  await until(() => seen.length === 2)
  const over = once(platform.activations, 'activation')
  const never = (await invoke()).activationId
  await over
  // Without a fault it is stored first.
  const plain = (await invoke()).activationId
  await until(() => seen.length === 5)
  expect(seen).toEqual([
    `activation ${late}`,
    `stored ${late}`,
    `activation ${never}`,
    `stored ${plain}`,
    `activation ${plain}`,
  ])
  expect((await ow.activations.get({ name: late })).activationId).toBe(late)
  expect((await rejection(ow.activations.get({ name: never }))).statusCode).toBe(404)
})

test('a container is killed in the middle of the run', async () => {
  platform.faults.add({ nth: 1, killAfterMs: 100 })
  const failed = await rejection(ow.actions.invoke({ name: 'count', blocking: true, params: { ms: 30_000 } }))
  expect(failed.error.response.result.error).toBe(
    'The action did not produce a valid response and exited unexpectedly.',
  )
})

describe('an activation that comes to nothing', () => {
  const MIB = 1024 ** 2
  test.each([
    [{ death: 'exit' }, 'action developer error', /^The action did not produce a valid response and exited unexpected/],
    [{ death: 'memory' }, 'action developer error', /^The action exhausted its memory and was aborted\.$/],
    [{ death: 'time' }, 'action developer error', /^The action exceeded its time limits of 60000 milliseconds\.$/],
    [{ answer: { body: { error: 'no', x: 1 } } }, 'application error', /^no$/],
    [{ answer: { status: 502, body: { error: 'boom' } } }, 'action developer error', /^boom$/],
    [
      { answer: { body: { x: 'x'.repeat(MIB) } } },
      'application error',
      /exceeded the allowed length: 1048584 > 1048576/,
    ],
  ])('%#: after its work was done', async (fault, status, text) => {
    platform.faults.add({ nth: 1, ...fault })
    const { statusCode, error } = await rejection(invoke())
    expect([statusCode, error.response.status]).toEqual([502, status])
    expect(error.response.result.error).toMatch(text)
    expect(Object.keys(error.response.result)).toEqual(['error'])
    // only what makes no developer error keeps its container
    const next = await invoke()
    expect(next.response.result).toEqual({ ok: 1 })
    expect(platform.activations.counters.cold).toBe(status === 'application error' ? 1 : 2)
  })

  test.each(['memory', 'time'])('%s: in the middle of its work', async death => {
    platform.faults.add({ nth: 1, death, killAfterMs: 20 })
    const failed = await rejection(ow.actions.invoke({ name: 'count', blocking: true, params: { ms: 30_000 } }))
    expect(failed.error.response.result.error).toMatch(death === 'time' ? /time limits/ : /exhausted its memory/)
    expect(failed.error.duration).toBeLessThan(30_000)
    const { value } = failed.error.annotations.find(({ key }) => key === 'timeout')
    expect(value).toBe(death === 'time')
  })
})

describe('a container that comes to grief', () => {
  const started = () => {
    const starts = []
    platform.activations.on('start', start => starts.push(start))
    return starts
  }

  test('when its work is done, is replaced by another one that does the same activation again, once', async () => {
    await invoke()
    const starts = started()
    platform.faults.add({ rerun: true })
    const { activationId, response } = await invoke()
    expect(response.result).toEqual({ ok: 1 })
    expect(starts.map(start => start.activationId)).toEqual([activationId, activationId])
    expect(starts[0].pid).not.toBe(starts[1].pid)
    expect(starts.map(({ cold }) => cold)).toEqual([false, true])
  })

  test('while it loads, is not known to be gone until the time is up, and a warm one is left alone', async () => {
    await ow.actions.update({ name: 'count', limits: { timeout: 400 } })
    // On a busy machine it may take longer to load than it may.
    const loaded = () => until(() => invoke().catch(() => undefined), 25_000)
    await loaded()
    platform.faults.add({ nth: 1, dieLoading: true })
    const { statusCode, error } = await rejection(invoke())
    expect([statusCode, error.response.status]).toEqual([502, 'action developer error'])
    expect(error.response.result.error).toBe(
      'The action exceeded its time limits of 400 milliseconds during initialization.',
    )
    expect(error.duration).toBeGreaterThanOrEqual(400)
    expect((await loaded()).response.result).toEqual({ ok: 1 })
  })

  test.each([
    ['starting', 'System not ready, status is starting.'],
    ['twice', 'Cannot initialize the action more than once.'],
  ])('and says that it is %s runs nothing', async (unready, text) => {
    platform.faults.add({ nth: 1, unready })
    const ran = []
    platform.activations.on('run', run => ran.push(run))
    const { statusCode, error } = await rejection(invoke())
    expect([statusCode, error.response]).toEqual([
      502,
      { result: { error: text }, status: 'action developer error', success: false },
    ])
    expect(ran).toEqual([])
    expect((await invoke()).response.result).toEqual({ ok: 1 })
  })
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

test('what anyone may read can be befallen, and so can a write', async () => {
  platform.faults.add({ on: 'info', first: 1, status: 404 }, { on: 'actions', first: 1, status: 409 })
  expect((await rawCall(platform, 'GET', '/')).status).toBe(404)
  expect((await rawCall(platform, 'GET', '/')).status).toBe(200)
  const update = () => ow.actions.update({ name: 'other', action: 'const main = () => ({})' })
  expect((await rejection(update())).error.error).toBe('Concurrent modification to resource detected.')
  await update()
})

test('a misspelt fault is refused', () => {
  expect(() => platform.faults.add({ lost: true })).toThrow(TypeError)
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
