'use strict'

/**
 * URLs with which another store may read one blob for a quarter of an hour, or anybody for as long as the user says: each carries a
 * SAS, so it is a secret. And blocks that Azure itself reads from a URL of another store.
 */

const { randomBytes } = require('node:crypto')
const { copyError, usage } = require('../common')
const { isPinnedByTime } = require('../../integrity')
const { readWritten } = require('./attributes')
const { newBlockId, readUploadId } = require('./block-ids')
const { sasOf } = require('./sas')

/** Of a SAS that Entra ID backs. https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key */
const MOST_DELEGATED_MS = 7 * 86_400_000

/**
 * Errors of a store that cannot or may not read the source, or does not take the request: an engine that reads and writes
 * may still succeed. A code that says the source's status has any.
 */
const REFUSALS = [
  ...['ACCESS_DENIED', 'STORE_REFUSED', 'NO_SUCH_BUCKET', 'NO_SUCH_KEY', 'NOT_A_STORE'],
  ...['CREDENTIALS_REFUSED', 'UPLOAD_CONFLICT'],
]

/**
 * @param {object} of
 * @param {import('./types').AzureSettings} of.settings
 * @param {string} of.container
 * @param {() => number} of.now the store's clock
 * @param {ReturnType<typeof import('./signing').createSigner>} of.signer
 * @param {import('./signing').Delegation} of.delegation signs where the credentials are a token
 * @returns {Pick<import('../contract').Store, 'lend' | 'presign'>} without `lend` if the only SAS is the user's, which is good for
 *   more than one blob, and may not be shared
 */
function createLending({ settings, container, now, signer, delegation }) {
  const { account, endpoint, credentials } = settings

  /** @param {{ key: string, versionId?: string }} object @param {number} [lifeMs] @returns {Promise<string>} good for this blob alone */
  async function signedUrl({ key, versionId }, lifeMs) {
    const query = { versionid: versionId }
    const request = { container, key, query, permission: 'r' }
    if (credentials.kind === 'anonymous') return signer.url(key, query)
    const plain = endpoint.startsWith('http:')
    const sas =
      credentials.kind === 'sharedKey'
        ? sasOf(request, { account, by: credentials.key(), nowMs: now(), lifeMs, plain })
        : await delegation.sas(request, lifeMs)
    return signer.url(key, query, sas)
  }

  return {
    ...(credentials.kind !== 'sas' && { lend: object => signedUrl(object) }),

    async presign({ key, versionId, lifeMs }) {
      if (credentials.kind === 'sas') {
        const text = 'A SAS cannot sign another one, and yours may be good for more than this blob.'
        const advice = 'Use the key of the account or Microsoft Entra ID, or append your SAS to the address yourself.'
        throw usage(text, advice)
      }
      if (credentials.kind === 'anonymous')
        throw usage('Requests are not signed, and so no URL is.', 'Leave out --source-no-sign-request.')
      if (credentials.kind === 'token' && lifeMs > MOST_DELEGATED_MS) {
        const text = 'A SAS by Microsoft Entra ID is good for 7 days at most.'
        throw usage(text, 'Give --expires 7d or less, or use the key of the account.')
      }
      const endsMs = now() + lifeMs
      return { url: await signedUrl({ key, versionId }, lifeMs), endsMs }
    },
  }
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

module.exports = { createLending, createPull }
