'use strict'

/** Which activations leave a record: hosted platforms differ from upstream in that. */

const { startPlatform } = require('../../../sandbox/platform')
const { client, rawCall, until } = require('./target')

const MINE = '/api/v1/namespaces/_'
const MINUTE = 60_000
// It outlasts a wait of 1 ms even where the container is warm.
const CODE = `const main = async ({ error }) => {
  await new Promise(resolve => setTimeout(resolve, 50))
  return error ? { error } : { done: true }
}`

/** @type {Awaited<ReturnType<typeof startPlatform>>} */
let platform
/** @type {string[]} the activations that are over */
let over
afterEach(() => platform.close())

/** @param {import('../../../sandbox/platform/types').PlatformOptions} options */
async function start(options) {
  platform = await startPlatform({ ...options, limits: { perMinute: 10_000, ...options.limits } })
  over = []
  platform.activations.on('activation', ({ activationId }) => over.push(activationId))
  await client(platform).actions.update({ name: 't', action: CODE })
}

/** Invokes, and waits until the activation is over. @returns {Promise<{ status: number, id: string }>} */
async function invoke({ json = {}, blocking = true, headers = {} } = {}) {
  const path = `${MINE}/actions/t?blocking=${blocking}`
  const answer = await rawCall(platform, 'POST', path, { json, headers })
  const id = answer.headers['x-openwhisk-activation-id']
  await until(() => over.includes(id))
  return { status: answer.status, id }
}

const KEEP = { 'X-OW-EXTRA-LOGGING': 'on' }
const recordOf = async id => (await rawCall(platform, 'GET', `${MINE}/activations/${id}`)).status
const list = async query => (await rawCall(platform, 'GET', `${MINE}/activations?${query}`)).body

test.each([
  ['is answered in time', undefined, [200, 502, 202, 200]],
  ['gets a 202', 1, [202, 202, 202, 202]],
])(
  'with records of failures only, a blocking call that %s leaves none if it succeeds',
  async (_, blockingMs, expected) => {
    await start({ onlyFailureRecords: true, limits: { blockingMs } })
    const made = [
      await invoke(),
      await invoke({ json: { error: 'no' } }),
      await invoke({ blocking: false }),
      await invoke({ headers: KEEP }),
    ]
    expect(made.map(({ status }) => status)).toEqual(expected)
    const statuses = []
    for (const { id } of made) statuses.push(await recordOf(id))
    expect(statuses).toEqual([404, 200, 200, 200])
    const kept = made.slice(1).map(({ id }) => id)
    expect((await list('docs=true')).map(({ activationId }) => activationId).sort()).toEqual(kept.sort())
  },
)

test('the header for extra logging is ignored beyond its limit, until the calendar minute ends', async () => {
  let now = 100 * MINUTE
  await start({ onlyFailureRecords: true, limits: { extraLogging: 2 }, clock: () => now })
  const kept = async () => recordOf((await invoke({ headers: KEEP })).id)
  expect([await kept(), await kept(), await kept()]).toEqual([200, 200, 404])
  now += MINUTE
  expect(await kept()).toBe(200)
})

test('the list is read by pages, and none may be asked for more entries than the platform allows', async () => {
  await start({ limits: { listed: 2 } })
  for (let i = 0; i < 3; i++) await invoke()
  const pages = [await list('limit=2'), await list('limit=2&skip=2'), await list('')]
  expect(pages.map(({ length }) => length)).toEqual([2, 1, 2])
  expect((await list('limit=3')).error).toContain("The value '3' is not in the range of 0 to 2 for activations.")
})
