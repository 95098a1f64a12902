'use strict'

/** What a platform's faults come to: the copy is right, or it stops with this code and this sentence. */

const { startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { bytesOf, get, put, uploadsOf } = require('../support/s3')

/** Five parts, one an invocation. */
const BODY = bytesOf(20 * 1024 ** 2 + 12_345)
const PARTS = 5

const DEPLOY = expect.stringContaining('xfer deploy --allow-hosts')
const NO_HOST = expect.stringContaining('because it is none of the hosts that the deployment allows')

/**
 * met: the codes of all that was retried and throttled; again: parts that were written twice; retries: of parts.
 *
 * @type {Array<[what: string, how: { faults?: object[], deployment?: object }, expected: object]>}
 */
const ROWS = [
  [
    'the answer is lost: the connection ends when the action has run',
    { faults: [{ nth: 2, lose: true }] },
    { status: 0, again: 0, met: ['PLATFORM_UNREACHABLE'], retries: 1 },
  ],
  [
    'the container is killed at work',
    { faults: [{ nth: [2, 4], killAfterMs: 0 }] },
    { status: 0, met: ['ACTIVATION_EXITED'], retries: 2 },
  ],
  [
    'the container dies when the work is done, and the platform runs the same activation again',
    { faults: [{ nth: 2, rerun: true }] },
    { status: 0, again: 1, retries: 0 },
  ],
  [
    'its deployment does not allow the stores',
    { deployment: { allowHosts: '*.example.org,10.0.0.0/8' } },
    { status: 4, code: 'ADDRESS_REFUSED', met: [], message: NO_HOST, hint: DEPLOY },
  ],
]

test.each(ROWS)('%s', async (_, { faults = [], deployment }, expected) => {
  const [server, platform] = await Promise.all([
    startStore(),
    startDeployed({ limits: { perMinute: 100_000 }, containers: 1, deployment }),
  ])
  platform.faults.add(...faults)
  const route = await openRoute({ source: server, platform })
  await put(route.from, 'object', BODY)
  let written = 0
  server.on('request', ({ operation, status }) => {
    if (operation === 'UploadPart' && status === 200) written++
  })
  const { status, last, events } = await route.copy('object', 'copy')
  const setbacks = events.filter(({ type }) => type === 'retry' || type === 'throttle')
  expect({
    ...{ status, code: last.code, message: last.message, hint: last.hint, again: written - PARTS },
    met: [...new Set(setbacks.map(one => one.code))].sort(),
    retries: setbacks.filter(({ type, partNumber }) => type === 'retry' && partNumber !== undefined).length,
  }).toMatchObject(expected)
  // What is stopped has left nothing, and what is copied is right.
  expect(await uploadsOf(route.to, 'copy')).toEqual([])
  const there = await get(route.to, 'copy').catch(() => undefined)
  expect(there?.equals(BODY)).toBe(status === 0 ? true : undefined)
  if (status === 0) expect(last.proof).toContain('store-crc32')
})

// The platform says that one was killed while it loaded only when the time limit of the invocation is over.
test('four killed containers of sixteen invocations are not waited for, though each is a sixteenth of the bytes', async () => {
  const server = await startStore()
  const platform = await startDeployed({ containers: 8, limits: { concurrent: 16 } })
  const route = await openRoute({ source: server, platform, buckets: { from: 'source', to: 'killed' } })
  const large = bytesOf(80 * 1024 ** 2)
  await put(route.from, 'large', large)
  platform.faults.add({ first: 4, dieLoading: true })
  const startedMs = Date.now()
  const run = await route.copy('large', 'large', ['--chunk', '5'])
  expect({ status: run.status, last: run.last }).toMatchObject({ status: 0, last: { engine: 'openwhisk' } })
  expect(run.events.filter(({ type }) => type === 'hedge').length).toBeGreaterThanOrEqual(4)
  expect(Date.now() - startedMs).toBeLessThan(60_000)
  expect((await get(route.to, 'large')).equals(large)).toBe(true)
})
