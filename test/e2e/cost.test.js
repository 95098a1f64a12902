'use strict'

/** What a copy tells that it used, against what its stores were asked; what a dry run foretells; and prices. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { spawn } = require('node:child_process')
const { openWorld } = require('../golden/world')
const { keep, newFolder } = require('../support/opened')
const { bareEnv, eventsOf, XFER } = require('../support/run-xfer')

const MiB = 1024 ** 2
const SMALL = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`tree/s${i}`, { bytes: 1_000 }]))
const LARGE = { ...SMALL, 'tree/l1': { bytes: 11 * MiB }, 'tree/l2': { bytes: 16 * MiB } }
const ONE = { one: { bytes: 100_000 } }
const PARTS = { one: { bytes: 62 * MiB } }

/** The kind of a request by the name that its store has for it, for people who read price lists. @type {Array<[RegExp, string]>} */
const KINDS = [
  [/^List/, 'LIST'],
  [/Copy|From URL/, 'COPY'],
  [/^Head|Properties/, 'HEAD'],
  [/^Get/, 'GET'],
  [/^DeleteObjects|^(Create|Complete)MultipartUpload/, 'POST'],
  [/^Delete|^Abort/, 'DELETE'],
  [/^Put|^UploadPart|^Set/, 'PUT'],
]

/** @param {Map<string, number>} asked */
function byKind(asked) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const [line, count] of asked) {
    const [, kind] = KINDS.find(([name]) => name.test(line))
    counts[kind] = (counts[kind] ?? 0) + count
  }
  return counts
}

/** @param {any} world @param {string} line @param {{ stdin?: Buffer, killAt?: (event: any) => boolean, more?: string[] }} [how] */
async function run(world, line, { stdin, killAt, more = [] } = {}) {
  const words = line.replace('FROM/', world.names.from).replace('INTO/', world.names.into).split(' ')
  const args = [...words, ...world.flags, '--json', '--concurrency', '1', ...more]
  const child = spawn(process.execPath, [XFER, ...args], { env: { ...bareEnv, ...world.env } })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', text => {
    stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
    const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1)
    if (killAt && eventsOf({ stdout: whole }).some(killAt)) child.kill('SIGKILL')
  })
  child.stdin.end(stdin)
  const status = await new Promise(resolve => child.on('close', resolve))
  if (killAt) return {}
  const events = eventsOf({ stdout })
  return { status, events, last: events.at(-1), stderr }
}

/** Both stores have heard all that a killed process has sent. */
async function settle(world) {
  await world.look()
  for (const asked of Object.values(world.asked)) asked.clear()
}

const killed = { killAt: event => event.type === 'part' }
const FIRST = 'copy FROM/one INTO/one --chunk 5'

/** @type {Array<[what: string, scenario: any, line: string, how?: any, before?: [string, any]]>} */
const JOBS = [
  ['an object in parts', { source: PARTS }, FIRST],
  ['small and large objects', { source: LARGE }, 'copy -r FROM/tree/ INTO/tree/ --chunk 5'],
  [
    'a sync that deletes',
    { source: SMALL, destination: { 'tree/s1': { bytes: 1_000 }, 'tree/x1': { text: 'x' }, 'tree/x2': { text: 'x' } } },
    'sync FROM/tree/ INTO/tree/ --delete',
  ],
  ['a resume after a kill', { source: PARTS }, 'resume', {}, [FIRST, killed]],
  ['a move', { source: ONE }, 'mv FROM/one INTO/one'],
  ['a comparison that reads', { source: PARTS, destination: PARTS }, 'verify FROM/one INTO/one --chunk 5'],
  ['a stream', {}, 'copy - INTO/one --chunk 5', { stdin: Buffer.alloc(12 * MiB, 'x') }],
  ['a copy by the store', { source: PARTS, to: 'same' }, FIRST],
  ['a copy to Azure', { source: PARTS, to: 'azure' }, FIRST],
  ['a copy to Google', { source: ONE, to: 'google' }, 'copy FROM/one INTO/one'],
  ['a copy by functions', { source: LARGE, engine: 'lambda' }, 'copy -r FROM/tree/ INTO/tree/ --chunk 5'],
  ['a copy that is read back', { source: PARTS }, `${FIRST} --verify full`],
  ['a copy to a store that checks nothing', { source: PARTS, toOptions: { checksums: false } }, FIRST],
  [
    'a copy with failures',
    {
      source: PARTS,
      sourceFaults: [
        { operation: 'GetObject', nth: 2, status: 503, code: 'SlowDown' },
        { operation: 'GetObject', nth: 4, cutAfterBytes: 100_000 },
      ],
      destinationFaults: [{ operation: 'UploadPart', nth: 2, status: 503, code: 'SlowDown' }],
    },
    FIRST,
  ],
]

