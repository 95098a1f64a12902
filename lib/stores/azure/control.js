'use strict'

/**
 * The control calls of Azure Blob Storage: a table of them and of the documents in their answers, and one HTTP request each, over
 * kept connections. The client learns the store's clock from answers. A call is sent again, once, if its refusal shows that the
 * clock was wrong or that the token has expired; `withRetry` does all other retries, from outside.
 */

const { XferError, wordsOfRefusal } = require('../../errors')
const { readBody } = require('../../http')
const { codeOf, connectionError, createClient, factsOf, retryAfterIn } = require('../common')
const { USUAL_BYTES, createDocuments, foreignType, texts } = require('../xml')
const { FOLDER_MARKS } = require('./answers')
const { NEW_SAS, classifyAnswer, meaningOf, rolesOf, termsOf } = require('./explain')
const { KEY_NAMES, createSigner } = require('./sign')

const KIB = 1024

/**
 * The page of each operation: https://learn.microsoft.com/rest/api/storageservices/operations-on-blobs
 *
 * @typedef {object} AzureOperation
 * @property {'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} method
 * @property {import('./explain').RefusalKind} kind what the credentials need
 * @property {Record<string, string>} [query] parameters that name the operation
 * @property {number} [status] of success; 200 when absent
 * @property {true} [service] it concerns the account's service, and neither a container nor a blob
 * @property {true} [long] it answers only when its work is done
 * @property {import('../xml').XmlKind} [answer] absent: it is answered without a document
 */

/** By Azure's names. @type {Record<string, AzureOperation>} */
const OPERATIONS = {
  'List Blobs': {
    method: 'GET',
    kind: 'list',
    query: { restype: 'container', comp: 'list' },
    answer: {
      // Five thousand names of 1,024 characters in their longest form, with 8 KiB of metadata each.
      what: 'a list',
      root: 'EnumerationResults',
      most: 96 * KIB * KIB,
      shape: {
        Prefix: 'encodable',
        NextMarker: 'text',
        Blobs: {
          Blob: [
            {
              Name: 'encodable',
              Properties: {
                ...texts('Content-MD5', 'Last-Modified', 'Etag', 'ResourceType', 'Content-Length', 'Content-Type'),
                ...texts('AccessTier', 'AccessTierInferred'),
              },
              Metadata: texts(...FOLDER_MARKS),
            },
          ],
          BlobPrefix: [{ Name: 'encodable' }],
        },
      },
    },
  },
  'List Containers': {
    method: 'GET',
    kind: 'account',
    service: true,
    query: { comp: 'list' },
    answer: {
      what: 'a list of containers',
      root: 'EnumerationResults',
      most: 8 * KIB * KIB,
      shape: {
        NextMarker: 'text',
        Containers: { Container: [{ Name: 'text', Properties: texts('Last-Modified') }] },
      },
    },
  },
  'Get Container Properties': { method: 'HEAD', kind: 'list', query: { restype: 'container' } },
  'Create Container': { method: 'PUT', kind: 'write', query: { restype: 'container' }, status: 201 },
  'Get Blob Properties': { method: 'HEAD', kind: 'read' },
  // Only of a range.
  'Get Blob': { method: 'GET', kind: 'read', status: 206 },
  'Delete Blob': { method: 'DELETE', kind: 'remove', status: 202 },
  'Get Blob Tags': {
    method: 'GET',
    kind: 'tags',
    query: { comp: 'tags' },
    answer: {
      what: 'the question for tags',
      root: 'Tags',
      most: 64 * KIB,
      shape: { TagSet: { Tag: [texts('Key', 'Value')] } },
    },
  },
  'Set Blob Tags': { method: 'PUT', kind: 'tags', query: { comp: 'tags' }, status: 204 },
  'Put Block': { method: 'PUT', kind: 'write', query: { comp: 'block' }, status: 201 },
  'Put Block From URL': { method: 'PUT', kind: 'write', query: { comp: 'block' }, status: 201, long: true },
  'Put Block List': { method: 'PUT', kind: 'write', query: { comp: 'blocklist' }, status: 201 },
  'Get Block List': {
    method: 'GET',
    kind: 'read',
    query: { comp: 'blocklist' },
    answer: {
      // A hundred thousand blocks.
      what: 'a list of blocks',
      root: 'BlockList',
      most: 32 * KIB * KIB,
      shape: {
        UncommittedBlocks: { Block: [texts('Name', 'Size')] },
        CommittedBlocks: { Block: [texts('Name')] },
      },
    },
  },
  'Get User Delegation Key': {
    method: 'POST',
    kind: 'delegate',
    service: true,
    query: { restype: 'service', comp: 'userdelegationkey' },
    answer: {
      what: 'the question for a user delegation key',
      root: 'UserDelegationKey',
      most: 64 * KIB,
      shape: texts(...KEY_NAMES),
    },
  },
}

