'use strict'

const { VERSION } = require('../../../actions/copy-range')
const { toOutcomes, toParameters, createServerEngine } = require('../../../lib/engines')
const { startStore } = require('../../../sandbox/store')
const { eventOf } = require('../../support/events')
const { bytesOf, openStore, put } = require('../../support/s3')

const facts = { action: 'xfer/copy-range', where: 'https://ow.example' }
const [READ, WRITE] = [{ statuses: [200] }, { statuses: [201] }]
const request = { method: 'GET', url: 'http://store/', headers: {} }
const both = { read: { ...request, accepts: READ }, write: { ...request, accepts: WRITE } }
const tasks = [
  { partNumber: 1, bytes: 10, sums: ['crc32'], ...both },
  { partNumber: 2, bytes: 5, sums: ['crc32'], ...both },
]
/** As the tasks go to the action. */
const named = tasks.map(task => ({
  ...task,
  read: { ...request, accepts: 'rule-1' },
  write: { ...request, accepts: 'rule-2' },
}))
const accepts = { 'rule-1': READ, 'rule-2': WRITE }
const done = (partNumber, bytes, more = {}) => ({
  partNumber,
  bytes,
  etag: '"e"',
  sums: { crc32: '00000007' },
  ...more,
})
const failed = partNumber => ({ partNumber, error: { code: 'STALLED', message: 'Nothing moved.' } })
const good = [done(1, 10), done(2, 5)]
const result = outcomes => ({ version: VERSION, outcomes, container: { id: 'c' } })

test('parameters hold the version, the tasks, and how many of them at once', () => {
  expect(toParameters(tasks)).toEqual({ version: VERSION, accepts, tasks: named, parallel: 1 })
  expect(toParameters(tasks, { parallel: 2, stallMs: 5 })).toEqual({
    ...{ version: VERSION, accepts, tasks: named },
    ...{ parallel: 2, stallMs: 5 },
  })
})

test('parameters say each rule of the requests once, and the tasks stay as they are', () => {
  const before = structuredClone(tasks)
  const other = { statuses: [204] }
  const { write, ...reads } = tasks[0]
  const { accepts: rules, tasks: sent } = toParameters([...tasks, { ...reads, read: { ...request, accepts: other } }])
  expect(rules).toEqual({ ...accepts, 'rule-3': other })
  expect(sent[2]).toEqual({ ...reads, read: { ...request, accepts: 'rule-3' } })
  expect(tasks).toEqual(before)
})

test('the tag of a task is not sent, and is the ETag of what was written', () => {
  const tagged = [{ ...tasks[0], tag: 'block-1' }, tasks[1]]
  expect(toParameters(tagged).tasks).toEqual(named)
  expect(toOutcomes(result(good), tagged, facts)).toEqual([done(1, 10, { etag: 'block-1' }), done(2, 5)])
  expect(toOutcomes(result([failed(1), failed(2)]), tagged, facts)).toEqual([failed(1), failed(2)])
})

test.each([
  ['all done', good],
  ['one failed', [done(1, 10), failed(2)]],
  ['every sum', [done(1, 10, { sums: { crc32: 'ffffffff', md5: '0'.repeat(32) } }), done(2, 5)]],
])('a result that answers the tasks is believed: %s', (_, outcomes) => {
  expect(toOutcomes(result(outcomes), tasks, facts)).toEqual(outcomes)
})

test('a task that wants no checksum has none', () => {
  const plain = tasks.map(task => ({ ...task, sums: [] }))
  const outcomes = [done(1, 10, { sums: {} }), done(2, 5, { sums: {} })]
  expect(toOutcomes(result(outcomes), plain, facts)).toEqual(outcomes)
})

describe('a result that does not is the action of another version', () => {
  test.each([
    ['nothing', undefined],
    ['a text', 'ok'],
    ['an error of the action', { error: 'The parameters are not understood.' }],
    ['no version', { outcomes: good }],
    ['a newer version', { ...result(good), version: VERSION + 1 }],
    ['no outcomes', { version: VERSION }],
    ['too few', result([done(1, 10)])],
    ['too many', result([...good, done(3, 5)])],
    ['another order', result([done(2, 5), done(1, 10)])],
    ['one twice', result([done(1, 10), done(1, 10)])],
    ['an outcome that is null', result([done(1, 10), null])],
    ['too few bytes', result([done(1, 9), done(2, 5)])],
    ['no ETag', result([done(1, 10, { etag: undefined }), done(2, 5)])],
    ['no sums', result([done(1, 10, { sums: undefined }), done(2, 5)])],
    ['another sum', result([done(1, 10, { sums: { md5: '0'.repeat(32) } }), done(2, 5)])],
    ['a CRC-32 in base64', result([done(1, 10, { sums: { crc32: 'AAAAAA==' } }), done(2, 5)])],
    ['a failure without a code', result([done(1, 10), { partNumber: 2, error: { message: 'x' } }])],
    ['a failure that is null', result([done(1, 10), { partNumber: 2, error: null }])],
  ])('%s', (_, answer) => {
    expect(() => toOutcomes(answer, tasks, facts)).toThrow(
      expect.objectContaining({ code: 'ACTION_VERSION', exitCode: 5, facts: expect.objectContaining(facts) }),
    )
  })

  test("with the action's own words, where it has some", () => {
    expect(() => toOutcomes({ error: 'It speaks version 9.' }, tasks, facts)).toThrow(
      'The action xfer/copy-range on https://ow.example does not fit this xfer: It speaks version 9.',
    )
  })
})

describe('the engine of a store that copies by itself', () => {
  const MiB = 1024 ** 2
  const BODY = bytesOf(11 * MiB)
  const NOTHING = { metadata: { headers: {}, user: {} } }

  let server
  let store
  let engine
  let from
  beforeAll(async () => {
    server = await startStore({ buckets: ['first'] })
    store = openStore(server, 'first')
    engine = createServerEngine(store.serverCopy, store.endpoint)
    from = { bucket: 'first', key: 'source', etag: await put(store, 'source', BODY, { checksum: true }) }
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    store.close()
    await server.close()
  })

  const partOf = (uploadId, partNumber, start, bytes) => ({
    partNumber,
    bytes,
    copy: { part: { from, key: 'copy', uploadId, partNumber, range: { start, end: start + bytes - 1 } } },
  })

  it('tells of each task that failed what the store said, and of the others what they did', async () => {
    const { id } = await store.upload.create({ key: 'copy', attributes: NOTHING, checksum: false })
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, status: 503 })
    const [one, two] = await engine.run([partOf(id, 1, 0, 5 * MiB), partOf(id, 2, 5 * MiB, 6 * MiB)])
    expect(one.etag).toBeDefined()
    expect(two).toMatchObject({ partNumber: 2, error: { side: 'write', known: { code: 'STORE_THROTTLED' } } })
    await store.upload.abort({ key: 'copy', uploadId: id })
  })

  it('rejects when it is aborted', async () => {
    const { id } = await store.upload.create({ key: 'copy', attributes: NOTHING, checksum: false })
    server.faults.add({ operation: 'UploadPartCopy', answerDelayMs: 60_000 })
    const begun = eventOf(server, 'begin', ({ operation }) => operation === 'UploadPartCopy')
    const abort = new AbortController()
    const running = engine.run([partOf(id, 1, 0, 5 * MiB)], { signal: abort.signal })
    await begun
    abort.abort()
    await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
    await expect(engine.run([], { signal: abort.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})
