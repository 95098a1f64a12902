'use strict'

/** Copies to a store whose uploads nothing aborts, and whose parts are named by each attempt: block-store.js. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { abortJob, clean, copy, jobs, resume } = require('../../lib')
const { openStore, parsePlace, register, resolveSettings } = require('../../lib/stores')
const { startStore } = require('../../sandbox/store')
const { makeHome } = require('../support/home')
const { createBuckets, openStore: openS3Store } = require('../support/s3')
const { bytesOf, get, put, send, uploadsOf } = require('../support/stores')
const { block } = require('./block-store')
const { startToyServer } = require('./toy-store')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const METADATA = { headers: { 'content-type': 'text/csv' }, user: { color: 'dark blue' } }
const ROOT = join(__dirname, '../..')
/** A program that copies with the options on its standard input. */
const COPY = `
  require('./lib/stores').register(require('./test/contract/block-store').block)
  const options = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
  require('./lib').copy('s3://bucket/big', 'block://box/killed', { ...options, env: process.env })
`
const WEEK_MS = 7 * 24 * 60 * 60_000

let servers
let toys
let store
let options
let keeps
let unregister
beforeAll(async () => {
  unregister = register(block)
  const s3 = await startStore()
  toys = await startToyServer({ keeps: (...written) => keeps(...written) })
  servers = [s3, toys]
  await createBuckets(s3, 'bucket')
  toys.createContainer('box')
  const place = parsePlace('block://box', 'destination')
  store = openStore(place, await resolveSettings(place, 'destination', {}, toys.env))
  const from = openS3Store(s3, 'bucket')
  await put(from, 'big', BODY, METADATA)
  await put(from, 'tagged', BODY, { tags: [['project', 'Apollo 11']] })
  from.close()
  options = {
    ...{ chunk: '5MiB', engine: 'local', concurrency: 1, retries: 0 },
    source: { endpointUrl: s3.endpoint, region: s3.region },
    env: {
      ...toys.env,
      HOME: makeHome({}),
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  }
})
beforeEach(() => {
  keeps = (_, body) => body
})
afterAll(async () => {
  unregister?.()
  store?.close()
  await Promise.all((servers ?? []).map(server => server.close()))
})

const partOf = ({ part }) => (part === undefined ? undefined : Number(part.split('.')[1]))
const listening = more => {
  const events = []
  return { events, how: { ...options, ...more, onEvent: event => events.push(event) } }
}
const noticesOf = events => events.filter(({ type }) => type === 'notice')
const today = () => new Date(Date.now() + WEEK_MS).toISOString().slice(0, 10)

/** Begins a copy whose last part the store does not answer. */
async function breakCopy(key, more) {
  keeps = (written, body) => (partOf(written) === 3 ? undefined : body)
  const { events, how } = listening(more)
  await expect(copy('s3://bucket/big', `block://box/${key}`, how)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  keeps = (_, body) => body
  return events
}

it('the object has the blocks of the attempts that were proved, and the attributes of its source', async () => {
  let spoils = 1
  keeps = (written, body) => {
    if (partOf(written) !== 2 || spoils-- <= 0) return body
    return Buffer.concat([body.subarray(1), Buffer.from('x')])
  }
  const { events, how } = listening()
  const summary = await copy('s3://bucket/big', 'block://box/whole', how)
  expect(summary).toMatchObject({ parts: 3, proof: ['store-crc64nvme'] })
  expect(events.filter(({ type }) => type === 'retry')).toMatchObject([{ partNumber: 2, code: 'PART_CORRUPTED' }])
  expect((await get(store, 'whole')).equals(BODY)).toBe(true)
  expect(await store.head('whole')).toMatchObject({ metadata: METADATA, etag: summary.etag })
})

it('tags that the completion refuses are told, and the object is completed without them', async () => {
  const { events, how } = listening()
  await copy('s3://bucket/tagged', 'block://box/tagged', how)
  expect(noticesOf(events)).toMatchObject([{ code: 'TAGS_NOT_WRITTEN' }])
  expect((await get(store, 'tagged')).equals(BODY)).toBe(true)
})

it('a copy that was interrupted goes on with the blocks that are there', async () => {
  await breakCopy('resumed')
  const [job] = await jobs({ env: options.env })
  expect(job).toMatchObject({ state: 'stopped', partsDone: 2, destination: 'block://box/resumed' })
  const { events, how } = listening()
  expect(await resume(job.id, { env: how.env, onEvent: how.onEvent })).toMatchObject({ proof: ['store-crc64nvme'] })
  expect(events).toContainEqual(expect.objectContaining({ type: 'resume', parts: 2 }))
  expect((await get(store, 'resumed')).equals(BODY)).toBe(true)
  expect(await jobs({ env: options.env })).toEqual([])
})

it('a copy that was killed goes on with the blocks that are there', async () => {
  const { env } = options
  const child = spawn(process.execPath, ['-e', COPY], { env: { ...env, PATH: process.env.PATH }, cwd: ROOT })
  child.stdin.end(JSON.stringify({ ...options, env: undefined }))
  const exited = once(child, 'exit')
  keeps = (written, body) => {
    if (partOf(written) !== 3) return body
    child.kill('SIGKILL')
    return undefined
  }
  expect(await exited).toEqual([null, 'SIGKILL'])
  keeps = (_, body) => body
  const [job] = await jobs({ env })
  expect(job).toMatchObject({ state: 'stopped', partsDone: 2, destination: 'block://box/killed' })
  expect(await resume(job.id, { env })).toMatchObject({ proof: ['store-crc64nvme'] })
  expect((await get(store, 'killed')).equals(BODY)).toBe(true)
})

it('if somebody else has completed the object meanwhile, all is copied again in a new upload', async () => {
  await breakCopy('taken')
  const { id } = await store.upload.create({ key: 'taken' })
  await store.upload.complete({ key: 'taken', uploadId: id, parts: [], bytes: 0, attributes: { metadata: METADATA } })
  const { events, how } = listening()
  await copy('s3://bucket/big', 'block://box/taken', how)
  expect(events).toContainEqual(expect.objectContaining({ type: 'resume', parts: 0 }))
  expect((await get(store, 'taken')).equals(BODY)).toBe(true)
})

it('--on-failure abort says what becomes of the blocks', async () => {
  const events = await breakCopy('given-up', { onFailure: 'abort' })
  expect(noticesOf(events)).toEqual([
    expect.objectContaining({
      code: 'PARTS_LAPSE',
      message: `The 2 blocks that were uploaded to block://box/given-up are not visible; the store removes such blocks a week after the last one, on ${today()}.`,
    }),
  ])
  expect(await jobs({ env: options.env })).toEqual([])
  expect(await uploadsOf(store, 'given-up')).toHaveLength(1)
})

it('abort removes the job, and says what becomes of the blocks, also of those that its journal does not know', async () => {
  await breakCopy('aborted')
  const [{ id: uploadId }] = await uploadsOf(store, 'aborted')
  const { request } = await store.upload.part({ key: 'aborted', uploadId, partNumber: 3, bytes: 3 })
  await send(request, Buffer.from('abc'))
  const [{ id }] = await jobs({ env: options.env })
  const aborted = await abortJob(id, { env: options.env })
  expect(aborted).toMatchObject({
    ...{ parts: 2, maybeCompleted: false },
    uploads: [{ outcome: 'lapses' }],
    lapse: { part: 'block', parts: 3, words: 'the store removes such blocks a week after the last one' },
  })
  expect(new Date(aborted.lapse.lapsesMs).toISOString().slice(0, 10)).toBe(today())
  expect(await jobs({ env: options.env })).toEqual([])
})

it('clean lists the blocks of no job, says when they lapse, and leaves them', async () => {
  await breakCopy('clean/kept')
  const [{ id: job }] = await jobs({ env: options.env })
  const { id: uploadId } = await store.upload.create({ key: 'clean/other' })
  const { request } = await store.upload.part({ key: 'clean/other', uploadId, partNumber: 1, bytes: 3 })
  await send(request, Buffer.from('abc'))
  const cleaned = await clean('block://box/clean/', { env: options.env, yes: true, olderThan: '1ms' })
  expect(cleaned.lapse).toEqual({ part: 'block', words: 'the store removes such blocks a week after the last one' })
  expect(cleaned.uploads.map(({ key, outcome }) => [key, outcome]).sort()).toEqual([
    ['clean/kept', 'kept'],
    ['clean/other', 'lapses'],
  ])
  expect(await uploadsOf(store, 'clean/other')).toHaveLength(1)
  await abortJob(job, { env: options.env })
})

it('--restart says what becomes of the blocks of the earlier run', async () => {
  await breakCopy('again')
  const { events, how } = listening({ restart: true })
  await copy('s3://bucket/big', 'block://box/again', how)
  expect(noticesOf(events)).toMatchObject([{ code: 'PARTS_LAPSE' }])
  expect((await get(store, 'again')).equals(BODY)).toBe(true)
})
