'use strict'

/** Blobs of a server that speaks Azure Blob, written and read by requests that are not xfer's, signed with the account's key. */

const { childText, readXml } = require('../../../sandbox/common/xml')
const azure = require('../../sandbox/azure/support')
const { CONTENT, insist, keptOf } = require('./s3-objects')

const PART_BYTES = 5 * 1024 ** 2
/** The others have no place in a blob. */

/**
 * @typedef {import('./s3-objects').Kept} Kept
 * @typedef {import('./s3-objects').Written} Written
 * @typedef {{ port: number, account: string, key: string }} Account key: base64
 * @typedef {{ method?: string, path: string, query?: Record<string, string>, headers?: Record<string, string>, body?: Buffer | string }} Request
 *   path: decoded, without the account
 */

/** @param {Account} account @param {Request} request */
const call = ({ port, account, key }, request) =>
  azure.call({ endpoint: `http://127.0.0.1:${port}/${account}`, account, key }, request)

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
    return insist(await call(account, azure.putRequest(path, bytes, headersOf(written))), `PUT ${key}`)
  }
  const ids = []
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const id = Buffer.from(String(at).padStart(12, '0')).toString('base64')
    insist(await call(account, azure.blockRequest(path, id, bytes.subarray(at, at + PART_BYTES))), `PUT ${key}`)
    ids.push(id)
  }
  insist(await call(account, azure.listRequest(path, ids, headersOf(written))), `PUT ${key}?comp=blocklist`)
}

/** @param {Account} account @param {string} container @param {string} key @returns {Promise<Kept | undefined>} undefined: it is not there */
async function readOne(account, container, key) {
  const path = `/${container}/${key}`
  const got = await call(account, { path })
  if (got.status !== 200) return undefined
  return keptOf(got, await call(account, { path, query: { comp: 'tags' } }), { content: CONTENT, prefix: 'x-ms-meta-' })
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
