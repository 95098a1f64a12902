'use strict'

/** What is deleted, what is left, and what is told of each. */

const { remove } = require('../../../lib')
const { newFolder, openStore, startStore } = require('../../support/opened')
const { sideEnv } = require('../../support/run-xfer')
const { keysOf, put } = require('../../support/s3')

const KEYS = ['p/a', 'p/b', 'p/c', 'q', 'r/a']
const at = (/** @type {string[]} */ ...keys) => keys.map(key => `s3://bucket/${key}`)
let server
let store
beforeAll(async () => {
  server = await startStore({ buckets: ['bucket'] })
  store = openStore(server, 'bucket')
})
beforeEach(async () => {
  server.faults.clear()
  for (const key of KEYS) await put(store, key, Buffer.from(key))
})

const fails = () => {
  throw new Error('not today')
}
const stop = new AbortController()
/** Nobody ever answers. */
const waits = () => stop.abort() ?? new Promise(() => {})
const STOPPED = { confirm: waits, signal: stop.signal }
const denied = (call, key = 'q') => ({ operation: `${call}Object`, key, status: 403, code: 'AccessDenied' })
const NO_B = { recursive: true, filters: [{ exclude: 'b' }], maxDelete: 2 }
test.each([
  ['one object', at('q'), {}, ['q removed'], ['q']],
  ['none in a dry run', at('q'), { dryRun: true }, ['q left'], []],
  ['one that is not there', at('none'), {}, [], [], 'NO_SUCH_KEY'],
  [
    'the others',
    at('q', 'none', 'p/a'),
    {},
    ['none failed', 'p/a removed', 'q removed'],
    ['p/a', 'q'],
    'OBJECTS_FAILED',
  ],
  ['what may not be read', at('q'), { fault: denied('Head') }, ['q removed'], ['q']],
  ['no such in a dry run', at('q'), { fault: denied('Head'), dryRun: true }, [], [], 'ACCESS_DENIED'],
  ['what may not be deleted', at('q'), { fault: denied('Delete') }, [], [], 'ACCESS_DENIED'],
  ['nothing without a key', at(''), {}, [], [], 'BAD_LOCATION'],
  // All are checked before the first one goes.
  ['nothing where one has no key', at('q', ...Array(9).fill('p/a'), ''), {}, [], [], 'BAD_LOCATION'],
  ['nothing of nothing', [], {}, [], [], 'USAGE'],
  ['no prefix by what selects', at('p/a'), { maxDelete: 5 }, [], [], 'USAGE'],
  ['no version of two', at('p/a', 'p/b'), { versionId: 'v' }, [], [], 'USAGE'],
  ['a prefix', at('p'), { recursive: true }, ['p/a removed', 'p/b removed', 'p/c removed'], ['p/a', 'p/b', 'p/c']],
  ['no prefix in a dry run', at('p'), { recursive: true, dryRun: true }, ['p/a left', 'p/b left', 'p/c left'], []],
  ['what is chosen', at('p'), NO_B, ['p/a removed', 'p/c removed'], ['p/a', 'p/c']],
  ['nothing by an --include alone', at('p'), { recursive: true, filters: [{ include: 'a' }] }, [], [], 'USAGE'],
  [
    'what may be deleted below a prefix',
    at('p'),
    {
      recursive: true,
      fault: [{ operation: 'DeleteObjects', status: 501, code: 'NotImplemented' }, denied('Delete', 'p/b')],
    },
    ['p/a removed', 'p/b failed', 'p/c removed'],
    ['p/a', 'p/c'],
    'OBJECTS_FAILED',
  ],
  ['nothing if it is more than may be', at('p'), { recursive: true, maxDelete: 2 }, [], [], 'TOO_MANY_DELETIONS'],
  ['nothing if all together are', at('p', 'r'), { recursive: true, maxDelete: 3 }, [], [], 'TOO_MANY_DELETIONS'],
  ['once what lies below two', at('r', 'r/', 'r'), { recursive: true, maxDelete: 1 }, ['r/a removed'], ['r/a']],
  ['nothing if one is no place', [...at('p'), 's3://b2'], { recursive: true }, [], [], 'BAD_LOCATION'],
  ['nothing if who is asked fails', at('p'), { recursive: true, confirm: fails }, [], [], 'HANDLER_FAILED'],
  ['nothing if it is stopped before', at('p'), { recursive: true, ...STOPPED }, [], [], 'INTERRUPTED'],
  ['nothing if nobody says yes', at('p'), { recursive: true, confirm: () => false }, [], [], 'NOT_CONFIRMED'],
  ['nothing below an empty prefix', at('none'), { recursive: true }, [], [], 'NOTHING_FOUND'],
])('rm takes %s', async (_, locations, { fault = [], ...options }, told, gone, code = undefined) => {
  for (const one of [fault].flat()) server.faults.add(one)
  const found = []
  const onObject = ({ location, outcome }) => void found.push(`${location.replace('s3://bucket/', '')} ${outcome}`)
  const env = { HOME: newFolder(), ...sideEnv('DEST', server) }
  const done = await remove(locations, { env, onObject, ...options }).catch(error => error)
  expect([done.code, found.sort()]).toEqual([code, told])
  if (!code) expect(done).toEqual({ objects: told.length, ...(options.dryRun && { dryRun: true }) })
  server.faults.clear()
  expect(await keysOf(store)).toEqual(KEYS.filter(key => !gone.includes(key)))
})

test('rm tells filters that do nothing below any prefix, before it asks', async () => {
  const told = []
  const onEvent = ({ code, message }) => void told.push(code === 'FILTERS_UNMATCHED' ? message : code)
  const filters = [{ include: 'x' }, { exclude: 'c' }, { exclude: 'none' }]
  const options = { env: { HOME: newFolder(), ...sideEnv('DEST', server) }, recursive: true, filters, onEvent }
  const asks = { ...options, confirm: () => void told.push('asked') }
  await expect(remove(at('r', 'p'), asks)).rejects.toMatchObject({ code: 'NOT_CONFIRMED' })
  expect(told).toEqual(['INCLUDE_ALONE', 'No name matches --include x, --exclude none.', 'asked'])
})
