'use strict'

/**
 * Builds the data requests, which a function sends, and URLs with which another store may read one blob for a quarter of an hour, or
 * anybody for as long as the user says: each carries a SAS, so it is a secret.
 */

const { randomBytes } = require('node:crypto')
const { conditionHeaders, usage } = require('../common')
const { READ, WRITE_BLOB, WRITE_BLOCK, writeHeaders } = require('./answers')
const { newBlockId, readUploadId } = require('./upload')

/** @typedef {import('../contract').Store} Store */

/** The age of a signature, by the store's clock, from which signing again may help. The store refuses 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000

/** Of a SAS that Entra ID backs. https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key */
const MOST_DELEGATED_MS = 7 * 86_400_000

/**
 * @param {ReturnType<typeof import('./control').createControl>} control
 * @param {import('./credentials').AzureCredentials} credentials
 * @returns {Pick<Store, 'read' | 'put' | 'signsAnew' | 'lend' | 'presign'> & Pick<Store['upload'], 'part'>} without `lend` if the only SAS
 *   is the user's, which is good for more than one blob, and may not be shared
 */
function createRequests({ signer, facts, now, learnTime }, { kind }) {
  /** @param {{ key: string, versionId?: string }} object @param {number} [lifeMs] @returns {Promise<string>} good for this blob alone */
  async function signedUrl({ key, versionId }, lifeMs) {
    const query = { versionid: versionId }
    const sas = kind === 'anonymous' ? undefined : await signer.sas({ key, query, permission: 'r' }, lifeMs)
    return signer.url(key, query, sas)
  }

  return {
    /** https://learn.microsoft.com/rest/api/storageservices/get-blob */
    async read({ key, etag, range, versionId }) {
      const headers = { 'if-match': etag, ...(range && { range: `bytes=${range.start}-${range.end}` }) }
      const request = await signer.data({ method: 'GET', key, query: { versionid: versionId }, headers }, 'r')
      return { request: { ...request, accepts: READ } }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/put-blob */
    async put({ key, bytes, attributes, condition }) {
      const headers = {
        'content-length': String(bytes),
        'x-ms-blob-type': 'BlockBlob',
        ...writeHeaders(attributes, facts),
        ...conditionHeaders(condition),
      }
      const permission = attributes.tags?.length ? 'cwt' : 'cw'
      const request = await signer.data({ method: 'PUT', key, headers }, permission)
      return { request: { ...request, accepts: WRITE_BLOB } }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/put-block */
    async part({ key, uploadId, partNumber, bytes }) {
      const tag = newBlockId(readUploadId(uploadId), partNumber, randomBytes)
      const headers = { 'content-length': String(bytes) }
      const query = { comp: 'block', blockid: tag }
      const request = await signer.data({ method: 'PUT', key, query, headers }, 'w')
      return { request: { ...request, accepts: WRITE_BLOCK }, tag }
    },

    signsAnew({ headers }, dateMs) {
      if (dateMs !== undefined) learnTime(dateMs)
      const signed = kind === 'sharedKey' || kind === 'token'
      const signedMs = Date.parse(headers['x-ms-date'] ?? '')
      return signed && Math.abs(now() - signedMs) > SIGNED_LONG_AGO_MS
    },

    ...(kind !== 'sas' && { lend: object => signedUrl(object) }),

    async presign({ key, versionId, lifeMs }) {
      if (kind === 'sas') {
        const text = 'A SAS cannot sign another one, and yours may be good for more than this blob.'
        const advice = 'Use the key of the account or Microsoft Entra ID, or append your SAS to the address yourself.'
        throw usage(text, advice)
      }
      if (kind === 'anonymous') {
        throw usage('Requests are not signed, and so no URL is.', 'Leave out --source-no-sign-request.')
      }
      if (kind === 'token' && lifeMs > MOST_DELEGATED_MS) {
        const text = 'A SAS by Microsoft Entra ID is good for 7 days at most.'
        throw usage(text, 'Give --expires 7d or less, or use the key of the account.')
      }
      const endsMs = now() + lifeMs
      return { url: await signedUrl({ key, versionId }, lifeMs), endsMs }
    },
  }
}

module.exports = { createRequests }
