'use strict'

/** docs/reference/events.md lists every event and every field that real commands print with `--json`. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { openStore, startStore } = require('../support/opened')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, createBuckets, put } = require('../support/s3')

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'events.md'), 'utf8')

/** By type: the fields that a section of the page has, by name, with whether an event has each always. */
function kindsOf(heading) {
  const [, section] = PAGE.split(`\n## ${heading}\n`)
  const [, ...kinds] = section.split('\n## ')[0].split('\n### ')
  return Object.fromEntries(
    kinds.map(kind => {
      const rows = [...kind.matchAll(/^\| `(\w+)` \| (sometimes )?\|/gm)]
      return [kind.slice(0, kind.indexOf('\n')), Object.fromEntries(rows.map(([, name, often]) => [name, !often]))]
    }),
  )
}

const OF_ONE_OBJECT = kindsOf('A copy of one object')
const OF_A_PREFIX = kindsOf('A copy or sync of a prefix')
const OF_VERIFY_PREFIX = kindsOf('xfer verify -r')

let servers
let source
beforeAll(async () => {
  servers = [await startStore(), await startStore()]
  await createBuckets(servers[0], 'origin')
  await createBuckets(servers[1], 'target')
  source = openStore(servers[0], 'origin')
  await put(source, 'large', bytesOf(11 * MiB, 'a'))
  for (const name of ['p/a', 'p/b', 'p/c']) await put(source, name, bytesOf(100, name))
})

const run = async (...args) => {
  const ended = await startXfer([...args, '--json', '--engine', 'local'], { env: copyEnv(...servers) }).ended
  return eventsOf(ended)
}

/** What is in the events and not on the page, or always there by the page and not in the events. */
function unlike(events, kinds) {
  return events.flatMap(({ type, time, ...event }) => {
    const fields = kinds[type]
    if (!fields) return [type]
    const unknown = Object.keys(event).filter(name => !(name in fields))
    const missing = Object.keys(fields).filter(name => fields[name] && !(name in event))
    return [...unknown, ...missing].map(name => `${type}: ${name}`)
  })
}

test('of a copy of one object that fails now and then', async () => {
  servers[1].faults.add({ operation: 'UploadPart', nth: 1, status: 500, code: 'InternalError' })
  servers[1].faults.add({ operation: 'UploadPart', nth: 3, status: 503, code: 'SlowDown' })
  const events = await run('copy', 's3://origin/large', 's3://target/large', '--chunk', '5')
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['plan', 'part', 'retry', 'progress', 'done']))
  expect(events.filter(({ type }) => type === 'phase')).toEqual([
    expect.objectContaining({ phase: 'assembling', parts: 3 }),
  ])
  expect(unlike(events, OF_ONE_OBJECT)).toEqual([])
})

test('of a prefix of which an object fails', async () => {
  servers[1].faults.add({ operation: 'PutObject', key: 'p/b', status: 403, code: 'AccessDenied' })
  const events = await run('copy', '-r', 's3://origin/p', 's3://target/p')
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['plan', 'object', 'failure', 'error']))
  expect(unlike(events, { ...OF_ONE_OBJECT, ...OF_A_PREFIX })).toEqual([])
})

test('of a comparison of prefixes, equal and not', async () => {
  const kinds = { ...OF_ONE_OBJECT, ...OF_VERIFY_PREFIX }
  await run('copy', '-r', 's3://origin/p', 's3://target/compared')
  const equal = await run('verify', '-r', 's3://origin/p', 's3://target/compared', '--read')
  expect(equal.at(-1).type).toBe('done')
  expect(unlike(equal, kinds)).toEqual([])
  servers[1].faults.add({ operation: 'HeadObject', key: 'compared/b', status: 403, code: 'AccessDenied' })
  const failed = await run('verify', '-r', 's3://origin/p', 's3://target/compared', '--read')
  expect(failed.map(({ type }) => type)).toEqual(expect.arrayContaining(['plan', 'failure', 'progress', 'error']))
  expect(unlike(failed, kinds)).toEqual([])
  const differing = await run('verify', '-r', 's3://origin/p', 's3://target/nothing')
  expect(differing.filter(({ type }) => type === 'difference')).toHaveLength(3)
  expect(unlike(differing, kinds)).toEqual([])
})
