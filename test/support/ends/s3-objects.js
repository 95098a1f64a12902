'use strict'

/** Objects of a server that speaks S3, written and read by requests that are not xfer's. */

const { crc32 } = require('node:zlib')
const { childText, readXml } = require('../../../sandbox/common/xml')
const { call } = require('../../sandbox/store/support')

const PART_BYTES = 5 * 1024 ** 2

/**
 * @typedef {{ port: number, accessKeyId: string, secretAccessKey: string, region: string }} Access
 * @typedef {{ bytes: Buffer, etag: string, headers: Record<string, string>, user: Record<string, string>, tags: [string, string][] }} Kept
 *   names of headers in lower case, of user metadata without their `x-amz-meta-`
 * @typedef {{ objects: Map<string, Kept>, uploads: { id: string, key: string }[] }} Look by key
 * @typedef {{ bytes: Buffer, kind?: import('../../random/draw').Written, attributes?: import('../../random/draw').Attributes }} Written
 */

const CONTENT = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'content-type']
const HEADERS = [...CONTENT, 'expires']

/** @param {Buffer} bytes @returns {string} as S3 writes it */
function sumOf(bytes) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum.toString('base64')
}

/** @param {Written} written @returns {Record<string, string>} */
function headersOf({ attributes: { headers, user, tags } = { headers: {}, user: {}, tags: [] } }) {
  return {
    ...headers,
    ...Object.fromEntries(Object.entries(user).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    ...(tags.length > 0 && { 'x-amz-tagging': new URLSearchParams(tags).toString() }),
  }
}

/** @param {{ status?: number, text: string }} answer @param {string} what */
function insist({ status = 0, text }, what) {
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${text.slice(0, 300)}`)
}

/**
 * @param {Access} access
 * @param {string} bucket
 * @param {string} key
 * @param {Written} written
 */
async function write(access, bucket, key, written) {
  const { bytes, kind = 'put' } = written
  if (kind === 'parts' || kind === 'parts-full' || kind === 'parts-composite') {
    const type = kind === 'parts-full' ? 'FULL_OBJECT' : kind === 'parts-composite' ? 'COMPOSITE' : undefined
    await putParts(access, `/${bucket}/${key}`, usualParts(bytes), { headers: headersOf(written), type })
    return
  }
  const sum = kind === 'put-crc32' ? { 'x-amz-checksum-crc32': sumOf(bytes) } : {}
  const headers = { ...headersOf(written), ...sum }
  insist(await call(access, { method: 'PUT', path: `/${bucket}/${key}`, headers, body: bytes }), `PUT ${key}`)
}

/** @param {Buffer} bytes @returns {Buffer[]} parts of the usual size */
function usualParts(bytes) {
  const starts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, i) => i * PART_BYTES)
  return starts.map(at => bytes.subarray(at, at + PART_BYTES))
}

/**
 * @param {Access} access
 * @param {string} path
 * @param {Buffer[]} bodies
 * @param {{ headers?: Record<string, string>, type?: 'COMPOSITE' | 'FULL_OBJECT' }} [how] type: which CRC-32 the store is to keep
 * @returns {Promise<string>} the ETag
 */
async function putParts(access, path, bodies, { headers = {}, type } = {}) {
  const summed = type && { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': type }
  const query = { uploads: '' }
  const created = await call(access, { method: 'POST', path, query, headers: { ...headers, ...summed } })
  insist(created, `POST ${path}?uploads`)
  const uploadId = childText(readXml(created.text), 'UploadId') ?? ''
  let list = ''
  for (const [i, body] of bodies.entries()) {
    const headers = /** @type {Record<string, string>} */ (type ? { 'x-amz-checksum-crc32': sumOf(body) } : {})
    const query = { uploadId, partNumber: String(i + 1) }
    const part = await call(access, { method: 'PUT', path, query, headers, body })
    insist(part, `PUT ${path}?partNumber=${i + 1}`)
    const sum = type ? `<ChecksumCRC32>${sumOf(body)}</ChecksumCRC32>` : ''
    list += `<Part><PartNumber>${i + 1}</PartNumber><ETag>${part.headers.etag}</ETag>${sum}</Part>`
  }
  const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`
  const done = await call(access, { method: 'POST', path, query: { uploadId }, body })
  insist(done, `POST ${path}?uploadId`)
  return childText(readXml(done.text), 'ETag') ?? ''
}

/** From within a store of the sandbox. @param {import('../../../sandbox/store/types').RunningStore} store @param {string} bucket @returns {Promise<Look>} */
async function lookInside(store, bucket) {
  const { objects, uploads } = await store.look(bucket)
  const kept = objects.map(({ key, bytes, etag, content, user, tags }) => {
    const plain = Object.entries(user).map(([name, value]) => [name.replace('x-amz-meta-', ''), value])
    const found = { bytes, etag, headers: content, user: Object.fromEntries(plain), tags }
    return /** @type {[string, Kept]} */ ([key, found])
  })
  return { objects: new Map(kept), uploads }
}

/** By requests. @param {Access} access @param {string} bucket @returns {Promise<Look>} */
async function lookOutside(access, bucket) {
  /** @type {Look['objects']} */
  const objects = new Map()
  for (const key of await keysOf(access, bucket)) {
    const kept = await readOne(access, bucket, key)
    if (kept) objects.set(key, kept)
  }
  const { status, text } = await call(access, { path: `/${bucket}`, query: { uploads: '' } })
  const found = status === 200 ? readXml(text).children.filter(({ name }) => name === 'Upload') : []
  const uploads = found.map(one => ({ id: childText(one, 'UploadId') ?? '', key: childText(one, 'Key') ?? '' }))
  return { objects, uploads }
}

/** @param {Access} access @param {string} bucket @param {string} key @returns {Promise<Kept | undefined>} undefined: it is not there */
async function readOne(access, bucket, key) {
  const path = `/${bucket}/${key}`
  const got = await call(access, { path })
  if (got.status !== 200) return undefined
  const tags = await call(access, { path, query: { tagging: '' } })
  return keptOf(got, tags, { content: HEADERS, prefix: 'x-amz-meta-' })
}

/**
 * @param {any} got the answer with the object
 * @param {any} tags that with its tags
 * @param {{ content: string[], prefix: string }} of names of headers that describe the content, and the beginning of those of user metadata
 * @returns {Kept}
 */
function keptOf(got, { text, status }, { content, prefix }) {
  const names = Object.keys(got.headers)
  const told = content.filter(name => name in got.headers)
  const user = names.filter(name => name.startsWith(prefix)).map(name => [name.slice(prefix.length), got.headers[name]])
  return {
    bytes: got.bytes,
    etag: String(got.headers.etag ?? '').replaceAll('"', ''),
    headers: Object.fromEntries(told.map(name => [name, String(got.headers[name])])),
    user: Object.fromEntries(user),
    tags: status === 200 ? tagsOf(text) : [],
  }
}

/** Some servers answer with the object, or with nothing. @param {string} text @returns {[string, string][]} */
function tagsOf(text) {
  if (!text.includes('<TagSet')) return []
  const set = readXml(text).children.find(({ name }) => name === 'TagSet')
  return (set?.children ?? []).map(tag => [childText(tag, 'Key') ?? '', childText(tag, 'Value') ?? ''])
}

/** @param {Access} access @param {string} bucket @returns {Promise<string[]>} */
async function keysOf(access, bucket) {
  /** @type {string[]} */
  const keys = []
  for (let after = ''; ; ) {
    const query = { 'list-type': '2', ...(after && { 'start-after': after }) }
    const answer = await call(access, { path: `/${bucket}`, query })
    insist(answer, `the list of ${bucket}`)
    const root = readXml(answer.text)
    const found = root.children.filter(({ name }) => name === 'Contents').map(one => childText(one, 'Key') ?? '')
    keys.push(...found)
    if (childText(root, 'IsTruncated') !== 'true' || found.length === 0) return keys
    after = found[found.length - 1]
  }
}

module.exports = { CONTENT, insist, keptOf, lookInside, lookOutside, putParts, readOne, write }
