'use strict'

const { createBalance } = require('../../../../lib/engines/http/balance')
const { configured } = require('../../../../lib/engines/http')

/** @param {string[]} urls */
function open(urls = ['a', 'b', 'c']) {
  const clock = { ms: 1_000_000 }
  const balance = createBalance(urls, () => clock.ms)
  const choose = (...parts) => balance.choose(parts)?.url
  return { clock, balance, choose, member: url => balance.members.find(one => one.url === url) }
}

/** Starts invocations where the balance says, and counts them by worker. */
function spread({ balance }, count) {
  const all = { a: 0, b: 0, c: 0 }
  for (let i = 0; i < count; i++) {
    const member = balance.choose([])
    balance.begin(member, [])
    all[member.url]++
  }
  return all
}

test('a slow worker loses share, keeps some, and gets it back', () => {
  const world = open()
  const worked = (url, bytes) => world.balance.worked(world.member(url), { bytes, ms: 10 })
  for (const [url, bytes] of Object.entries({ a: 1_000, b: 1_000, c: 100 })) worked(url, bytes)
  expect(spread(world, 42)).toEqual({ a: 20, b: 20, c: 2 })
  for (let i = 0; i < 30; i++) worked('c', 1_000)
  expect(spread(world, 18).c).toBeGreaterThan(15)
})

test('a part that is tried again goes to a worker that is not at it', () => {
  const { balance, choose } = open()
  const over = balance.begin(balance.choose(['1 key']), ['1 key'])
  for (let i = 0; i < 2; i++) balance.begin(balance.choose([]), [])
  for (const member of balance.members.slice(1)) balance.begin(member, [])
  expect([choose('1 key'), choose('2 key')]).toEqual(['b', 'a'])
  over()
  expect(choose('1 key')).toBe('a')
})

test('a worker that failed is away until it has answered, for longer each time', () => {
  const { balance, clock, choose, member } = open(['a', 'b'])
  balance.failed(member('a'))
  // Of many invocations that end together the first counts.
  balance.failed(member('a'))
  expect([choose(), balance.away({ due: true })]).toEqual(['b', []])
  clock.ms += 1_000
  expect([choose(), balance.away({ due: true })]).toEqual(['b', [member('a')]])
  balance.failed(member('a'))
  clock.ms += 1_999
  expect(balance.away({ due: true })).toEqual([])
  clock.ms += 1
  expect(balance.away({ due: true })).toEqual([member('a')])
  balance.answered(member('a'), 7)
  expect([choose(), member('a').places, balance.away({ due: false })]).toEqual(['b', 7, []])
})

test('workers come from --worker, else from XFER_WORKERS, each once', async () => {
  const env = { XFER_WORKERS: ' https://c:1/ , http://d:2,https://c:1', XFER_TOKEN: 'abc' }
  expect(await configured({}, env)).toMatchObject({
    ...{ workers: ['https://c:1', 'http://d:2'], token: 'abc', from: 'the environment' },
    ...{ where: '2 workers', reach: 'network' },
  })
  expect(await configured({ worker: 'http://localhost:1/path/' }, env)).toMatchObject({
    ...{ workers: ['http://localhost:1/path'], from: '--worker', where: 'http://localhost:1/path', reach: 'local' },
  })
  expect(await configured({ worker: ['http://127.0.0.1:1', 'http://e'] }, {})).toMatchObject({ reach: 'network' })
  expect(await configured({}, { XFER_TOKEN: 'abc' })).toBeUndefined()
  expect(await configured({}, { XFER_WORKERS: ' , ' })).toBeUndefined()
})

test.each([['a:8080'], ['https://user:pass@a'], ['https://a?x=1']])('a worker at "%s" is a mistake', async worker => {
  const error = await configured({ worker }, {}).catch(error => error)
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('is not an http or https URL') })
  expect(error.message).not.toMatch(/pass|x=1/)
})

test('what is no token is a mistake that does not repeat it', async () => {
  const error = await configured({ worker: 'http://a' }, { XFER_TOKEN: 'two words' }).catch(error => error)
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('holds no token') })
  expect(error.message).not.toContain('two words')
})
