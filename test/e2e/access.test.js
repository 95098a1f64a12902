'use strict'

/** What a function may connect to is its deployment's to say: a copy that wants more ends at once, and says so. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2

let server
const routes = {}

beforeAll(async () => {
  server = await startStore()
  for (const [name, allowHosts] of [
    ['allowed', '127.0.0.0/8'],
    ['refused', '*.example.org,10.0.0.0/8'],
  ]) {
    const platform = await startDeployed({ deployment: { allowHosts } })
    const route = await openRoute({ source: server, platform, buckets: { from: 'source', to: name } })
    routes[name] = { ...route, platform }
  }
  await put(routes.allowed.from, 'object', bytesOf(21 * MiB))
})
afterAll(async () => {
  for (const { close, platform } of Object.values(routes)) {
    close()
    await platform.close()
  }
  await server?.close()
})

test('a copy between allowed hosts succeeds', async () => {
  expect(await routes.allowed.copy('object')).toMatchObject({ status: 0, last: { type: 'done' } })
})

test('one with a host that is not allowed ends with 4, and nothing is tried twice', async () => {
  const { status, last, events } = await routes.refused.copy('object')
  expect({ status, code: last.code }).toEqual({ status: 4, code: 'ADDRESS_REFUSED' })
  expect(last.message).toContain(
    `the source ${server.endpoint}, because it is none of the hosts that the deployment allows`,
  )
  expect(last.hint).toContain('xfer deploy --allow-hosts')
  expect(events.filter(({ type }) => type === 'retry' || type === 'throttle')).toEqual([])
})
