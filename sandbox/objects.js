'use strict'

/** Objects of random bytes, made and read back through signed requests, streaming. For the demo, the benchmarks and the tests. */

const { createHash, randomFillSync } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { openStore } = require('../lib/stores')

const BLOCK_BYTES = 1024 ** 2

/** @typedef {import('./sandbox').StoreAccess} StoreAccess */

/** @param {StoreAccess} access @param {string} bucket */
function open({ endpoint, accessKeyId, secretAccessKey, region, ca }, bucket) {
  const credentials = { accessKeyId, secretAccessKey }
  /** @type {import('../lib/types').SideSettings} */
  const settings = {
    side: 'source',
    endpoint,
    region,
    addressing: 'path',
    credentials: async () => credentials,
    requestPayer: false,
    ca,
    keep: {},
  }
  return openStore({ scheme: 's3', container: bucket, key: '' }, settings)
}

/**
 * Opens a store for as long as it is used.
 *
 * @template T
 * @param {StoreAccess} access
 * @param {string} bucket
 * @param {(store: import('../lib/types').Store) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withStore(access, bucket, use) {
  const store = open(access, bucket)
  try {
    return await use(store)
  } finally {
    store.close()
  }
}

/** @param {Pick<import('../lib/types').DataRequest, 'method' | 'url' | 'headers'>} request @param {string} [ca] PEM @returns {http.ClientRequest} */
function send({ method, url, headers }, ca) {
  const { protocol, host, port } = new URL(url)
  const path = url.slice(url.indexOf(host) + host.length)
  const { request } = protocol === 'https:' ? https : http
  return request({ method, hostname: host.replace(/:\d+$/, ''), port, path, headers, ca })
}

/** @param {StoreAccess} access @param {string} bucket */
async function makeBucket(access, bucket) {
  await withStore(access, bucket, async store => store.makeContainer?.({}))
}

/**
 * @param {StoreAccess} access
 * @param {RandomObject & { bucket: string }} object
 * @returns {Promise<string>} SHA-256 of what was written, hex
 */
async function putRandom(access, { bucket, ...object }) {
  return await withStore(access, bucket, store => putRandomInto(store, object))
}

/**
 * @typedef {{ key: string, bytes: number, headers?: Record<string, string>, user?: Record<string, string> }} RandomObject
 *
 * @param {import('../lib/types').Store} store
 * @param {RandomObject} object
 * @returns {Promise<string>} SHA-256 of what was written, hex
 */
async function putRandomInto(store, object) {
  return await putInto(store, object, randomBlocks(object.bytes))
}

/** @param {number} bytes */
function* randomBlocks(bytes) {
  for (let left = bytes; left > 0; left -= BLOCK_BYTES) {
    yield randomFillSync(Buffer.allocUnsafe(Math.min(left, BLOCK_BYTES)))
  }
}

/**
 * @param {import('../lib/types').Store} store
 * @param {RandomObject} object
 * @param {Iterable<Buffer> | AsyncIterable<Buffer>} blocks as many bytes as the object is to have
 * @returns {Promise<string>} SHA-256 of what was written, hex
 */
async function putInto(store, { key, bytes, headers = {}, user = {} }, blocks) {
  const put = { key, bytes, attributes: { metadata: { headers, user } }, checksum: false }
  const request = send((await store.put(put)).request, store.ca)
  const answered = once(request, 'response')
  const hash = createHash('sha256')
  for await (const block of blocks) {
    hash.update(block)
    if (!request.write(block)) await Promise.race([once(request, 'drain'), answered])
  }
  request.end()
  const [response] = await answered
  await drain(response)
  // Azure Blob answers 201.
  if (Math.floor(response.statusCode / 100) !== 2) throw new Error(`writing ${key} was answered ${response.statusCode}`)
  return hash.digest('hex')
}

/** @param {StoreAccess} access @param {{ bucket: string, key: string }} object @returns {Promise<string>} SHA-256, hex */
async function sha256Of(access, { bucket, key }) {
  return await withStore(access, bucket, async store => {
    const { etag } = await store.head(key)
    const request = send((await store.read({ key, etag })).request, store.ca)
    request.end()
    const [response] = await once(request, 'response')
    const hash = createHash('sha256')
    for await (const block of response) hash.update(block)
    if (response.statusCode !== 200) throw new Error(`reading ${key} was answered ${response.statusCode}`)
    return hash.digest('hex')
  })
}

/** @param {import('node:http').IncomingMessage} response */
async function drain(response) {
  for await (const _ of response);
}

module.exports = { open, makeBucket, putInto, putRandom, putRandomInto, sha256Of, withStore }
