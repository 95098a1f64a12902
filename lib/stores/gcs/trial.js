'use strict'

/**
 * Tries on the user's own bucket what a copy relies on and few have measured, for `xfer doctor`. Leaves nothing: the upload is
 * aborted, the write has a condition that cannot hold, and the object to delete does not exist.
 */

const { randomBytes } = require('node:crypto')
const { ask } = require('../../http')

const LIMIT_MS = 10_000
const BODY = Buffer.from('123456789')
/** Of these bytes. */
const SUMS = { crc32c: 'e3069283', md5: '25f9e794323b453885f5181f1b624d0b' }
/** Of other bytes. */
const WRONG_MD5 = Buffer.alloc(16).toString('base64')
/** No object has this generation. */
const NO_GENERATION = '1'

/** @type {NonNullable<import('../s3/types').Dialect['createTrial']>} */
function createTrial({ control, dialect, settings, upload }) {
  /**
   * @param {string} key
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ sums: boolean, md5: boolean }>} whether the answer to a part has its checksums, and whether a part with a wrong
   *   Content-MD5 is refused
   */
  async function tryParts(key, signal) {
    const attributes = { metadata: { headers: {}, user: {} } }
    const { id } = await upload.create({ key, attributes, checksum: false }, { signal })
    try {
      return { sums: await answersSums(key, id, signal), md5: await refusesWrongMd5(key, id, signal) }
    } finally {
      await upload.abort?.({ key, uploadId: id })
    }
  }

  /** @param {string} key @param {string} uploadId @param {AbortSignal} [signal] */
  async function answersSums(key, uploadId, signal) {
    const part = { key, uploadId, partNumber: 1, bytes: BODY.length, checksum: false }
    const { method, url, headers } = (await upload.part(part)).request
    const how = { limitMs: LIMIT_MS, signal, ca: settings.ca, proxy: settings.proxy }
    const answer = await ask({ method, url, headers, body: BODY }, how)
    const sums = dialect.sums?.(/** @type {Record<string, string>} */ (answer.headers)) ?? {}
    return sums.crc32c === SUMS.crc32c && sums.md5 === SUMS.md5
  }

  /** @param {string} key @param {string} uploadId @param {AbortSignal} [signal] */
  async function refusesWrongMd5(key, uploadId, signal) {
    const part = { Key: key, UploadId: uploadId, PartNumber: 2, Body: BODY }
    const tried = control.call('UploadPart', part, signal, { 'content-md5': WRONG_MD5 })
    // Any refusal will do: which code it has is not known.
    return (await refusalOf(tried, ['PART_CORRUPTED', 'STORE_REFUSED'])) !== undefined
  }

  /** @param {string} key @param {AbortSignal} [signal] @returns {Promise<boolean>} whether a write is refused whose condition does not hold */
  async function heedsConditions(key, signal) {
    const headers = { 'x-goog-if-generation-match': NO_GENERATION }
    const tried = control.call('PutObject', { Key: key, Body: BODY }, signal, headers)
    if (await refusalOf(tried, ['DESTINATION_EXISTS'])) return true
    await control.call('DeleteObject', { Key: key }, signal)
    return false
  }

  /** @param {string} key @param {AbortSignal} [signal] @returns {Promise<string>} a sentence */
  async function howItDeletes(key, signal) {
    const tried = control.call('DeleteObjects', { Delete: { Objects: [{ Key: key }] } }, signal)
    const code = await refusalOf(tried, ['ACCESS_DENIED', 'STORE_REFUSED'])
    if (code === undefined) return 'It deletes many objects with one request.'
    return code === 'STORE_REFUSED'
      ? 'It deletes objects one by one.'
      : 'The credentials may delete nothing, which a copy does not need.'
  }

  return async (key, { signal } = {}) => {
    const absent = `${key}-xfer-doctor-${randomBytes(8).toString('hex')}`
    const { sums, md5 } = await tryParts(absent, signal)
    const heeds = await heedsConditions(absent, signal)
    return {
      says: [
        sums
          ? 'It answers each part with its CRC-32C and MD5.'
          : 'It does not answer a part with its checksums, so copies in parts are read back to prove them.',
        md5
          ? 'It refuses a part with a wrong Content-MD5.'
          : 'It takes a part with a wrong Content-MD5, which xfer never sends.',
        heeds
          ? 'It refuses a write whose condition does not hold.'
          : 'It wrote an object although the condition did not hold (the object was deleted again): --no-clobber and --if-match are only checked before the write.',
        await howItDeletes(absent, signal),
      ],
      holds: sums && heeds,
    }
  }
}

/** @param {Promise<unknown>} tried @param {string[]} codes @returns {Promise<string | undefined>} which of the refusals it is; undefined: none */
async function refusalOf(tried, codes) {
  return await tried.then(
    () => undefined,
    error => {
      if (codes.includes(error.code)) return error.code
      throw error
    },
  )
}

module.exports = { createTrial }
