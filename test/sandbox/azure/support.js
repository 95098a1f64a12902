'use strict'

const { createHmac } = require('node:crypto')
const { queryString, send } = require('../store/support')

/**
 * Requests to an Azure store, signed here and not by the code under test.
 *
 * @typedef {{ method?: string, path: string, query?: Record<string, string>, headers?: Record<string, string>,
 *   body?: Buffer | string }} Request `path` decoded, without the account
 */

const VERSION = '2023-11-03'
const STANDARD = [
  ...['encoding', 'language', 'length', 'md5', 'type'].map(name => `content-${name}`),
  ...['date', 'if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range'],
]

/** @param {string} key base64 @param {string} text */
const hmac = (key, text) => createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')

/** Signs with the account's key; returns what `send` takes. */
function signed(store, { method = 'GET', path, query = {}, headers = {}, body }) {
  const { pathname } = new URL(store.endpoint)
  const rawPath = pathname + encodePath(path)
  const length = body === undefined ? undefined : Buffer.byteLength(body)
  const all = {
    'x-ms-date': new Date().toUTCString(),
    'x-ms-version': VERSION,
    ...(length !== undefined || method === 'PUT' ? { 'content-length': String(length ?? 0) } : {}),
    ...headers,
  }
  const lower = Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const values = STANDARD.map(name => (name === 'content-length' && lower[name] === '0' ? '' : (lower[name] ?? '')))
  const canonical = Object.keys(lower)
    .filter(name => name.startsWith('x-ms-'))
    .sort()
    .map(name => `${name}:${lower[name]}\n`)
    .join('')
  const resource = Object.keys(query)
    .sort()
    .map(name => `\n${name.toLowerCase()}:${query[name]}`)
    .join('')
  const text = [method, ...values, `${canonical}/${store.account}${rawPath}${resource}`].join('\n')
  const authorization = `SharedKey ${store.account}:${hmac(store.key, text)}`
  return { method, path: rawPath + queryString(query), headers: { ...all, authorization }, body }
}

/** @param {string} path */
function encodePath(path) {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The fields of a SAS of a container, with its signature. @returns {Record<string, string>} */
function sasQuery({ account, key }, container, { sp, se }) {
  const query = { sp, se, sv: VERSION, sr: 'c' }
  // Of the fields between and behind these none is given.
  const text = [sp, '', se, `/blob/${account}/${container}`, '', '', '', VERSION, 'c', ...Array(7).fill('')].join('\n')
  return { ...query, sig: hmac(key, text) }
}

/** Signs and sends. @param {Request} request */
async function call(store, request) {
  const answer = await send({ port: new URL(store.endpoint).port }, signed(store, request))
  return { ...answer, code: answer.headers['x-ms-error-code'] }
}

/** Of a block. @param {number} number @param {string} [random] eight bytes */
function blockId(number, random = 'testtest') {
  return Buffer.concat([Buffer.from(String(number).padStart(8, '0')), Buffer.from(random)]).toString('base64')
}

/** @param {string} path @param {string} id @param {Buffer | string} body */
const blockRequest = (path, id, body, headers = {}) => ({
  ...{ method: 'PUT', path, body, headers },
  query: { comp: 'block', blockid: id },
})

/** @param {string} path @param {string[]} ids */
const listRequest = (path, ids, headers = {}) => ({
  ...{ method: 'PUT', path, headers, query: { comp: 'blocklist' } },
  body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map(id => `<Latest>${id}</Latest>`).join('')}</BlockList>`,
})

/** @param {string} path @param {Buffer | string} body */
const putRequest = (path, body, headers = {}) => ({
  ...{ method: 'PUT', path, body },
  headers: { 'x-ms-blob-type': 'BlockBlob', ...headers },
})

module.exports = { blockId, blockRequest, call, listRequest, putRequest, sasQuery }
