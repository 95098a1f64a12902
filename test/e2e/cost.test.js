'use strict'

/** What a copy tells that it used, against what its dry run foretold; and prices. That it is what the stores were asked, the goldens show. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { openWorld } = require('../golden/world')
const { keep, newFolder } = require('../support/opened')
const { eventsOf, runXfer } = require('../support/run-xfer')

const MiB = 1024 ** 2
const SMALL = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`tree/s${i}`, { bytes: 1_000 }]))
const LARGE = { ...SMALL, 'tree/l1': { bytes: 11 * MiB }, 'tree/l2': { bytes: 16 * MiB } }
const ONE = { one: { bytes: 100_000 } }
const PARTS = { one: { bytes: 62 * MiB } }

/** @param {any} world @param {string} line @param {string[]} more */
async function run(world, line, ...more) {
  const words = line.replace('FROM/', world.names.from).replace('INTO/', world.names.into).split(' ')
  const args = [...words, ...world.flags, '--json', '--concurrency', '1', ...more]
  const { status, stdout } = await runXfer(args, { env: world.env })
  const events = eventsOf({ stdout })
  return { status, events, last: events.at(-1) }
}

const ask = map => [...map.keys()].map(line => line.split(' ')[0])
const FIRST = 'copy FROM/one INTO/one --chunk 5'
const TREE = 'copy -r FROM/tree/ INTO/tree/ --chunk 5'
const THERE = { 'tree/s1': { bytes: 1_000 }, 'tree/x1': { text: 'x' }, 'tree/x2': { text: 'x' } }

/** What a dry run foretells, within a tenth or two. */
const isNear = (foretold, used) => Math.abs(foretold - used) <= Math.max(2, used / 10)
const countOf = ({ requests: { source, destination } }) =>
  [source, destination].flatMap(Object.values).reduce((sum, each) => sum + each, 0)

test.each([
  ['an object in parts', { source: PARTS }, FIRST],
  ['small and large objects', { source: LARGE }, TREE],
  ['a sync that deletes', { source: SMALL, destination: THERE }, 'sync FROM/tree/ INTO/tree/ --delete'],
  ['a move', { source: ONE }, 'mv FROM/one INTO/one'],
  ['a copy by the store', { source: PARTS, to: 'same' }, FIRST],
  ['a copy to Azure', { source: PARTS, to: 'azure' }, FIRST],
  ['a copy to Google', { source: ONE, to: 'google' }, 'copy FROM/one INTO/one'],
  ['a copy by functions', { source: LARGE, engine: 'lambda' }, TREE],
  ['a copy that is read back', { source: PARTS }, `${FIRST} --verify full`],
  ['a copy to a store that checks nothing', { source: PARTS, toOptions: { checksums: false } }, FIRST],
])('what %s uses is what its dry run foretold', async (_, scenario, line) => {
  const world = await keep(openWorld(/** @type {any} */ (scenario)))
  const { last: planned } = await run(world, line, '--dry-run')
  const { status, last: done } = await run(world, line)
  expect({ status, message: done.message, cost: done.cost }).toEqual({ status: 0 })
  expect(planned.cost).toMatchObject({ lines: [], total: 0, currency: 'USD', unknown: [] })
  expect(planned.usage.bytesOut).toEqual(done.usage.bytesOut)
  const [foretold, used] = [planned.usage, done.usage].map(usage => [countOf(usage), usage.invocations])
  expect({ foretold, used, near: foretold.map((each, i) => isNear(each, used[i])) }).toMatchObject({
    near: [true, true],
  })
})

describe('prices', () => {
  let world
  let folder
  let file
  /** @param {unknown} rows */
  const priced = rows => writeFileSync(file, typeof rows === 'string' ? rows : JSON.stringify(rows))
  const hostOf = server => new URL(server.endpoint).host
  const row = (provider, what, price, unit) => ({ provider, what, price, unit, source: 'a test', date: '2026-11' })

  beforeAll(async () => {
    world = await keep(openWorld({ source: PARTS }))
    folder = newFolder()
    file = join(folder, 'prices')
  })

  test('of a table of the user count each kind at its store, and name what has none', async () => {
    const [from, to] = [hostOf(world.first), hostOf(world.second)]
    priced([row(from, 'egress', 0.09, 'GB'), ...['PUT', 'POST'].map(what => row(to, what, 5, 'thousand requests'))])
    const { last } = await run(world, FIRST, '--prices', file)
    const { cost } = last
    const egress = 0.09 * 0.065011712
    expect(cost.lines.map(({ what, count, amount }) => [what, count, amount])).toEqual([
      [`POST, PUT at ${to}`, 0.015, 0.075],
      [`bytes that leave ${from}`, 0.065011712, expect.closeTo(egress, 8)],
    ])
    expect(cost.total).toBeCloseTo(0.075 + egress, 8)
    expect(cost.unknown).toEqual([`GET, HEAD at ${from}`, `HEAD, LIST at ${to}`])
    expect(cost.notes).toContain('This machine is taken to be outside of every cloud.')
  })

  test('a plan above --max-cost is refused before the first byte; one below it is copied', async () => {
    const to = hostOf(world.second)
    priced(`- { provider: "${to}", what: PUT, price: 1, unit: request, source: a test, date: 2026-11 }\n`)
    world.asked.destination.clear()
    const copy = most => run(world, 'copy FROM/one INTO/two --chunk 5', '--prices', file, '--max-cost', most)
    const { status, last } = await copy('12.99')
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'TOO_EXPENSIVE' })
    expect(last.message).toContain(
      'about $13.00 by list prices, more than --max-cost 12.99, without what has no known price (GET, HEAD, POST',
    )
    expect(ask(world.asked.destination).sort()).toEqual(['GetObject', 'HeadObject'])
    const { status: copied, last: done } = await copy('13')
    expect(copied).toBe(0)
    expect(done.cost.lines).toEqual([expect.objectContaining({ what: `PUT at ${to}`, count: 13, amount: 13 })])
    // Its own dry run is told, too, and the last look.
    expect(done.usage.requests.destination).toMatchObject({ PUT: 13, HEAD: 2, GET: 1 })
  })

  test.each([
    ['[{]', 'Flow'],
    ['provider: x', 'it has no list of rows'],
    [[{ ...row('x', 'PUT', 1, 'request'), extra: 1 }], 'row 1 has an unknown field "extra"'],
    [[row('x', 'PUT', 1, 'request'), row('x', 'put', 1, 'request')], 'row 2 has none of egress'],
    [[row('x', 'PUT', '1', 'request')], 'row 1 has no number as its "price"'],
    [[row('x', 'egress', 1, 'request')], 'row 1 needs as its "unit" one of GB, GiB'],
    [[row('', 'PUT', 1, 'request')], 'row 1 has no text for "provider"'],
  ])('a table that is none is refused: %j', async (rows, why) => {
    priced(rows)
    world.asked.source.clear()
    const { status, last } = await run(world, FIRST, '--prices', file)
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'USAGE' })
    expect(last.message).toContain(why)
    expect(world.asked.source.size).toBe(0)
  })
})
