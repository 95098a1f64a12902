'use strict'

/**
 * Uploads in parts. Azure has only blocks, which belong to a blob until somebody commits a list of some of them: that drops
 * all others. An upload is what the ids of its blocks say (block-ids.js), so to create one costs no more than a look at
 * the blocks that are there, and there is nothing to abort.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-block-blobs--append-blobs--and-page-blobs#about-block-blobs
 */

const { randomBytes } = require('node:crypto')
const { XferError } = require('../../errors')
const { VERSION_ID, writeHeaders } = require('./attributes')
const { LEAST_LENGTH, lengthOf, newUploadId, readBlockId, readUploadId } = require('./block-ids')
const { conditionHeaders, readCount } = require('../common')
const { writeXml } = require('../xml')
const { digestOf } = require('./blobs')
const { listUncommitted } = require('./list')

/** @typedef {import('../contract').Store} Store */
/** @typedef {Array<{ id: string, bytes: number }>} Blocks */

const WEEK_MS = 7 * 24 * 3_600_000

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads({ control }) {
  const { call, facts } = control

  /**
   * The uncommitted blocks of a blob: https://learn.microsoft.com/rest/api/storageservices/get-block-list
   *
   * @param {string} key
   * @param {AbortSignal} [signal]
   * @returns {Promise<Blocks>} empty too where there is no such blob
   */
  async function blocksOf(key, signal) {
    const asked = { key, query: { blocklisttype: 'uncommitted' } }
    const { values } = await call('Get Block List', asked, signal).catch(error => {
      if (error.code === 'NO_SUCH_KEY') return { values: /** @type {Record<string, any>} */ ({}) }
      throw error
    })
    return (values.UncommittedBlocks?.Block ?? []).map((/** @type {any} */ { Name, Size }) => {
      const bytes = readCount(Size)
      if (!Name || bytes === undefined) {
        throw new XferError('BAD_ANSWER', { ...facts, key, reason: 'it lists a block without its id or its size' })
      }
      return { id: Name, bytes }
    })
  }

  /**
   * The length of the ids of the blocks that are there: those of a blob must be equal.
   *
   * @param {string} key
   * @param {AbortSignal} [signal]
   * @returns {Promise<number | undefined>} undefined: any
   */
  async function idLengthOf(key, signal) {
    const [first] = await blocksOf(key, signal).catch(error => {
      // Who may only write chooses the usual length, and hears of it if that is wrong.
      if (error.code === 'ACCESS_DENIED') return []
      throw error
    })
    if (!first) return undefined
    const length = lengthOf(first.id)
    if (length >= LEAST_LENGTH) return length
    const reason = `the blob has uncommitted blocks of another program, whose ids are too short (${length} bytes); they go away a week after the last one, or when somebody writes the blob`
    throw new XferError('STORE_REFUSED', { ...facts, key, status: 200, reason })
  }

  return {
    lapse: { afterMs: WEEK_MS, words: 'Azure removes such blocks a week after the last one' },

    async create({ key, attributes }, { signal } = {}) {
      // What the completion would be refused for is refused before the first byte.
      writeHeaders(attributes, facts)
      const length = await idLengthOf(key, signal)
      return { id: newUploadId({ nowMs: control.now(), random: randomBytes, length }), checksums: false }
    },

    async parts({ key, uploadId, marker = '0', most }, { signal } = {}) {
      const { mark } = readUploadId(uploadId)
      const all = (await blocksOf(key, signal)).flatMap(({ id, bytes }) => {
        const block = readBlockId(id)
        return block?.mark === mark && block.partNumber > Number(marker)
          ? [{ partNumber: block.partNumber, etag: id, bytes }]
          : []
      })
      all.sort((a, b) => a.partNumber - b.partNumber)
      const numbers = [...new Set(all.map(({ partNumber }) => partNumber))]
      if (most === undefined || numbers.length <= most) return { parts: all }
      const last = numbers[most - 1]
      return { parts: all.filter(({ partNumber }) => partNumber <= last), next: String(last) }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/put-block-list */
    async complete({ key, parts, attributes, condition }, { signal } = {}) {
      // With `Latest` the same request may be repeated when its answer was lost.
      const body = /** @type {Buffer} */ (writeXml({ BlockList: { Latest: parts.map(({ etag }) => etag) } }))
      const headers = {
        ...writeHeaders(attributes, facts),
        ...conditionHeaders(condition),
        'content-type': 'application/xml',
        ...digestOf(body),
      }
      const answer = await call('Put Block List', { key, headers, body, completes: true }, signal)
      const { etag = '', [VERSION_ID]: versionId } = answer.headers
      return { etag, ...(versionId !== undefined && { versionId }) }
    },

    async made({ key, parts }, { signal } = {}) {
      const { values, headers } = await call('Get Block List', { key, query: { blocklisttype: 'committed' } }, signal)
      const ids = (values.CommittedBlocks?.Block ?? []).map((/** @type {any} */ { Name }) => Name)
      const same = ids.length === parts.length && parts.every(({ etag }, i) => etag === ids[i])
      return same ? headers.etag : undefined
    },

    /** Azure lists blobs with uncommitted blocks only if they were never committed. So the prefix is also taken for a key. */
    async pending({ prefix, marker }, { signal } = {}) {
      const { keys, next } = await listUncommitted(control, { prefix, marker: marker?.id }, signal)
      const asked = marker === undefined && prefix !== '' && !keys.includes(prefix) ? [prefix, ...keys] : keys
      const uploads = []
      for (const key of asked) uploads.push(...uploadsIn(key, await blocksOf(key, signal)))
      return { uploads, ...(next !== undefined && { next: { key: keys.at(-1) ?? prefix, id: next } }) }
    },
  }
}

/**
 * @param {string} key
 * @param {Blocks} blocks
 * @returns {import('../../types').StoredUpload[]} those of other programs are left out: nothing tells which blocks belong together
 */
function uploadsIn(key, blocks) {
  /** @type {Map<string, import('../../types').StoredUpload>} */
  const found = new Map()
  for (const { id } of blocks) {
    const block = readBlockId(id)
    if (!block || found.has(block.mark)) continue
    found.set(block.mark, { key, id: `${block.mark}.${lengthOf(id)}`, initiatedMs: block.beganMs })
  }
  return [...found.values()]
}

module.exports = { createUploads }
