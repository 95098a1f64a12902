'use strict'

const { openOne, openState } = require('../../../lib/job')
const { makeHome } = require('../../support/home')
const { newStateHome } = require('../../support/journals')
const { keep, openStore, startStore } = require('../../support/opened')
const { sideOptions } = require('../../support/run-xfer')
const { bytesOf, put } = require('../../support/s3')
const { asksServer, readSettings } = require('../../../lib/job/open')
const { keyOf } = require('../../../lib/job/upload')
const { identify, parsePlace } = require('../../../lib/stores')

/** One end alone: whose settings count, what is repeated and told, and how it ends. */

let server
let env
beforeAll(async () => {
  server = await startStore({ buckets: ['things'] })
  env = { HOME: newStateHome() }
  await put(openStore(server, 'things'), 'a/one', bytesOf(10))
})
afterEach(() => server.faults.clear())

it('uploads to one place have a session together, if what it holds is the same for all', () => {
  const place = parsePlace('s3://things/a', 'destination')
  const key = (/** @type {any} */ options) =>
    keyOf(place, options, { settings: readSettings(options, { prefixes: false }), name: 'auto' })
  const common = [{}, { clobber: false }, { metadataSet: { a: 'b' } }, { timeout: '1s' }, { chunk: '16MiB' }]
  const sides = [{ region: 'x' }, { endpointUrl: 'http://x' }].map(destination => ({ destination }))
  const others = [{ retries: 9 }, { concurrency: 3 }, { memory: '64MiB' }, { outageTimeout: '1s' }, { caBundle: 'x' }]
  expect(new Set(common.map(key)).size).toBe(1)
  expect(new Set([{}, ...sides, ...others].map(key)).size).toBe(8)
  const asked = { destination: { credentials: async () => server } }
  for (const alone of [{ bandwidth: '1M' }, { ifMatch: '"0"' }, asked]) expect(key(alone)).toBeUndefined()
})

it('openOne repeats a call that fails, and tells it', async () => {
  const events = []
  server.faults.add({ operation: 'HeadObject', status: 503, nth: 1 })
  const options = { source: sideOptions(server), env }
  const { end } = keep(await openOne('s3://things/a/one', 'source', options, event => events.push(event)))
  expect(await end.store.head(end.key)).toMatchObject({ bytes: 10 })
  expect(events).toMatchObject([{ type: 'retry', call: 'head', side: 'source', attempt: 1 }])
})

it('openOne knows a place with a profile by its plain name too', async () => {
  const { accessKeyId, secretAccessKey } = server
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  const HOME = makeHome({ '.aws/config': `[profile old]\n${keys}region = us-east-1\n` })
  const { end } = keep(await openOne('s3://old@things/a/one', 'source', { env: { HOME } }, () => {}))
  expect([end.text, end.plain]).toEqual(['s3://old@things/a/one', 's3://things/a/one'])
})

it('openOne is cancelled by the signal of its caller', async () => {
  const stop = new AbortController()
  const options = { source: sideOptions(server), env, signal: stop.signal }
  const { end, run } = keep(await openOne('s3://things/a/one', 'source', options, () => {}))
  stop.abort()
  await expect(end.store.head(end.key, { signal: run.cancel })).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

const storeAt = (endpoint, region = 'us-east-1') =>
  identify({ scheme: 's3', container: 'bucket', key: 'key' }, { endpoint, region })
const AWS = storeAt(undefined)
const LOCAL = storeAt('http://127.0.0.1:9000')

test('this machine is one host, by whatever name', () => expect(storeAt('http://localhost:9000').id).toBe(LOCAL.id))

test.each([
  ['AWS, by name and without', AWS, storeAt('https://s3.eu-west-1.amazonaws.com', 'eu-west-1')],
  ['the port that is usual', storeAt('https://minio.example'), storeAt('https://minio.example:443')],
])('two sides are one store %s', (_, one, other) => {
  expect(one.copies).toBe(other.copies)
  const sides = { source: one, destination: other }
  expect(['auto', 'server', 'engine'].map(route => asksServer(route, sides))).toEqual(['copies', 'copies', false])
})

test.each([
  ['AWS and its China', AWS, storeAt(undefined, 'cn-north-1')],
  ['two ports', LOCAL, storeAt('http://127.0.0.1:9001')],
  ['two paths of a gateway', storeAt('https://gate.example/one'), storeAt('https://gate.example/two')],
  ['a host that only looks like AWS', AWS, storeAt('https://amazonaws.com.example')],
])('two sides are two stores %s', (_, one, other) => {
  expect(asksServer('auto', { source: one, destination: other })).toBe(false)
  const refused = expect.objectContaining({ code: 'USAGE', exitCode: 2 })
  expect(() => asksServer('server', { source: one, destination: other })).toThrow(refused)
})

test('a destination that reads the source by itself is asked only with --route server', () => {
  const azure = account => ({ name: account, lends: true, pulls: true })
  const sides = { source: azure('one'), destination: azure('other') }
  expect(['auto', 'server', 'engine'].map(route => asksServer(route, sides))).toEqual([false, 'pulls', false])
})

it.each([
  ['a rate, which no store holds', { bytesPerSecond: 1000 }],
  ['everything to be read again', { readsAll: true }],
])('a copy with %s goes through the engine', (_, more) => {
  const sides = { source: LOCAL, destination: LOCAL }
  expect(asksServer('auto', { ...sides, ...more })).toBe(false)
  expect(() => asksServer('server', { ...sides, ...more })).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test('existing objects are protected by a condition on each write, because another writer may be faster', () => {
  expect(readSettings({ ignoreExisting: true }, { prefixes: true }).condition).toEqual({ ifNoneMatch: true })
  expect(readSettings({}, { prefixes: true }).condition).toEqual({})
})

test.each([
  ['s3://team/xfer', 'Name a profile as s3://PROFILE@BUCKET/KEY, or set XFER_STATE_ACCESS_KEY_ID and XFER_STATE_S'],
  ['gs://team/xfer', 'Set XFER_STATE_GS_ACCESS_KEY_ID and XFER_STATE_GS_SECRET_ACCESS_KEY'],
])('a state without credentials, %s, is called so, and its own variables are named', async (state, advice) => {
  const env = { HOME: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true', XFER_DEST_ACCESS_KEY_ID: 'a' }
  const message = 'No credentials were found for the state.'
  const hint = expect.stringMatching(new RegExp(`^${advice}`))
  await expect(openState({ state, env })).rejects.toMatchObject({ code: 'NO_CREDENTIALS', message, hint })
})
