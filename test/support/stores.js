'use strict'

/** What suites do with a store of any kind: its data requests played over plain HTTP and judged by its own rules. */

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { buffer } = require('node:stream/consumers')
const zlib = require('node:zlib')
const { describing, headerIn, reportedHeaders } = require('../../actions/copy-range/answers')
const { refusal } = require('../../actions/copy-range/requests')
const { FRAMINGS } = require('../../actions/copy-range/dialects')
const { LOCAL } = require('../../lib/engines/local/transports')

/** @typedef {import('../../lib/types').Store} Store */
/** @typedef {import('../../lib/types').DataRequest} DataRequest */
/** @typedef {'read' | 'put' | 'part'} Kind of a data request */

/** The same bytes at every run, and nowhere repeated within a usual part. @param {number} bytes */
function bytesOf(bytes, seed = 'xfer') {
  return createHash('shake256', { outputLength: Math.max(bytes, 1) })
    .update(seed)
    .digest()
    .subarray(0, bytes)
}

/** @param {Buffer} body */

/** Its CRC-32, as the program writes it. @param {Buffer} body */
const sumsOf = body => ({ crc32: SUMS.crc32(body) })

/** @param {Buffer} body */
const sha256 = body => createHash('sha256').update(body).digest('hex')

const SUMS = {
  crc32: body => zlib.crc32(body).toString(16).padStart(8, '0'),
  md5: body => createHash('md5').update(body).digest('hex'),
}

/** How the request's checksum goes behind its bytes; undefined where none does. @param {DataRequest} request */
const framingOf = ({ framing }) => framing

/**
 * What goes over the wire for a write of these bytes.
 *
 * @param {DataRequest} request
 * @param {Buffer} bytes
 * @param {Buffer} summed whose checksum is sent
 */
function bodyFor(request, bytes, summed = bytes) {
  const framing = framingOf(request)
  if (!framing) return bytes
  /** @type {Buffer[]} */
  const pieces = []
  const { write, end } = FRAMINGS[framing.type].frameBody(bytes.length, framing)
  if (bytes.length > 0) write({ write: piece => pieces.push(Buffer.from(piece)) > 0 }, bytes)
  const body = Buffer.concat([...pieces, Buffer.from(end({ [framing.sum]: SUMS[framing.sum](summed) }))])
  if (String(body.length) !== request.headers['content-length'])
    throw new Error('the frames are not as long as was signed')
  return body
}

/**
 * Sends a request as anybody could who has it: no credentials here, and the path as it stands.
 *
 * @param {Pick<DataRequest, 'method' | 'url' | 'headers'>} request
 * @param {Buffer} [body]
 * @returns {Promise<{ status: number, headers: Record<string, string>, body: Buffer }>}
 */
