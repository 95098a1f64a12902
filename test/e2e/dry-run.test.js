'use strict'

/** A dry run of a prefix: what it tells is in the order of the names, with reasons, and the same each time. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openTrees } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { put } = require('../support/s3')

const NAMES = Array.from({ length: 60 }, (_, i) => `n${String(i).padStart(2, '0')}`)
const SKIPPED = NAMES.filter((_, i) => i % 3 === 0)
const EXTRA = ['n00+', 'n31+', 'z']

let servers
let trees
beforeAll(async () => {
  // Small pages, so that there would be many lists at once.
  servers = [await startStore({ pageSize: 5 }), await startStore({ pageSize: 5 })]
  trees = await openTrees({ source: servers[0], destination: servers[1] })
  await trees.fill(Object.fromEntries(NAMES.map(name => [`tree/${name}`, `bytes of ${name}`])))
  for (const name of SKIPPED) await put(trees.to, `tree/${name}`, Buffer.from(`bytes of ${name}`))
  await put(trees.to, 'tree/n01', Buffer.from('short'))
  for (const name of EXTRA) await put(trees.to, `tree/${name}`, Buffer.from('extra'))
})
afterAll(async () => {
  trees.close()
  for (const server of servers) await server.close()
})

const FLAGS = ['--delete', '--dry-run', '--checksum', '--exclude', 'n59']

const withoutTime = ({ time, ...event }) => event

test('events: every name once, in order, with its reason; twice the same', async () => {
  const [one, other] = [await trees.run(['sync', ...FLAGS]), await trees.run(['sync', ...FLAGS])]
  expect(one.status).toBe(0)
  expect(one.objects.map(({ name }) => name)).toEqual([...NAMES, ...EXTRA].sort())
  const of = name => one.objects.find(object => object.name === name)
  expect([of('n00'), of('n01'), of('n02'), of('n59'), of('z')].map(withoutTime)).toEqual([
    { type: 'object', action: 'skip', name: 'n00', bytes: 12, why: 'same-etag', bytesThere: 12 },
    { type: 'object', action: 'copy', name: 'n01', bytes: 12, why: 'size', bytesThere: 5 },
    { type: 'object', action: 'copy', name: 'n02', bytes: 12, why: 'new' },
    { type: 'object', action: 'skip', name: 'n59', bytes: 12, why: 'filtered' },
    { type: 'object', action: 'delete', name: 'z', bytes: 5, why: 'extra' },
  ])
  expect(other.objects.map(withoutTime)).toEqual(one.objects.map(withoutTime))
  for (const { time } of one.events) expect(new Date(time).toISOString()).toBe(time)
})

test.each([
  ['of a list', false],
  ['of a file of names', true],
])('failures have their places, too: %s', async (_, named) => {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-dry-'))
  const names = ['a', 'b', 'c', 'd', 'e']
  await trees.fill(Object.fromEntries(names.map(name => [`odd/${name}`, `bytes of ${name}`])))
  for (const name of names) await put(trees.to, `odd/${name}`, Buffer.from(`other of ${name}`.slice(0, 10)))
  servers[0].faults.add({ operation: 'HeadObject', key: 'odd/a', delayMs: 300 })
  servers[0].faults.add({ operation: 'HeadObject', key: 'odd/c', status: 403, code: 'AccessDenied' })
  writeFileSync(join(folder, 'names'), names.map(name => `${name}\n`).join(''))
  const flags = named ? ['--files-from', join(folder, 'names')] : []
  const { status, events } = await trees.run(['sync', '--dry-run', '--checksum', ...flags], { below: 'odd/' })
  const told = events.filter(({ type }) => type === 'object' || type === 'failure')
  expect({ status, told: told.map(({ type, name }) => [type, name]) }).toEqual({
    status: 1,
    told: names.map(name => [name === 'c' ? 'failure' : 'object', name]),
  })
  servers[0].faults.clear()
  rmSync(folder, { recursive: true })
})

test('lines: what would be done, and with --verbose also what would not', async () => {
  const run = async (...more) => {
    const args = ['sync', 's3://origin/tree/', 's3://target/tree/', '--engine', 'local', ...FLAGS, ...more]
    const { stdout } = await startXfer(args, { env: trees.env }).ended
    return stdout.trimEnd().split('\n')
  }
  const lines = await run()
  expect(lines.slice(0, 3)).toEqual([
    'delete n00+ (5 B, not at the source)',
    'copy n01 (12 B, larger than what is there, 5 B)',
    'copy n02 (12 B, new)',
  ])
  expect(lines.at(-1)).toBe(
    'Would copy 39 objects with 468 B from s3://origin/tree/ to s3://target/tree/, delete 3, filter out 1, and skip 20.',
  )
  expect((await run('--verbose')).slice(0, 3)).toEqual([
    'skip n00 (12 B, the same ETag)',
    'delete n00+ (5 B, not at the source)',
    'copy n01 (12 B, larger than what is there, 5 B)',
  ])
})
