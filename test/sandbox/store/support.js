'use strict'

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { S3Client } = require('@aws-sdk/client-s3')
const { SignatureV4 } = require('@smithy/signature-v4')
const { startStore } = require('../../../sandbox/store')

/**
 * @typedef {{ method?: string, path: string, query?: Record<string, string>, headers?: Record<string, string>,
 *   body?: Buffer | string }} Request `path` decoded
 */

/** The SDK's client, without retries. */
function clientOf(store, config = {}) {
  return new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: store.accessKeyId, secretAccessKey: store.secretAccessKey },
    ...config,
  })
}

class Sha256 {
  constructor(secret) {
    this.hash = secret ? require('node:crypto').createHmac('sha256', secret) : createHash('sha256')
  }
  update(data) {
    this.hash.update(data)
  }
  async digest() {
    return this.hash.digest()
  }
}

/** AWS's signer, as S3 wants it. */
function signerOf(store, { region = store.region, accessKeyId = store.accessKeyId, secret, sessionToken } = {}) {
  return new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey: secret ?? store.secretAccessKey, sessionToken },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  })
}

function encodePath(path) {
  return path
    .split('/')
    .map(segment =>
      encodeURIComponent(segment).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')
}

/** Signs in headers; returns what `send` takes. @param {Request} request */
async function signed(
  store,
  { method = 'GET', path, query = {}, headers = {}, body },
  { date = new Date(), ...who } = {},
) {
  const rawPath = encodePath(path)
  const given = { host: `127.0.0.1:${store.port}`, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers }
  const request = {
    method,
    protocol: 'http:',
    hostname: '127.0.0.1',
    port: store.port,
    path: rawPath,
    query,
    headers: given,
  }
  const out = await signerOf(store, who).sign(request, { signingDate: date })
  return { method, path: rawPath + queryString(query), headers: out.headers, body }
}

/** Signs in the query. @param {Request} request */
async function presigned(
  store,
  { method = 'GET', path, query = {}, headers = {}, body },
  { date = new Date(), expiresIn = 60, ...who } = {},
) {
  const rawPath = encodePath(path)
  const given = { host: `127.0.0.1:${store.port}`, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
  const request = {
    method,
    protocol: 'http:',
    hostname: '127.0.0.1',
    port: store.port,
    path: rawPath,
    query,
    headers: given,
  }
  const out = await signerOf(store, who).presign(request, {
    signingDate: date,
    expiresIn,
    unhoistableHeaders: new Set(),
  })
  const { host } = given
  return { method, path: rawPath + queryString(out.query), headers: { host, ...headers }, body, query: out.query }
}

function queryString(query) {
  const fields = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return fields.length > 0 ? `?${fields.join('&')}` : ''
}

/** Sends exactly what it is given. */
async function send(store, { method, path, headers, body }) {
  const req = http.request({ host: '127.0.0.1', port: store.port, method, path, headers, agent: false })
  req.end(body)
  const [res] = await once(req, 'response')
  const pieces = []
  for await (const piece of res) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  return { status: res.statusCode, headers: res.headers, bytes, text, code: /<Code>(.*?)<\/Code>/.exec(text)?.[1] }
}

/** Signs and sends. */
async function call(store, request, options) {
  return send(store, await signed(store, request, options))
}

/** The next event of a store that fits. */
function nextEvent(store, name, fits = () => true) {
  return new Promise(resolve => {
    function listener(event) {
      if (!fits(event)) return
      store.off(name, listener)
      resolve(event)
    }
    store.on(name, listener)
  })
}

/** Starts a store for one test file, with a client; closed after it. */
function useStore(options) {
  const using = {}
  beforeAll(async () => {
    using.store = await startStore(options)
    using.client = clientOf(using.store)
  })
  afterEach(() => using.store.faults.clear())
  afterAll(async () => {
    using.client?.destroy()
    await using.store?.close()
  })
  return using
}

module.exports = { clientOf, signed, presigned, send, call, nextEvent, useStore }
