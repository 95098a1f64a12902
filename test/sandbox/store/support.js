'use strict'

const { createHash, createHmac } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { buffer } = require('node:stream/consumers')
const { SignatureV4 } = require('@smithy/signature-v4')

/**
 * @typedef {{ method?: string, path: string, query?: Record<string, string>, headers?: Record<string, string>,
 *   body?: Buffer | string }} Request `path` decoded
 */

class Sha256 {
  constructor(secret) {
    this.hash = secret ? createHmac('sha256', secret) : createHash('sha256')
    this.update = data => void this.hash.update(data)
    this.digest = async () => this.hash.digest()
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

/** What the signer takes. @param {Request} request */
function unsigned(store, { method = 'GET', path, query = {} }, headers = {}) {
  return {
    ...{ method, protocol: 'http:', hostname: '127.0.0.1', port: store.port, path: encodePath(path), query },
    headers: { host: `127.0.0.1:${store.port}`, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
  }
}

/** Signs in headers; returns what `send` takes. @param {Request} request */
async function signed(store, request, { date = new Date(), ...who } = {}) {
  const plain = unsigned(store, request, request.headers)
  const { method, path, query, headers } = await signerOf(store, who).sign(plain, { signingDate: date })
  return { method, path: path + queryString(query), headers, body: request.body }
}

function queryString(query) {
  const fields = Object.entries(query).map(field => field.map(encodeURIComponent).join('='))
  return fields.length > 0 ? `?${fields.join('&')}` : ''
}

/** Sends exactly what it is given. */
async function send(store, { method, path, headers, body }) {
  const req = http.request({ host: '127.0.0.1', port: store.port, method, path, headers, agent: false })
  req.end(body)
  const [res] = await once(req, 'response')
  const bytes = await buffer(res)
  return {
    ...{ status: res.statusCode, headers: res.headers, bytes },
    // Not before it is asked for: an object may be large.
    get text() {
      return bytes.toString()
    },
    get code() {
      return /<Code>(.*?)<\/Code>/.exec(bytes.toString())?.[1]
    },
  }
}

/** Signs and sends. */
async function call(store, request, options) {
  return send(store, await signed(store, request, options))
}

module.exports = { queryString, send, call }
