'use strict'

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { XferError } = require('../../../lib/engines/openwhisk/errors')
const { createFailures } = require('../../../lib/many/report')
const { createTally } = require('../../../lib/many/tally')
const { newFolder } = require('../../support/folder')

const FACTS = { side: 'source', bucket: 'b', endpoint: 'http://store', platform: 'the platform', reason: 'why' }
const errorOf = code => new XferError(code, FACTS)

/** @param {{ failures?: string, failure?: () => any, dryRun?: boolean }} [how] */
function setUp({ failures, failure = () => undefined, dryRun = false } = {}) {
  const tally = createTally({ startMs: 0 })
  const over = new AbortController()
  const told = []
  const run = { cancel: over.signal, end: reason => over.abort(reason), emit: event => told.push(event) }
  const job = { settings: { dryRun, move: false }, run }
  const noted = createFailures({ job, selection: { failures }, tally, failure })
  return { tally, over, told, noted }
}

function note({ noted }, codes) {
  for (const [nth, code] of codes.entries()) noted.note(`n${nth}`, errorOf(code), { seen: 0, before: 0 })
}
const all = code => Array(100).fill(code)

test('the first hundred objects that fail with one code end the job, which says so', () => {
  const job = setUp()
  note(job, all('ACCESS_DENIED').slice(1))
  expect(job.over.signal.aborted).toBe(false)
  note(job, ['ACCESS_DENIED'])
  expect(job.over.signal.reason).toMatchObject({
    code: 'OBJECTS_FAILED',
    message: expect.stringContaining('could not be copied, all with ACCESS_DENIED, and xfer started no more.'),
    facts: { objects: { failed: 100, copied: 0 }, stopped: true },
  })
})

test.each([
  ['with several codes', [...all('ACCESS_DENIED').slice(1), 'NO_SUCH_KEY', ...all('ACCESS_DENIED')], {}],
  ['with a code that a retry may help', [...all('STORE_UNREACHABLE'), ...all('STORE_UNREACHABLE')], {}],
  ['in a dry run', all('ACCESS_DENIED'), { dryRun: true }],
  ['beside one that was copied', all('ACCESS_DENIED'), {}, tally => tally.copied({ proof: [] }, { seen: 0 }, 0)],
  ['beside one that an earlier run has copied', all('ACCESS_DENIED'), {}, tally => tally.left('earlier')],
])('the first hundred objects that fail %s do not', (_, codes, how, succeed = undefined) => {
  const job = setUp(how)
  succeed?.(job.tally)
  note(job, codes)
  expect(job.over.signal.aborted).toBe(false)
})

test('an object that an abort stopped has not failed, one with an error of its own has', async () => {
  const { tally, over, noted } = setUp()
  const reason = errorOf('INTERRUPTED')
  over.abort(reason)
  expect(noted.note('a', reason, { seen: 0 })).toBe(false)
  expect(noted.note('b', errorOf('ACCESS_DENIED'), { seen: 0 })).toBe(true)
  expect(tally.counts.failed).toBe(1)
  expect(noted.reason()).toBe(reason)
})

test.each(['NO_SUCH_BUCKET', 'CREDENTIALS_EXPIRED', 'ACTION_VERSION'])('%s of one is that of all', async code => {
  const { tally, over, noted } = setUp()
  const error = errorOf(code)
  expect(noted.note('a', error, { seen: 0 })).toBe(false)
  expect([tally.counts.failed, over.signal.reason, noted.reason()]).toEqual([0, error, error])
})

test('what ended the work on all objects is no failure of each of them', async () => {
  const ended = errorOf('STORE_THROTTLED')
  const { tally, over, noted } = setUp({ failure: () => ended })
  expect(noted.note('a', ended, { seen: 0 })).toBe(false)
  expect([tally.counts.failed, over.signal.reason]).toEqual([0, ended])
})

test('their file has all of them', async () => {
  const path = join(newFolder(), 'failed')
  const { noted } = setUp({ failures: path })
  const names = Array.from({ length: 5_000 }, (_, i) => `n${i}`)
  for (const name of names) noted.note(name, errorOf('ACCESS_DENIED'), { seen: 0 })
  noted.close()
  expect(readFileSync(path, 'utf8')).toBe(`${names.join('\n')}\n`)
})

test('their file is left as it is by a dry run', () => {
  const path = join(newFolder(), 'failed')
  writeFileSync(path, 'a\n')
  setUp({ failures: path, dryRun: true }).noted.close()
  expect(readFileSync(path, 'utf8')).toBe('a\n')
})
