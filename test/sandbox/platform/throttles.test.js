'use strict'

const { once } = require('node:events')
const { startPlatform } = require('../../../sandbox/platform')
const { client, rawCall, rejection, until } = require('./target')

const HOLD = 'const main = ({ ms = 0 }) => new Promise(done => setTimeout(() => done({ held: ms }), ms))'
const MINUTE = 60_000

/** @type {Awaited<ReturnType<typeof startPlatform>>} */
let platform
/** @type {ReturnType<typeof client>} */
let ow
async function start(options) {
  platform = await startPlatform(options)
  ow = client(platform)
  await ow.actions.update({ name: 'hold', action: HOLD })
}
const invoke = (params = {}) => ow.actions.invoke({ name: 'hold', blocking: true, params })
afterEach(() => platform.close())

describe('calls a minute', () => {
  let now = 0
  const clock = () => now
  const over = (count, allowed) => `Too many requests in the last minute (count: ${count}, allowed: ${allowed}).`

  test('are counted by the calendar, refused ones included', async () => {
    now = 100 * MINUTE + 59_000
    await start({ clock, limits: { perMinute: 2 } })
    await invoke()
    await invoke()
    const refused = await rejection(invoke())
    expect([refused.statusCode, refused.error]).toEqual([
      429,
      { error: over(3, 2), code: expect.stringMatching(/^\w{32}$/) },
    ])
    expect((await rejection(invoke())).error.error).toBe(over(4, 2))
    now += 999
    expect((await rejection(invoke())).error.error).toBe(over(5, 2))
    // a second into the next minute all of them are there again, not as they grow old
    now = 101 * MINUTE
    await invoke()
    await invoke()
    expect((await rejection(invoke())).error.error).toBe(over(3, 2))
    expect(platform.activations.counters).toEqual(expect.objectContaining({ completed: 4, throttled: 4 }))
  })

  test('count before it is known whether the action is there, and after it is known who asks', async () => {
    now = 0
    await start({ clock, limits: { perMinute: 2 } })
    const ghost = options => rawCall(platform, 'POST', '/api/v1/namespaces/_/actions/ghost', { json: {}, ...options })
    expect((await ghost({ auth: 'a:b' })).status).toBe(401)
    expect((await ghost()).status).toBe(404)
    expect((await rawCall(platform, 'POST', '/api/v1/namespaces/other/actions/x', { json: {} })).status).toBe(403)
    const refused = await ghost()
    expect([refused.status, refused.body.error]).toEqual([429, over(3, 2)])
    expect(refused.headers).not.toHaveProperty('retry-after')
  })
})

describe('activations in flight', () => {
  test('are limited, queued and non-blocking ones included, until they are over', async () => {
    await start({ containers: 1, limits: { concurrent: 2, perMinute: 1_000 } })
    await ow.actions.invoke({ name: 'hold', params: { ms: 500 } })
    await ow.actions.invoke({ name: 'hold', params: { ms: 500 } })
    const refused = await rejection(invoke())
    expect(refused.statusCode).toBe(429)
    expect(refused.error.error).toBe('Too many concurrent requests in flight (count: 2, allowed: 2).')
    await until(() => platform.activations.counters.completed === 2)
    expect((await invoke()).response.success).toBe(true)
  })

  test('free their place on completion', async () => {
    await start({ limits: { concurrent: 1, perMinute: 1_000 } })
    for (let round = 0; round < 3; round++) {
      const over = once(platform.activations, 'activation')
      await invoke()
      await over
    }
    expect(platform.activations.counters).toEqual(expect.objectContaining({ success: 3, throttled: 0 }))
  })
})
