'use strict'

/** Which addresses the action speaks to: judged by what it would really connect to. */

const dns = require('node:dns')
const http = require('node:http')
const net = require('node:net')
const fc = require('fast-check')
const { VERSION, main } = require('../../actions/copy-range')
const { accessError, accessRules, bytesOf, isWithin, rangeOf } = require('../../actions/copy-range/address-guard')
const { S3, listen, makeTask, partSink, rangeSource, someBytes } = require('./stores')

const METADATA = 'it is a link-local or metadata address'
const UNLISTED = 'it is none of the hosts that the deployment allows'

const ipv4 = fc.ipV4()
const ipv6 = fc.ipV6()

test.each([
  ['an IPv4 one', ipv4, 'ipv4'],
  ['an IPv6 one', ipv6, 'ipv6'],
])('an address (%s) is within the ranges that Node says', (_, addresses, family) => {
  const most = family === 'ipv4' ? 32 : 128
  fc.assert(
    fc.property(addresses, addresses, fc.nat(most), (address, first, bits) => {
      const list = new net.BlockList()
      list.addSubnet(first, bits, family)
      expect(isWithin(bytesOf(address), rangeOf(`${first}/${bits}`))).toBe(list.check(address, family))
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['1.2.3.4', '::ffff:1.2.3.4'],
  ['1.2.3.4', '::ffff:102:304'],
  ['fe80::1', 'FE80:0:0:0:0:0:0:1%eth0'],
])('an address %s is the same as %s', (one, other) => expect(bytesOf(one)).toEqual(bytesOf(other)))

const NO_ADDRESSES = ['', 'host', '1.2.3', '1.2.3.4.5', '256.1.1.1', ':::', '1::2::3', '[::1]', '1.2.3.4/8']
test.each(NO_ADDRESSES)('an address is not "%s"', text => expect(bytesOf(text)).toBeUndefined())

const NO_RANGES = [
  '1.2.3.4/33',
  '::/129',
  '10.0.0.0/',
  '10/8',
  'fe80::1%eth0/64',
  'host/8',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
]
test.each(NO_RANGES)('an address range is not "%s"', text => expect(rangeOf(text)).toBeUndefined())

const { judge, judgeNamed } = accessRules()

/** By what they are. */
const INSIDE = {
  'link-local, and the first one of most clouds': ['169.254.169.254', 'fe80::1'],
  'EC2, Google and Oracle': ['fd00:ec2::254', 'fd20:ce::254', '192.0.0.192'],
  'Azure and Alibaba': ['168.63.129.16', '100.100.100.200'],
  'mapped, by digits and by numbers': ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe'],
  'compatible and translated': ['::169.254.169.254', '::ffff:0:169.254.169.254'],
  'NAT64, and that of a site': ['64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
  'NAT64 of a site, with /48': ['64:ff9b:1:a9fe:a9:fe00::'],
  'NAT64 of a site, with something in byte 8': ['64:ff9b:1:ffff:ffa9:fea9:fe00:0'],
  'NAT64 of a network, /32 and /96': ['2001:db8:a9fe:a9fe::', '2001:db8:122:344::a9fe:a9fe'],
  'NAT64 of a private network': ['fd12:3456:789a:1:2:3:a9fe:a9fe'],
  "6to4, and Teredo's server": ['2002:a9fe:a9fe::1', '2001::a9fe:a9fe:8000:1:f7f7:f7f7'],
  "Teredo's client": ['2001:0:808:808:8000:1:5601:5601'],
}
const rows = Object.entries(INSIDE).flatMap(([what, addresses]) => addresses.map(address => [address, what]))
test.each(rows)('without rules, %s may not be connected to: %s', address => {
  expect([judge('store.example', address), judgeNamed(address)]).toEqual([METADATA, METADATA])
  expect(accessRules({ metadata: true }).judge('store.example', address)).toBeUndefined()
  const { judge: judgeListed } = accessRules({ hosts: ['store.example', address] })
  expect(judgeListed('store.example', address)).toBe(METADATA)
})

test.each([
  ...['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', '172.16.0.1', '8.8.8.8', '169.253.255.255', '169.255.0.0'],
  ...['100.100.100.201', '168.63.129.17', '192.0.0.193', 'fec0::1', 'fe7f::1', 'fd00:ec3::1', '2001:db8::1'],
  ...['64:ff9b::808:808', '2002:808:808::1', '::ffff:127.0.0.1', '2001:0:808:808:8000:1:f7f7:f7f7'],
  // Another byte 8 than NAT64 has; and addresses of Amazon S3, which hold an IPv4 one in a way of their own.
  ...['2001:db8:122:344:1a9:fea9:fe00:0', '2600:1fa0:80a0:5ac1:34d9:82e1::', '64:ff9b:1:808:8:800::'],
])('without rules, %s may', address => {
  expect([judge('store.example', address), judgeNamed(address)]).toEqual([undefined, undefined])
})

test('without rules, what is no address may not', () => expect(judge('store.example', 'store.example')).toBe(UNLISTED))

describe('with hosts', () => {
  const HOSTS = ['*.example.org', 'Store.example.NET', '10.0.0.0/8', 'fd12::/16', '192.0.2.7']
  const { judge, judgeNamed } = accessRules({ hosts: HOSTS })

  test.each([
    ['a.example.org', '203.0.113.1', undefined],
    ['a.b.EXAMPLE.org.', '203.0.113.1', undefined],
    ['example.org', '203.0.113.1', UNLISTED],
    ['a.example.org.evil.test', '203.0.113.1', UNLISTED],
    ['a.store.example.net', '203.0.113.1', UNLISTED],
    ['other.test', '::ffff:10.200.0.1', undefined],
    ['other.test', '64:ff9b::10.200.0.1', UNLISTED],
    ['other.test', '11.0.0.1', UNLISTED],
    ['192.0.2.8', '192.0.2.8', UNLISTED],
    ['a.example.org', '169.254.169.254', METADATA],
  ])('%s at %s: %s', (host, address, reason) => expect(judge(host, address)).toBe(reason))

  test.each([
    ['a.example.org', undefined],
    ['10.1.2.3', undefined],
    ['11.1.2.3', UNLISTED],
    // What a proxy will make of it is not known here.
    ['other.test', UNLISTED],
  ])('through a proxy %s: %s', (host, reason) => expect(judgeNamed(host)).toBe(reason))

  test('none are none', () => expect(accessRules({ hosts: [] }).judge('a.example.org', '10.0.0.1')).toBe(UNLISTED))
})

test.each([
  undefined,
  { hosts: ['*.example.org', 'minio', 'a_b.test', 'fd00::/8', '10.0.0.1', 'xn--bcher-kva.example', 'x.test.'] },
  { metadata: true },
])('rules %j are understood', access => expect(accessError(access)).toBeUndefined())

test.each([
  [null, 'object'],
  [{ host: ['*'] }, 'something else'],
  [{ hosts: [''] }, 'access.hosts'],
  [{ hosts: ['*.*'] }, 'access.hosts'],
  [{ hosts: ['https://store.example'] }, 'access.hosts'],
  [{ hosts: ['10.0.0'] }, 'access.hosts'],
  [{ hosts: ['10.0.0.0/40'] }, 'access.hosts'],
  [{ metadata: 'true' }, 'access.metadata'],
])('rules %j are not, and nothing is done', async (access, words) => {
  expect(accessError(access)).toContain(words)
  expect(await main({ ...S3, tasks: [], access })).toEqual({ error: accessError(access) })
  expect(await main({ version: VERSION, probe: [], access })).toEqual({ error: accessError(access) })
})

describe('a task', () => {
  afterEach(() => {
    jest.restoreAllMocks()
    delete process.env.http_proxy
  })

  /** What a name server would say. @param {Record<string, string[]>} names */
  function resolveAs(names) {
    const { lookup } = dns
    jest.spyOn(dns, 'lookup').mockImplementation((host, options, done) => {
      if (!names[host]) return lookup(host, options, done)
      const found = names[host].map(address => ({ address, family: net.isIP(address) }))
      if (options.all) process.nextTick(done, null, found)
      else process.nextTick(done, null, found[0].address, found[0].family)
    })
  }

  /** A task of a hundred bytes, and its two ends. */
  async function someTask() {
    const [source, sink] = [await rangeSource(someBytes(100)), await partSink()]
    return { source, sink, task: makeTask(source, sink, { bytes: 100 }) }
  }
  /** What was sent is counted elsewhere. */
  const run = async (task, access) => {
    const [{ sent: _, ...outcome }] = (await main({ ...S3, tasks: [task], stallMs: 5000, access })).outcomes
    return outcome
  }
  const at = (url, host) => url.replace('127.0.0.1', host)
  const refused = (side, reason) => ({
    code: 'ADDRESS_REFUSED',
    side,
    reason,
    message: `The ${side === 'read' ? 'source' : 'destination'} may not be connected to, for ${reason}.`,
  })

  test.each([
    ['read', 'http://169.254.169.254/latest/meta-data/'],
    ['read', 'https://[::ffff:169.254.169.254]/'],
    ['read', 'http://0xa9.0xfe.43518/'],
    ['read', 'http://a-name-of-such.example.org/'],
    ['write', 'http://100.100.100.200/latest'],
  ])('that would %s at %s is refused before a byte is written', async (side, url) => {
    resolveAs({ 'a-name-of-such.example.org': ['169.254.169.254'] })
    const { task, sink } = await someTask()
    task[side].url = url
    expect(await run(task)).toEqual({ partNumber: 1, error: refused(side, METADATA) })
    expect(sink.connections).toBe(0)
  })

  test('over TLS is judged too, before the handshake', async () => {
    const inside = await listen(net.createServer())
    const task = makeTask(inside, inside, { bytes: 100 })
    task.read.url = at(inside.url, 'localhost').replace('http:', 'https:')
    expect(await run(task, { hosts: ['10.0.0.0/8'] })).toEqual({ partNumber: 1, error: refused('read', UNLISTED) })
    expect(inside.connections).toBe(0)
  })

  const THIS_MACHINE = ['here.example.org', '127.0.0.1', 'localhost.', '[::127.0.0.1]']
  test.each(THIS_MACHINE)('to which only a redirect leads is not read from this machine: %s', async host => {
    resolveAs({ 'here.example.org': ['127.0.0.1'], 'localhost.': ['127.0.0.1'] })
    const { task, source } = await someTask()
    task.read = { ...task.read, url: at(source.url, host), elsewhere: true }
    const error = refused('read', 'it is this machine, to which no redirect leads')
    expect([await run(task), source.connections]).toEqual([{ partNumber: 1, error }, 0])
  })

  test('uses of several addresses those that it may', async () => {
    resolveAs({ 'store.example.org': ['169.254.169.254', '127.0.0.1'] })
    const { task } = await someTask()
    task.read.url = at(task.read.url, 'store.example.org')
    expect(await run(task)).toMatchObject({ bytes: 100 })
  })

  test('may connect to what the list has, by name and by address', async () => {
    const { task } = await someTask()
    task.read.url = at(task.read.url, 'localhost')
    expect(await run(task, { hosts: ['localhost', '127.0.0.1'] })).toMatchObject({ bytes: 100 })
    expect(await run(task, { hosts: ['127.0.0.0/8', '::1'] })).toMatchObject({ bytes: 100 })
    expect(await run(task, { hosts: ['localhost'] })).toEqual({ partNumber: 1, error: refused('write', UNLISTED) })
    expect(await run(task, { hosts: ['127.0.0.2'] })).toEqual({ partNumber: 1, error: refused('read', UNLISTED) })
  })

  test('finds no connection that was opened under other rules', async () => {
    const { task } = await someTask()
    for (const request of [task.read, task.write]) request.url = at(request.url, 'localhost')
    expect(await run(task, { hosts: ['127.0.0.0/8', '::1'] })).toMatchObject({ bytes: 100 })
    expect(await run(task, { hosts: ['10.0.0.0/8'] })).toEqual({ partNumber: 1, error: refused('read', UNLISTED) })
  })

  test('through a proxy is judged by the name alone, for the proxy looks it up', async () => {
    const seen = []
    const proxy = await listen(
      http.createServer((request, response) => {
        seen.push(request.url)
        response.writeHead(404, { 'content-length': 0 }).end()
      }),
    )
    process.env.http_proxy = proxy.url
    const task = makeTask({ url: 'http://store.example.org' }, { url: 'http://store.example.org' }, { bytes: 100 })
    const lookup = jest.spyOn(dns, 'lookup')
    const reads = async access => (await run(task, access)).error
    expect(await reads({ hosts: ['*.example.org'] })).toMatchObject({ code: 'HTTP_STATUS', status: 404 })
    expect(await reads({ hosts: ['10.0.0.0/8'] })).toEqual(refused('read', UNLISTED))
    task.read.url = 'http://169.254.169.254/latest'
    expect(await reads()).toEqual(refused('read', METADATA))
    expect(seen).toEqual(['http://store.example.org:80/bucket/key?X-Amz-Signature=secret-query'])
    expect(lookup).not.toHaveBeenCalled()
  })
})

test.each([
  ['http://169.254.169.254/', undefined, METADATA],
  ['http://localhost/', { hosts: ['10.0.0.0/8'] }, UNLISTED],
])('a probe of %s under %j is refused: %s', async (url, access, reason) => {
  const { probes } = await main({ version: VERSION, probe: [{ url }], access })
  const message = `It may not be connected to, for ${reason}.`
  expect(probes).toEqual([{ reachable: false, error: { code: 'ADDRESS_REFUSED', message, reason } }])
})
