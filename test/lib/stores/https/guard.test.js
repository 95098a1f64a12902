'use strict'

/** Link-local and metadata addresses are never connected to: neither as they are given, nor by a redirect. */

const dns = require('node:dns')
const { copy, head } = require('../../../../lib')
const { makeHome } = require('../../../support/home')
const { startHttpsHost } = require('../../../support/https-host')
const { keep, startStore } = require('../../../support/opened')
const { bareEnv, sideEnv } = require('../../../support/run-xfer')
const { bytesOf, createBuckets } = require('../../../support/s3')

const BODY = bytesOf(1000)
const METADATA = ['http://169.254.169.254/latest', 'http://[::ffff:a9fe:a9fe]/latest', 'http://[fd00:ec2::254]/latest']

let host
let store
let env
beforeAll(async () => {
  ;[host, store] = await Promise.all([keep(startHttpsHost()), startStore()])
  await createBuckets(store, 'target')
  env = { ...bareEnv, XDG_STATE_HOME: makeHome({}), ...sideEnv('DEST', store) }
})

/** What reads the object of an address. @type {Array<[string, (url: string) => Promise<unknown>]>} */
const READERS = [
  ['copy', url => copy(url, 's3://target/copied', { env, engine: 'local' })],
  ['head', url => head(url, { env })],
]

/** @param {string} url @param {string} reader */
const refusal = (url, reader) => ({
  code: 'ADDRESS_REFUSED',
  exitCode: 4,
  message: `xfer does not connect to the ${reader === 'head' ? 'store' : 'source'} ${new URL(url).origin}, because it is a link-local or metadata address.`,
  hint: 'Check the address, and where it redirects to.',
})

describe.each(READERS)('%s', (reader, read) => {
  test.each(METADATA)('refuses %s, and a redirect to it', async url => {
    const address = host.put('/moved', { location: '/further' })
    host.put('/further', { location: url })
    for (const asked of [url, address]) await expect(read(asked)).rejects.toMatchObject(refusal(url, reader))
  })
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
