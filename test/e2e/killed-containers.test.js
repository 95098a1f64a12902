'use strict'

/** Containers that are killed while they load: the platform says so only when the time limit of the invocation is over. */

const { startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = 80 * MiB
const KILLED = 4
jest.setTimeout(120_000)

test('four killed containers of sixteen invocations are not waited for, though each is a sixteenth of the bytes', async () => {
  const server = await startStore()
  const platform = await startDeployed({ containers: 8, limits: { concurrent: 16 } })
  const route = await openRoute({ source: server, platform, buckets: { from: 'source', to: 'killed' } })
  await put(route.from, 'large', bytesOf(LARGE))
  platform.faults.add({ first: KILLED, dieLoading: true })
  const startedMs = Date.now()
  const run = await route.copy('large', 'large', ['--chunk', '5'])
  expect({ status: run.status, last: run.last }).toMatchObject({ status: 0, last: { engine: 'openwhisk' } })
  expect(run.events.filter(({ type }) => type === 'hedge').length).toBeGreaterThanOrEqual(KILLED)
  expect(Date.now() - startedMs).toBeLessThan(60_000)
  expect((await get(route.to, 'large')).equals(bytesOf(LARGE))).toBe(true)
})
