'use strict'

/** Blobs of a server that speaks Azure Blob, written and read by requests that are not xfer's, signed with the account's key. */

const { createHmac } = require('node:crypto')
const { childText, readXml } = require('../../../sandbox/common/xml')
const { send } = require('../../sandbox/store/support')

const PART_BYTES = 5 * 1024 ** 2
const VERSION = '2021-12-02'
const LINES = ['Content-Encoding', 'Content-Language', 'Content-Length', 'Content-MD5', 'Content-Type', 'Date']
const CONDITIONS = ['If-Modified-Since', 'If-Match', 'If-None-Match', 'If-Unmodified-Since', 'Range']
/** The others have no place in a blob. */
const CONTENT = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-type']

/**
 * @typedef {import('./s3-objects').Kept} Kept
 * @typedef {import('./s3-objects').Written} Written
 * @typedef {{ port: number, account: string, key: string }} Account key: base64
 * @typedef {{ method?: string, path: string, query?: Record<string, string>, headers?: Record<string, string>, body?: Buffer | string }} Request
 *   path: decoded, without the account
 */

/** @param {string} path */
const encodePath = path => path.split('/').map(encodeURIComponent).join('/')

/** https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key @param {Account} account @param {Request} request */
async function call({ port, account, key }, { method = 'GET', path, query = {}, headers: given = {}, body }) {
  const url = `/${account}${encodePath(path)}`
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  /** @type {Record<string, string>} */
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': VERSION, ...given }
  const own = Object.keys(headers)
    .filter(name => name.startsWith('x-ms-'))
    .sort()
  const lines = [...LINES, ...CONDITIONS].map(name =>
    name === 'Content-Length' ? (length > 0 ? String(length) : '') : (headers[name.toLowerCase()] ?? ''),
  )
  const names = Object.keys(query).sort()
  const text = [
    ...[method, ...lines, ...own.map(name => `${name}:${headers[name]}`)],
    `/${account}${url}${names.map(name => `\n${name}:${query[name]}`).join('')}`,
  ].join('\n')
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64')
  const search = names.map(name => `${encodeURIComponent(name)}=${encodeURIComponent(query[name])}`).join('&')
  return await send(
    { port },
    {
      method,
      path: url + (search && `?${search}`),
      headers: {
        ...{ host: `127.0.0.1:${port}`, ...headers, 'content-length': String(length) },
        authorization: `SharedKey ${account}:${signature}`,
      },
      body,
    },
  )
}

/** @param {{ status?: number, text: string }} answer @param {string} what */
function insist({ status = 0, text }, what) {
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${text.slice(0, 300)}`)
}

/** @param {Written} written @returns {Record<string, string>} */
function headersOf({ attributes: { headers, user, tags } = { headers: {}, user: {}, tags: [] } }) {
  const content = CONTENT.filter(name => name in headers).map(name => [`x-ms-blob-${name}`, headers[name]])
  return {
    ...Object.fromEntries(content),
    ...Object.fromEntries(Object.entries(user).map(([name, value]) => [`x-ms-meta-${name}`, value])),
    ...(tags.length > 0 && { 'x-ms-tags': new URLSearchParams(tags).toString() }),
  }
}

/** @param {Account} account @param {string} container @param {string} key @param {Written} written */
async function write(account, container, key, written) {
  const { bytes, kind = 'put' } = written
  const path = `/${container}/${key}`
  if (!kind.startsWith('parts')) {
    const headers = { 'x-ms-blob-type': 'BlockBlob', ...headersOf(written) }
    return insist(await call(account, { method: 'PUT', path, headers, body: bytes }), `PUT ${key}`)
  }
  const ids = []
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const id = Buffer.from(String(at).padStart(12, '0')).toString('base64')
    const query = { comp: 'block', blockid: id }
    insist(await call(account, { method: 'PUT', path, query, body: bytes.subarray(at, at + PART_BYTES) }), `PUT ${key}`)
    ids.push(id)
  }
  const body = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map(id => `<Latest>${id}</Latest>`).join('')}</BlockList>`
  const committed = { method: 'PUT', path, query: { comp: 'blocklist' }, headers: headersOf(written), body }
  insist(await call(account, committed), `PUT ${key}?comp=blocklist`)
}

/** @param {Account} account @param {string} container @param {string} key @returns {Promise<Kept | undefined>} undefined: it is not there */
async function readOne(account, container, key) {
  const path = `/${container}/${key}`
  const got = await call(account, { path })
  if (got.status !== 200) return undefined
  const { text, status } = await call(account, { path, query: { comp: 'tags' } })
  const names = Object.keys(got.headers)
  const user = names.filter(name => name.startsWith('x-ms-meta-')).map(name => [name.slice(10), got.headers[name]])
  const content = CONTENT.flatMap(name => (name in got.headers ? [[name, String(got.headers[name])]] : []))
  return {
    bytes: got.bytes,
    etag: String(got.headers.etag ?? '').replaceAll('"', ''),
    headers: Object.fromEntries(content),
    user: Object.fromEntries(user),
    tags: status === 200 ? tagsOf(text) : [],
  }
}

/** @param {string} text @returns {[string, string][]} */
function tagsOf(text) {
  const set = readXml(text).children.find(({ name }) => name === 'TagSet')
  return (set?.children ?? []).map(tag => [childText(tag, 'Key') ?? '', childText(tag, 'Value') ?? ''])
}

/** @param {Account} account @param {string} container @param {Record<string, string>} [more] of the query @returns {Promise<string[]>} */
async function keysOf(account, container, more = {}) {
  /** @type {string[]} */
  const keys = []
  for (let marker = ''; ; ) {
    const query = { restype: 'container', comp: 'list', ...more, ...(marker && { marker }) }
    const answer = await call(account, { path: `/${container}`, query })
    insist(answer, `the list of ${container}`)
    const root = readXml(answer.text)
    const blobs = root.children.find(({ name }) => name === 'Blobs')
    keys.push(...(blobs?.children ?? []).map(one => childText(one, 'Name') ?? ''))
    marker = childText(root, 'NextMarker') ?? ''
    if (marker === '') return keys
  }
}

/** @param {Account} account @param {string} container @returns {Promise<import('./s3-objects').Look>} */
async function look(account, container) {
  const keys = await keysOf(account, container)
  const objects = new Map()
  for (const key of keys) {
    const kept = await readOne(account, container, key)
    if (kept) objects.set(key, kept)
  }
  const begun = await keysOf(account, container, { include: 'uncommittedblobs' })
  return { objects, uploads: begun.filter(key => !keys.includes(key)).map(key => ({ id: key, key })) }
}

module.exports = { call, look, readOne, write }