/** @param {any} requests of a summary @param {boolean} together both sides are one store */
function merged({ source, destination }, together) {
  if (!together) return { source, destination }
  const all = { ...source }
  for (const [kind, count] of Object.entries(destination)) all[kind] = (all[kind] ?? 0) + count
  return { source: all, destination: {} }
}

const count = ({ source, destination }) =>
  [...Object.values(source), ...Object.values(destination)].reduce((sum, each) => sum + each, 0)

/** What a dry run of a job foretells, within a tenth or two requests. */
function expectForetold(planned, done) {
  expect(planned.cost).toMatchObject({ lines: [], total: 0, currency: 'USD', unknown: [] })
  expect(done.cost).toBeUndefined()
  const [foretold, used] = [count(planned.usage.requests), count(done.usage.requests)]
  expect(Math.abs(foretold - used)).toBeLessThanOrEqual(Math.max(2, used / 10))
  expect(planned.usage.bytesOut).toEqual(done.usage.bytesOut)
  const [invoked, ran] = [planned.usage.invocations, done.usage.invocations]
  expect(Math.abs(invoked - ran)).toBeLessThanOrEqual(Math.max(2, ran / 10))
}

test.each(JOBS.map(job => [job[0], job]))(
  'what %s used is what the stores were asked, and what its dry run foretold',
  async (what, [, scenario, line, how, before]) => {
    const world = await keep(openWorld(scenario))
    if (before) await run(world, ...before)
    const isForetold = !how && !/^(resume|verify)/.test(line) && !/failures/.test(what)
    const planned = isForetold && (await run(world, line, { more: ['--dry-run'] })).last
    await settle(world)
    const { status, last, stderr } = await run(world, line, how)
    expect({ status, message: last.message, stderr }).toEqual({ status: 0, message: undefined, stderr: '' })
    const asked = { source: byKind(world.asked.source), destination: byKind(world.asked.destination) }
    expect(merged(last.usage.requests, scenario.to === 'same')).toEqual(asked)
    if (planned) expectForetold(planned, last)
  },
)

test.each(['local', 'lambda'])(
  'a part that is started twice is counted twice: %s',
  async engine => {
    const world = await keep(
      openWorld({
        ...{ source: PARTS, engine },
        // Its twin is not delayed.
        destinationFaults: [{ operation: 'UploadPart', nth: 3, delayMs: 60_000 }],
      }),
    )
    const { status, events, last } = await run(world, FIRST, { more: ['--concurrency', '4'] })
    expect({ status, hedged: events.filter(({ type }) => type === 'hedge').length }).toEqual({ status: 0, hedged: 1 })
    const asked = { source: byKind(world.asked.source), destination: byKind(world.asked.destination) }
    expect(last.usage.requests).toEqual(asked)
    expect({ puts: asked.destination.PUT, bytes: last.usage.bytesOut.source }).toEqual({
      puts: 13 + 1,
      bytes: (62 + 5) * MiB,
    })
  },
  60_000,
)

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
    priced([
      row(from, 'egress', 0.09, 'GB'),
      row(to, 'PUT', 5, 'thousand requests'),
      row(to, 'POST', 5, 'thousand requests'),
    ])
    const { last } = await run(world, FIRST, { more: ['--prices', file] })
    const { cost } = last
    const egress = 0.09 * 0.065011712
    expect(cost.lines.map(({ what, count, amount }) => [what, count, amount])).toEqual([
      [`PUT, POST at ${to}`.replace('PUT, POST', 'POST, PUT'), 0.015, 0.075],
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
    const how = { more: ['--prices', file, '--max-cost', '12.99'] }
    const { status, last } = await run(world, 'copy FROM/one INTO/two --chunk 5', how)
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'TOO_EXPENSIVE' })
    expect(last.message).toContain(
      'about $13.00 by list prices, more than --max-cost 12.99, without what has no known price (GET, HEAD, POST',
    )
    expect(byKind(world.asked.destination)).toEqual({ GET: 1, HEAD: 1 })
    const { status: copied, last: done } = await run(world, 'copy FROM/one INTO/two --chunk 5', {
      more: ['--prices', file, '--max-cost', '13'],
    })
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
    const { status, last } = await run(world, FIRST, { more: ['--prices', file] })
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'USAGE' })
    expect(last.message).toContain(why)
    expect(world.asked.source.size).toBe(0)
  })
})
