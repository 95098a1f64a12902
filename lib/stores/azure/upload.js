'use strict'

/**
 * Uploads in parts. Azure has only blocks, which belong to a blob until somebody commits a list of some of them: that drops
 * all others. So an upload is a mark in the ids of its blocks, which the writer chooses: to create one costs no more than a look at
 * the blocks that are there, and there is nothing to abort. Each attempt at a block has an id of its own, so that a late duplicate of
 * one attempt cannot replace the block that another attempt wrote, and that was proved.
 * https://learn.microsoft.com/rest/api/storageservices/understanding-block-blobs--append-blobs--and-page-blobs#about-block-blobs
 *
 * A block's id is the base64 of a text of letters and digits:
 *
 *     x NNN SSSSSS RRR AAA…
 *
 * N: the number of the part; S: when the upload began, in seconds since the epoch; both with 62 digits. R: random, of the
 * upload. A: random, of the attempt. The base64 of such a text has neither `+` nor `/`, which not every program encodes in a
 * URL in the same way. All ids of a blob must have one length, those of other programs' blocks included:
 * https://learn.microsoft.com/rest/api/storageservices/put-block#uri-parameters
 *
 * The id of an upload: S and R, and the length of its blocks' ids: `1vQx0Aq7b.24`.
 */

const { createHash, randomBytes } = require('node:crypto')
const { XferError } = require('../../errors')
const { WAIT_FOR_BLOCKS } = require('./explain')
const { isPinnedByTime } = require('../../integrity')
const { conditionHeaders, copyError, readCount } = require('../common')
const { writeXml } = require('../xml')
const { VERSION_ID, readWritten, writeHeaders } = require('./answers')
const { listUncommitted } = require('./list')

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const NUMBER = 3
const SECONDS = 6
const MARK = SECONDS + 3
const USUAL_LENGTH = 24
/** With three random digits of the attempt. rclone's ids have this length. */
const LEAST_LENGTH = 1 + NUMBER + MARK + 3
const TEXT = /^x([0-9A-Za-z]{3})([0-9A-Za-z]{9})[0-9A-Za-z]{3,}$/

/** @typedef {{ mark: string, length: number }} UploadId mark: S and R */
/** @typedef {(bytes: number) => Buffer} Random */

/**
 * @param {{ nowMs: number, random: Random, length?: number }} of length: of the ids of the blocks that the blob has already, before base64
 * @returns {string}
 */
function newUploadId({ nowMs, random, length = USUAL_LENGTH }) {
  const mark = digitsOf(Math.floor(nowMs / 1000), SECONDS) + anyDigits(random, MARK - SECONDS)
  return `${mark}.${length}`
}

/** @param {string} id of `newUploadId` @returns {UploadId} */
function readUploadId(id) {
  const [mark, length = USUAL_LENGTH] = id.split('.')
  return { mark, length: Number(length) }
}

/** @param {UploadId} upload @param {number} partNumber @param {Random} random @returns {string} in base64 */
function newBlockId({ mark, length }, partNumber, random) {
  const text = `x${digitsOf(partNumber, NUMBER)}${mark}`
  return Buffer.from(text + anyDigits(random, length - text.length)).toString('base64')
}

/**
 * @param {string} blockId in base64
 * @returns {{ partNumber: number, mark: string, beganMs: number } | undefined} undefined: another program wrote the block
 */
function readBlockId(blockId) {
  const [, number, mark] = TEXT.exec(Buffer.from(blockId, 'base64').toString('latin1')) ?? []
  if (mark === undefined) return undefined
  return { partNumber: numberOf(number), mark, beganMs: numberOf(mark.slice(0, SECONDS)) * 1000 }
}

/** @param {string} blockId in base64 @returns {number} its length before base64 */
function lengthOf(blockId) {
  return Buffer.from(blockId, 'base64').length
}

/** @param {number} number @param {number} width */
function digitsOf(number, width) {
  let text = ''
  for (let rest = number; text.length < width; rest = Math.floor(rest / DIGITS.length))
    text = DIGITS[rest % DIGITS.length] + text
  return text
}

/** @param {string} text */
function numberOf(text) {
  return [...text].reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0)
}

/** @param {Random} random @param {number} count */
function anyDigits(random, count) {
  return [...random(count)].map(byte => DIGITS[byte % DIGITS.length]).join('')
}

/**
 * Errors of a store that cannot or may not read the source, or does not take the request: an engine that reads and writes
 * may still succeed. A code that says the source's status has any.
 */
const REFUSALS = [
  ...['ACCESS_DENIED', 'STORE_REFUSED', 'NO_SUCH_BUCKET', 'NO_SUCH_KEY', 'NOT_A_STORE'],
  ...['CREDENTIALS_REFUSED', 'UPLOAD_CONFLICT'],
]

/** @typedef {import('../contract').Store} Store */
/** @typedef {Array<{ id: string, bytes: number }>} Blocks */

const WEEK_MS = 7 * 24 * 3_600_000

/**
 * @param {ReturnType<typeof import('./control').createControl>} control
 * @returns {Omit<Store['upload'], 'part'>}
 */
function createUploads(control) {
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
    const reason = `the blob has uncommitted blocks of another program, whose ids are too short (${length} bytes)`
    throw new XferError('STORE_REFUSED', { ...facts, key, status: 200, reason, advice: WAIT_FOR_BLOCKS })
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

/**
 * https://learn.microsoft.com/rest/api/storageservices/put-block-from-url
 *
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call'>} control
 * @returns {import('../contract').Pull}
 */
function createPull({ call }) {
  return {
    async part({ from, range, key, uploadId, partNumber }, { signal } = {}) {
      const tag = newBlockId(readUploadId(uploadId), partNumber, randomBytes)
      const url = await from.lend()
      const headers = {
        'x-ms-copy-source': url,
        [isPinnedByTime(from) ? 'x-ms-source-if-unmodified-since' : 'x-ms-source-if-match']: from.etag,
        ...(range && { 'x-ms-source-range': `bytes=${range.start}-${range.end}` }),
      }
      const asked = { key, query: { blockid: tag }, headers, secrets: [url, ...url.split(/[?&]/)] }
      const answer = await call('Put Block From URL', asked, signal).catch(error => {
        const unread = error.facts.storeCode === 'CannotVerifyCopySource'
        // The destination has no condition.
        throw copyError(error, ['DESTINATION_EXISTS'], unread ? [error.code] : REFUSALS)
      })
      const { answered } = readWritten(answer.headers)
      return { etag: tag, ...(answered && { answered }) }
    },
  }
}

/** The store checks what it received. @param {Buffer} body @returns {{ 'content-md5': string }} */
function digestOf(body) {
  return { 'content-md5': createHash('md5').update(body).digest('base64') }
}

module.exports = { createPull, createUploads, digestOf, lengthOf, newBlockId, newUploadId, readBlockId, readUploadId }
