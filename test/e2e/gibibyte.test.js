'use strict'

/** A gibibyte by way of each server and engine, from one server to another of its kind. */

const { putRandom, sha256Of } = require('../../sandbox/objects')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { SERVERS } = require('../support/servers')

const GiB = 1024 ** 3

describe.each(SERVERS)('a gibibyte', ({ name, start, traits }) => {
  const proof = ['store-crc32', ...(traits.sumsUnasked ? ['source-crc64nvme'] : [])]
  const engines = name === 'sandbox' ? ['openwhisk'] : ['local', 'openwhisk']
  let servers
  let platform
  let sum
  const routes = {}
  beforeAll(async () => {
    servers = await Promise.all([start(), start()])
    platform = await startDeployed()
    const [source, destination] = servers
    for (const engine of engines) {
      const buckets = { from: 'source', to: `to-${engine}` }
      routes[engine] = await openRoute({ source, destination, buckets, ...(engine === 'openwhisk' && { platform }) })
    }
    sum = await putRandom(source, { bucket: 'source', key: 'big.bin', bytes: GiB })
  }, 120_000)
  afterAll(async () => {
    for (const route of Object.values(routes)) route.close()
    await Promise.all([...servers, platform].map(each => each.close()))
  })

  it.each(engines)(
    `travels between two ${name} stores by the %s engine`,
    async engine => {
      const { status, last } = await routes[engine].copy('big.bin', 'big.bin', ['--chunk', '100'])
      expect({ status, last }).toMatchObject({
        status: 0,
        last: { bytes: GiB, parts: 11, proof },
      })
      expect(await sha256Of(servers[1], { bucket: `to-${engine}`, key: 'big.bin' })).toBe(sum)
    },
    120_000,
  )
})