/** What another clock, or another token, may mend. */
const REFUSED = new Set(['CREDENTIALS_EXPIRED', 'CREDENTIALS_REFUSED', 'ACCESS_DENIED'])

const documents = createDocuments(Object.values(OPERATIONS).flatMap(({ answer }) => answer ?? []))

/**
 * @typedef {Pick<import('./sign').Unsigned, 'key' | 'query' | 'headers'> & { body?: Buffer, completes?: true, secrets?: string[] }} Call
 *   query: in addition to that of the operation; secrets: of the request, which no message may repeat
 *
 * @typedef {{ headers: Record<string, string>, values: Record<string, any> }} AzureAnswer values: of the document
 */

/**
 * @param {object} of
 * @param {import('./settings').AzureSettings} of.settings
 * @param {string} of.container
 * @param {string} [of.location] the place, for messages
 * @param {() => number} of.now
 */
function createControl({ settings, container, location, now }) {
  const { endpoint, credentials } = settings
  const facts = factsOf(settings, endpoint, {
    protocol: 'Azure Blob',
    bucket: container,
    ...(location !== undefined && { location }),
    terms: termsOf(settings.side, settings.endpointFrom, credentials.kind),
    endpoint,
  })
  const client = createClient(settings, { now })
  const { silenceMs } = client
  const signer = createSigner({ settings, container, now: client.now, call, facts })

  /**
   * @param {string} operation by Azure's name
   * @param {Call} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<AzureAnswer>}
   * @throws {XferError}
   */
  async function call(operation, asked, signal) {
    const { method, query, service } = OPERATIONS[operation]
    const length = /^(?:PUT|POST|DELETE)$/.test(method) ? `${asked.body?.length ?? 0}` : undefined
    const unsigned = {
      method,
      service,
      key: asked.key,
      query: { ...query, ...asked.query },
      headers: { ...asked.headers, ...(length && { 'content-length': length }) },
    }
    const token = credentials.kind === 'token' ? await credentials.get() : undefined
    const request = await signer.control(unsigned)
    const isCorrected = client.watchClock()
    try {
      return await once(operation, request, asked, signal)
    } catch (cause) {
      const error = /** @type {import('../../types').XferError} */ (cause)
      if (!REFUSED.has(error.code)) throw error
      const renews = credentials.kind === 'token' && token && error.facts.status === 401
      if (!isCorrected() && !(renews && (await credentials.renew(token)))) throw error
      return await once(operation, await signer.control(unsigned), asked, signal)
    }
  }

  /**
   * @param {string} operation
   * @param {{ method: string, url: string, headers: Record<string, string> }} request
   * @param {Call} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<AzureAnswer>}
   */
  async function once(operation, { method, url, headers }, { key, body: sent, completes, secrets }, signal) {
    const { kind, status: wanted = 200, long, answer: document } = OPERATIONS[operation]
    const roles = rolesOf(kind, settings.side, credentials.kind)
    const about = { ...facts, key, ...roles, ...(completes && { completes }) }
    // The blob that is copied may be the one that is archived.
    const meant = headers['x-ms-copy-source'] === undefined ? kind : 'read'
    try {
      const request = { method, url, headers, body: sent }
      const how = { long: long || completes, signal, operation }
      const { response, status, headers: answered } = await client.send(request, how)
      const success = status === wanted
      const most = (success ? document?.most : undefined) ?? USUAL_BYTES
      const body = method === 'HEAD' ? Buffer.alloc(0) : await readBody(response, { most, silenceMs })
      if (!success) throw refusal({ kind: meant, status, headers: answered, body, secrets }, about)
      if (!document && !body) throw new XferError('BAD_ANSWER', { ...about, status, reason: 'its answer is too long' })
      const type = answered['content-type']
      const found = document ? documents.read(document, { status, type, body }, about) : { values: {} }
      if ('refusal' in found) throw refusal({ kind: meant, status, headers: answered, body, secrets }, about)
      return { headers: answered, values: found.values }
    } catch (cause) {
      throw connectionError(cause, about, signal)
    }
  }

  /**
   * @param {{ kind: import('./explain').RefusalKind, status: number, headers: Record<string, string>, body: Buffer | undefined, secrets?: string[] }} answer kind: of what was asked
   * @param {Record<string, any>} about
   */
  function refusal({ kind, status, headers, body, secrets: sent = [] }, about) {
    const { code, message = '', details = '' } = documents.readRefusal(body) ?? {}
    const reason = wordsOfRefusal(message, [...secrets(), ...sent])
    const storeCode = codeOf(headers['x-ms-error-code']) ?? codeOf(code)
    const page = foreignType(headers['content-type'] ?? '')
    const foreign =
      storeCode === undefined && (status < 400 ? 'a redirect' : status < 500 && status !== 429 ? page : undefined)
    if (status >= 200 && status < 300) {
      return new XferError('BAD_ANSWER', { ...about, status, reason: `it answers with the status ${status}` })
    }
    if (foreign) return new XferError('NOT_A_STORE', { ...about, status, reason: `HTTP ${status} with ${foreign}` })
    const said = { status, storeCode }
    const classified = expired() && status === 403 ? 'CREDENTIALS_EXPIRED' : classifyAnswer(said)
    return new XferError(ofControl(classified, details, about.key), {
      ...about,
      ...said,
      ...(reason && { reason }),
      ...meaningOf(said, kind),
      ...(classified === 'CREDENTIALS_EXPIRED' && expired() && { advice: NEW_SAS }),
      ...retryAfterIn(headers),
    })
  }

  /** Whether the user's SAS says that it has expired. */
  function expired() {
    return credentials.kind === 'sas' && credentials.expiresMs !== undefined && credentials.expiresMs <= client.now()
  }

  /** The user's secrets, which a refusal may repeat. */
  function secrets() {
    return credentials.kind === 'sas' ? [credentials.token(), ...credentials.token().split('&').slice(0, 32)] : []
  }

  const { now: clock, learnTime, requests, roundTripMs, close } = client
  return { call, facts, signer, expired, now: clock, learnTime, requests, roundTripMs, close }
}

/** What Azure writes when a SAS or a token has expired. */
const ENDED = /not valid in the specified time frame|lifetime validation failed|token is expired/i

/**
 * What a document says more than its code.
 *
 * @param {string} code
 * @param {string} detail of a refused signature
 * @param {string | undefined} key of the call
 */
function ofControl(code, detail, key) {
  if (code === 'CREDENTIALS_REFUSED') {
    if (/date header too old|date header.*(?:future|ahead)/i.test(detail)) return 'SIGNATURE_TOO_OLD'
    if (ENDED.test(detail)) return 'CREDENTIALS_EXPIRED'
  }
  // If the request named no key, the container is missing.
  return code === 'NO_SUCH_KEY' && key === undefined ? 'NO_SUCH_BUCKET' : code
}

module.exports = { createControl }
