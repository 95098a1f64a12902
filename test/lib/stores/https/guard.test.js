'use strict'

/** Link-local and metadata addresses are never connected to: neither as they are given, nor by a redirect. */

const dns = require('node:dns')
const { head } = require('../../../../lib')
const { startHttpsHost } = require('../../../support/https-host')
const { keep } = require('../../../support/opened')
const { bareEnv: env } = require('../../../support/run-xfer')
const { bytesOf } = require('../../../support/s3')

const BODY = bytesOf(1000)
const METADATA = ['http://169.254.169.254/latest', 'http://[::ffff:a9fe:a9fe]/latest', 'http://[fd00:ec2::254]/latest']

let host
beforeAll(async () => {
  host = await keep(startHttpsHost())
})

test.each(METADATA)('%s is refused, and a redirect to it', async url => {
  const address = host.put('/moved', { location: '/further' })
  host.put('/further', { location: url })
  const refusal = {
    code: 'ADDRESS_REFUSED',
    exitCode: 4,
    message: `xfer does not connect to the store ${new URL(url).origin}, because it is a link-local or metadata address.`,
    hint: 'Check the address, and where it redirects to.',
  }
  for (const asked of [url, address]) await expect(head(asked, { env })).rejects.toMatchObject(refusal)
})

describe('a redirect to a name of this machine', () => {
  const NAMES = ['first.example', 'here.example']
  beforeEach(() => {
    const { lookup } = dns
    jest.spyOn(dns, 'lookup').mockImplementation((name, options, done) => {
      if (!NAMES.includes(name)) return lookup(name, options, done)
      process.nextTick(done, null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)
    })
  })
  afterEach(() => jest.restoreAllMocks())
  /** @param {string} address @param {string} name */
  const named = (address, name) => address.replace('127.0.0.1', name)

  test.each(['here.example', 'localhost.', 'a.localhost.', '[::127.0.0.1]'])('is refused: %s', async name => {
    const address = host.put('/moved', { location: named(host.put('/object', { body: BODY }), name) })
    const before = host.requests.length
    await expect(head(named(address, 'first.example'), { env })).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(host.requests.slice(before).map(({ path }) => path)).toEqual(['/moved'])
  })

  test('is followed on the host that was given, and from this machine', async () => {
    const address = host.put('/moved', { location: '/object' })
    const object = host.put('/object', { body: BODY })
    expect(await head(named(address, 'first.example'), { env })).toMatchObject({ bytes: BODY.length })
    host.put('/moved', { location: named(object, 'here.example') })
    expect(await head(address, { env })).toMatchObject({ bytes: BODY.length })
  })
})
