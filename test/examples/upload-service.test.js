'use strict'

/** examples/upload-service, as a process: what it answers, and that an upload that does not end well leaves nothing in the store. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { existsSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { json } = require('node:stream/consumers')
const { setTimeout: delay } = require('node:timers/promises')
const { beginForm, outcomesOf, send, vanish } = require('../../bench/experiments/upload-clients')
const { keep, startStore } = require('../support/opened')
const { bareEnv } = require('../support/run-xfer')
const { bytesOf, sha256 } = require('../support/stores')

const EXAMPLE = join(__dirname, '..', '..', 'examples', 'upload-service')
const installed = existsSync(join(EXAMPLE, 'node_modules', 'fastify'))
const title = `the upload service${installed ? '' : ' (skipped: npm install --prefix examples/upload-service)'}`
const MB = 1e6
const BOUNDARY = 'boundary'

let store
let service

/** @param {Record<string, string>} [settings] */
async function startService(settings) {
  const { endpoint, accessKeyId, secretAccessKey, region } = store
  const child = spawn(process.execPath, [join(EXAMPLE, 'server.js')], {
    env: {
      ...{ ...bareEnv, PORT: '0', DESTINATION: 's3://uploads/', ...settings },
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_REGION: region },
      ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  keep({ close: () => child.kill('SIGKILL') && exited })
  const [address] = await once(createInterface({ input: child.stdout }), 'line')
  service = { address, child, exited }
}

/** Begins a form with one file. @param {Buffer} body what is sent of it at first */
function openForm(body) {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const request = http.request(`${service.address}/uploads`, { method: 'POST', headers, agent: false })
  request.on('error', () => {})
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="a"\r\ncontent-type: image/png\r\n\r\n`
  request.write(Buffer.concat([Buffer.from(head), body]))
  const answer = once(request, 'response').then(async ([response]) => ({
    ...{ status: response.statusCode, headers: response.headers, body: await json(response) },
  }))
  answer.catch(() => {})
  return { request, answer, end: () => request.end(`\r\n--${BOUNDARY}--\r\n`) }
}

/** @param {(there: { objects: any[], uploads: any[] }) => boolean} holds */
async function untilStore(holds) {
  for (;;) {
    const there = await store.look('uploads')
    if (holds(there)) return there
    await new Promise(setImmediate)
  }
}

const begunUpload = () => untilStore(({ uploads }) => uploads.length === 1)
const isEmpty = ({ objects, uploads }) => objects.length + uploads.length === 0

;(installed ? describe : describe.skip)(title, () => {
  beforeEach(async () => {
    store = await startStore({ buckets: ['uploads'] })
  })

  test.each([0, 10_000, 20 * MB])('answers with the proof of a file of %d bytes', async bytes => {
    await startService()
    const body = bytesOf(bytes)
    const form = openForm(body)
    form.end()
    const { status, body: told } = await form.answer
    expect({ status, told }).toMatchObject({ status: 201, told: { bytes, proof: [expect.any(String)] } })
    const { objects } = await store.look('uploads')
    const content = { 'content-type': 'image/png' }
    expect(objects).toMatchObject([{ key: told.key, etag: JSON.parse(told.etag), content }])
    expect(sha256(objects[0].bytes)).toBe(sha256(body))
  })

  test('1,200 uploads at once succeed', async () => {
    await startService()
    const body = bytesOf(10_000)
    const outcomes = await outcomesOf(Array.from({ length: 1200 }, () => send(beginForm, service.address, body)))
    expect(outcomes.filter(({ why }) => why)).toEqual([])
    expect((await store.look('uploads')).objects).toHaveLength(1200)
  })

  test('clients that vanish half-way leave neither an object nor an upload', async () => {
    await startService()
    const body = bytesOf(20 * MB)
    const gone = Promise.all(Array.from({ length: 20 }, () => vanish(beginForm, service.address, body)))
    await untilStore(({ uploads }) => uploads.length > 0)
    await gone
    await untilStore(isEmpty)
    await send(beginForm, service.address, bytesOf(10))
  })

  test('a client that vanishes while its file is being written ends that', async () => {
    await startService({ MOST_UPLOADS: '1' })
    store.faults.add({ operation: 'PutObject', delayMs: 600_000, first: 1 })
    const form = openForm(bytesOf(10_000))
    form.end()
    while (!store.requests.PutObject) await new Promise(setImmediate)
    form.request.destroy()
    // It takes one at a time.
    while (await send(beginForm, service.address, bytesOf(10)).catch(error => error)) await delay(50)
    expect((await store.look('uploads')).objects).toMatchObject([{ bytes: bytesOf(10) }])
  })

  test.each([
    ['of a client that is too slow', { PATIENCE_MS: '500' }, begunUpload, { status: 408, body: { code: 'TOO_SLOW' } }],
    ['too large', { MOST_BYTES: `${9 * MB - 1}` }, form => form.end(), { status: 413, body: { code: 'TOO_LARGE' } }],
    ['in a form that ends early', {}, form => form.request.end(), { status: 400 }],
  ])('a file %s is refused, and leaves nothing', async (_, settings, goOn, answer) => {
    await startService(settings)
    const form = openForm(bytesOf(9 * MB))
    await goOn(form)
    expect(await form.answer).toMatchObject(answer)
    await untilStore(isEmpty)
  })

  test('more uploads than it takes are asked to come again', async () => {
    await startService({ MOST_UPLOADS: '1' })
    const first = openForm(bytesOf(9 * MB))
    await begunUpload()
    const second = openForm(bytesOf(10_000))
    second.end()
    expect(await second.answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { code: 'FULL' } })
    first.end()
    expect(await first.answer).toMatchObject({ status: 201 })
  })

  test('SIGTERM lets what has begun come to its end', async () => {
    await startService()
    const form = openForm(bytesOf(9 * MB))
    await begunUpload()
    service.child.kill('SIGTERM')
    form.end()
    expect(await form.answer).toMatchObject({ status: 201 })
    expect(await service.exited).toEqual([0, null])
  })
})
