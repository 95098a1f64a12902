'use strict'

/** `xfer verify -r`: what proves each pair, what is said of names that differ, and how it ends. */

const { chooseKinds, openEnd, startKinds } = require('../support/ends')

const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB, 'body')

const { kinds } = chooseKinds('sandbox,sandbox-azure,google-mode,file')

describe.each(kinds.map(({ name }) => name))('from S3 to %s', name => {
  let servers
  let ends
  beforeAll(async () => {
    servers = await startKinds(kinds)
    const of = kind => servers.find(server => server.name === kind)
    ends = [await openEnd(of('sandbox'), 'origin'), await openEnd(of(name), 'target')]
  })
  afterAll(async () => {
    for (const end of ends ?? []) await end.close()
    await Promise.all((servers ?? []).map(server => server.stop()))
  })

  test('equal objects are equal, one other byte is found, and so are missing and extra names', async () => {
    const [from, to] = ends
    const small = bytesOf(1000, 'small')
    const flipped = Buffer.from(small)
    flipped[500] ^= 1
    for (const key of ['tree/large', 'tree/ü ä'])
      for (const end of ends) await end.write(key, { bytes: key === 'tree/large' ? BODY : small })
    const env = { ...from.env('SOURCE'), ...to.env('DEST') }
    const run = async () => {
      const args = ['verify', '-r', from.text('tree'), to.text('tree'), '--engine', 'local', '--chunk', '5', '--json']
      const ended = await startXfer(args, { env }).ended
      const events = eventsOf(ended)
      const found = events.filter(({ type }) => type === 'difference').map(event => `${event.found} ${event.name}`)
      const equal = events.filter(({ type }) => type === 'equal')
      return { status: ended.status, found: found.sort(), equal, last: events.at(-1) }
    }
    const { equal, ...rest } = await run()
    expect(rest).toMatchObject({ status: 0, found: [], last: { pairs: { listed: 2, equal: 2 } } })
    expect(equal.map(({ name, bytes }) => [name, bytes]).sort()).toEqual([
      ['large', BODY.length],
      ['ü ä', small.length],
    ])
    // Each is told with what the counts of the end have.
    for (const [method, many] of Object.entries(rest.last.methods))
      expect(equal.filter(event => event.method === method)).toHaveLength(many)
    await from.write('tree/flipped', { bytes: small })
    await to.write('tree/flipped', { bytes: flipped })
    await from.write('tree/missing', { bytes: small })
    await to.write('tree/extra', { bytes: small })
    expect(await run()).toMatchObject({
      status: 8,
      found: ['differs flipped', 'extra extra', 'missing missing'],
      last: { pairs: { listed: 5, equal: 2 } },
    })
  })
})