async function send({ method, url, headers, root }, body) {
  if (url.startsWith('file:') || url === 'redis:') return await sendLocally({ method, url, headers, root }, body)
  const { hostname, port, origin } = new URL(url)
  const sent = http.request({
    method,
    hostname: hostname.endsWith('.localhost') ? '127.0.0.1' : hostname,
    port,
    path: url.slice(origin.length),
    headers,
    agent: false,
  })
  // A refusal can come, and the connection go, before all is written.
  const answered = once(sent, 'response')
  sent.on('error', () => {})
  sent.end(body)
  const [response] = await answered
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

/** As the embedded engine does, whose transports of files and of Redis answer. */
async function sendLocally({ method, url, headers, root }, body) {
  const transport = LOCAL[`${url.split(':')[0]}:`]
  const answer = await new Promise((resolve, reject) => {
    const call = transport.begin(
      { method, headers, rule: {}, local: { transport, url, root } },
      {
        answer: resolve,
        lost: reject,
        drain() {},
        open: () =>
          setImmediate(() => {
            if (body?.length) call.write(body)
            call.end()
          }),
      },
    )
  })
  const pieces = []
  const ended = new Promise(end => answer.body.start({ data: piece => pieces.push(Buffer.from(piece)), end }))
  await ended
  return { status: answer.status, headers: answer.headers, body: Buffer.concat(pieces) }
}

/**
 * Plays a data request, and judges the answer as a function and the program do: by its `accepts` and the store's `explain`.
 *
 * @param {Store} store
 * @param {Kind} kind
 * @param {DataRequest} request
 * @param {Buffer} [bytes] of a write, before framing
 * @param {{ summed?: Buffer }} [how] summed: whose checksum is sent in place of that of the bytes
 * @returns {Promise<{ accepted: boolean, changed?: boolean, error?: import('../../lib/types').XferError, status: number, etag: string,
 *   told: Record<string, string>, described: Record<string, string>, headers: Record<string, string>, body: Buffer }>} told: what a
 *   function reports of the answer's headers; described: those that a task's `expect.headers` is compared with
 */
async function play(store, kind, request, bytes, { summed } = {}) {
  const side = kind === 'read' ? 'read' : 'write'
  const rule = request.accepts
  const { status, headers, body } = await send(request, bytes && bodyFor(request, bytes, summed))
  const answer = {
    ...{ status, headers, body },
    etag: (rule.etag && headerIn(headers, rule.etag.header)) ?? '',
    told: reportedHeaders({ headers, rule }, { headers, rule })[side] ?? {},
    described: describing(headers, rule.describes),
  }
  if (rule.statuses.includes(status)) return { accepted: true, ...answer }
  const { storeCode } = refusal(
    side,
    /** @type {any} */ ({ status, headers }),
    body.toString(),
    /** @type {any} */ ({ rule, headers: request.headers, path: request.url }),
  ).toJSON()
  const error = store.explain({ of: side, status, storeCode })
  return { accepted: false, changed: rule.changed?.includes(status) ?? false, error, ...answer }
}

/**
 * @param {Store} store
 * @param {string} key
 * @param {Buffer} bytes
 * @param {{ headers?: Record<string, string>, user?: Record<string, string>, checksum?: boolean }} [options] and others of ObjectAttributes
 */
async function tryPut(store, key, bytes, { headers = {}, user = {}, checksum = false, ...more } = {}) {
  const put = { key, bytes: bytes.length, attributes: { metadata: { headers, user }, ...more }, checksum }
  return play(store, 'put', (await store.put(put)).request, bytes)
}

/** As tryPut, and refused is failed. @returns {Promise<string>} the ETag, of a store whose answer has none that of its head */
async function put(store, key, bytes, options) {
  const { accepted, etag, status, body } = await tryPut(store, key, bytes, options)
  if (!accepted) throw new Error(`writing "${key}" was answered ${status} ${body}`)
  return etag || (await store.head(key)).etag
}

/** The whole object. @param {Store} store @param {string} key @returns {Promise<Buffer>} */
async function get(store, key) {
  const { etag } = await store.head(key)
  const { accepted, status, body, error } = await play(store, 'read', (await store.read({ key, etag })).request)
  if (!accepted) throw new Error(`reading "${key}" was answered ${status} ${error?.code}`)
  return body
}

/** Every page of one of a store's lists. @param {(marker: any) => Promise<any>} page @param {string} name of the entries */
async function all(page, name) {
  const entries = []
  let pages = 0
  for (let marker; ; ) {
    const answer = await page(marker)
    entries.push(...answer[name])
    pages++
    if (answer.next === undefined) return { entries, pages }
    marker = answer.next
  }
}

/** The keys of a container. @param {any} store @returns {Promise<string[]>} */
async function keysOf(store, prefix = '') {
  const { entries } = await all(marker => store.list({ prefix, marker }), 'objects')
  return entries.map(({ key }) => key)
}

/** Uploads of a key that were neither completed nor aborted. @param {any} store @param {string} key */
async function uploadsOf(store, key) {
  // With the exact key: there are stores that list nothing for a part of it.
  const { entries } = await all(marker => store.upload.pending({ prefix: key, marker }), 'uploads')
  return entries.filter(upload => upload.key === key)
}

module.exports = { all, bodyFor, bytesOf, framingOf, get, keysOf, play, put, send, sha256, sumsOf, tryPut, uploadsOf }
