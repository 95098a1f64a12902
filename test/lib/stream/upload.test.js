'use strict'

/** upload(): what becomes of streams of every length, of those that fail, and of stores that do. With real stores. */

const { getEventListeners } = require('node:events')
const { PassThrough, Readable } = require('node:stream')
const { upload } = require('../../../lib')
const { startStore } = require('../../../sandbox/store')
const { chooseKinds } = require('../../support/ends')
const { s3Server } = require('../../support/ends/s3')
const { eventOf } = require('../../support/events')
const { openEnd, startKinds } = require('../../support/opened')
const { bytesOf, sha256 } = require('../../support/stores')

const MiB = 1024 ** 2
const CHUNK = 5 * MiB
const BODY = bytesOf(3 * CHUNK + 7)

let ends
beforeAll(async () => {
  ends = {}
  for (const server of await startKinds(chooseKinds('sandbox,sandbox-azure,google-mode').kinds))
    ends[server.name] = await openEnd(server, 'streams')
})
afterEach(() => {
  for (const end of Object.values(ends)) end.relay.faults.clear()
})
/** In pieces that fit no part. @param {Buffer} body */
function* piecesOf(body) {
  for (let at = 0; at < body.length; at += 100_003) yield body.subarray(at, at + 100_003)
}

/** @param {any} end @param {any} input @param {object} [options] */
function send(end, input, options = {}) {
  const env = { HOME: '/nowhere', ...end.env('DEST') }
  return upload(input, end.text('key'), { chunk: '5MiB', env, ...options })
}

/** What is there is this, once, and no upload; it is removed. */
async function expectObject(end, body) {
  expect(sha256((await end.read('key')).bytes)).toBe(sha256(body))
  await end.remove('key')
  await expectNothing(end)
}

test.each([
  ['fails before it is read', 'INPUT_FAILED', stream => void stream.destroy(new Error('gone'))],
  ['was read to its end', 'USAGE', async stream => void (await stream.toArray())],
  ['was given to another upload', 'USAGE', stream => void send(ends.sandbox, stream).catch(() => {})],
  ['comes with an option that there is not', 'USAGE', () => ({ nonsense: 1 })],
])('a stream that %s is refused, and destroyed', async (_, code, meets) => {
  const stream = Readable.from([Buffer.from('x')])
  await expect(send(ends.sandbox, stream, await meets(stream))).rejects.toMatchObject({ code })
  expect(stream.destroyed).toBe(true)
})

/** Neither an object nor an upload. */
async function expectNothing(end) {
  const { objects, uploads } = await end.look()
  expect({ keys: [...objects.keys()], uploads }).toEqual({ keys: [], uploads: [] })
}

describe.each(['sandbox', 'sandbox-azure', 'google-mode'])('to %s', name => {
  it.each([0, CHUNK, BODY.length])('a stream of %d bytes becomes a proved object', async bytes => {
    const body = BODY.subarray(0, bytes)
    const input = Readable.from(piecesOf(body))
    const summary = await send(ends[name], input, { expectSha256: sha256(body) })
    expect(summary).toMatchObject({ bytes, parts: Math.max(1, Math.ceil(bytes / CHUNK)), engine: 'local' })
    expect(summary.proof).not.toContain('size')
    expect(summary.uncompared).toBeUndefined()
    await expectObject(ends[name], body)
  })

  it.each([
    ['a Buffer', BODY],
    ['an empty one', Buffer.alloc(0)],
    ['a short one', BODY.subarray(0, 10)],
    ['a Uint8Array', new Uint8Array(BODY.subarray(0, 2 * CHUNK))],
  ])('%s becomes a proved object, of a known size', async (_, bytes) => {
    const notices = []
    const onEvent = ({ type, noticeCodes = [] }) => type === 'plan' && notices.push(...noticeCodes)
    const summary = await send(ends[name], bytes, { onEvent })
    expect(summary).toMatchObject({ bytes: bytes.length, parts: Math.max(1, Math.ceil(bytes.length / CHUNK)) })
    expect(notices).toEqual([])
    await expectObject(ends[name], bytes)
  })
})

it('a stream that fails after three parts leaves nothing', async () => {
  async function* failing() {
    yield* piecesOf(BODY.subarray(0, 3 * CHUNK))
    throw new Error('the disk is gone')
  }
  const message = 'The stream failed before its end, and nothing was written (the disk is gone).'
  const error = { code: 'INPUT_FAILED', message, cause: { message: 'the disk is gone' } }
  await expect(send(ends.sandbox, failing())).rejects.toMatchObject(error)
  await expectNothing(ends.sandbox)
})

it.each(['sandbox', 'sandbox-azure'])('a part that %s has failed to take is sent again from memory', async name => {
  const end = ends[name]
  end.misbehave({ operation: 'UploadPart', leastBytes: CHUNK, nth: 2, status: 500 })
  end.misbehave({ operation: 'UploadPart', leastBytes: CHUNK, nth: 3, flipByteAt: 4 * MiB })
  expect((await send(end, Readable.from(piecesOf(BODY)))).retried).toBeGreaterThanOrEqual(2)
  await expectObject(end, BODY)
})

it('is read back, in parts too, from a store whose answers prove nothing', async () => {
  const store = await startStore({ serverName: '', checksums: false, md5Etags: false })
  const [server] = await startKinds([{ name: 'mute', start: async () => s3Server(store) }])
  const end = await openEnd(server, 'streams')
  const { proof, parts } = await send(end, Readable.from(piecesOf(BODY)))
  expect({ proof, parts }).toEqual({ proof: ['read-back'], parts: 4 })
  await expectObject(end, BODY)
  store.faults.add({ operation: 'UploadPart', partNumber: 2, on: 'stored', flipByteAt: 5 })
  await expect(send(end, Readable.from(piecesOf(BODY)))).rejects.toMatchObject({ code: 'WRONG_COPY', exitCode: 8 })
  await expectNothing(end)
})

it.each([
  ['before anything has come', Buffer.alloc(0)],
  ['in the middle', BODY],
])('an abort %s leaves nothing, and no listener', async (_, begin) => {
  const input = new PassThrough()
  const stop = new AbortController()
  const onEvent = ({ type }) => type === 'part' && stop.abort()
  const reads = eventOf(input, 'newListener', name => name === 'readable')
  const sent = send(ends.sandbox, input, { signal: stop.signal, onEvent })
  if (begin.length > 0) input.write(begin)
  await reads
  if (begin.length < CHUNK) stop.abort()
  await expect(sent).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect([input.destroyed, getEventListeners(stop.signal, 'abort')]).toEqual([true, []])
  await expectNothing(ends.sandbox)
})
