'use strict'

/**
 * Control calls: one HTTP request each, over kept connections. The client learns the store's clock from answers. A call is
 * sent again, once, if its refusal shows that the clock was wrong or that the token has expired; `withRetry` does all other
 * retries, from outside.
 */

const { XferError } = require('../../errors')
const { readBody } = require('../../http')
const { codeOf, connectionError, createClient, factsOf, firstSentence, retryAfterIn } = require('../common')
const { USUAL_BYTES, foreignType } = require('../xml')
const { OPERATIONS, documents } = require('./calls')
const { NEW_SAS, classifyAnswer, meaningOf, rolesOf } = require('./explain')
const { createSigner } = require('./signing')
const { termsOf } = require('./settings')

/**
 * @typedef {Pick<import('./signing').Unsigned, 'key' | 'query' | 'headers'> & { body?: Buffer, completes?: true, secrets?: string[] }} Call
 *   query: in addition to that of the operation; secrets: of the request, which no message may repeat
 *
 * @typedef {{ headers: Record<string, string>, values: Record<string, any> }} Answered values: of the document
 */

/**
 * @param {object} of
 * @param {import('./types').AzureSettings} of.settings
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
  const signer = createSigner({ settings, container, now: client.now })

  /**
   * @param {string} operation by Azure's name
   * @param {Call} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answered>}
   * @throws {XferError}
   */
  async function call(operation, asked, signal) {
    const { method, query, service } = OPERATIONS[operation]
    const length =
      method === 'PUT' || method === 'POST' || method === 'DELETE' ? `${asked.body?.length ?? 0}` : undefined
    const unsigned = {
      ...{ method, service, key: asked.key, query: { ...query, ...asked.query } },
      headers: { ...asked.headers, ...(length && { 'content-length': length }) },
    }
    const request = await signer.control(unsigned)
    const isCorrected = client.watchClock()
    try {
      return await once(operation, request, asked, signal)
    } catch (cause) {
      const error = /** @type {import('../../types').XferError} */ (cause)
      if (error.code !== 'CREDENTIALS_REFUSED' && error.code !== 'ACCESS_DENIED') throw error
      const isTokens = credentials.kind === 'token' && error.facts.status === 401
      const token = (request.headers.authorization ?? '').slice('Bearer '.length)
      if (!isCorrected() && !(isTokens && (await credentials.renew(token)))) throw error
      return await once(operation, await signer.control(unsigned), asked, signal)
    }
  }

  /**
   * @param {string} operation
   * @param {{ method: string, url: string, headers: Record<string, string> }} request
   * @param {Call} asked
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answered>}
   */
  async function once(operation, { method, url, headers }, { key, body: sent, completes, secrets }, signal) {
    const { kind, status: wanted = 200, long, answer: document } = OPERATIONS[operation]
    const roles = rolesOf(kind, settings.side, credentials.kind)
    const about = { ...facts, key, ...roles, ...(completes && { completes }) }
    try {
      const request = { method, url, headers, body: sent }
      const { response, status, headers: answered } = await client.send(request, { long: long || completes, signal })
      const success = status === wanted
      const most = (success ? document?.most : undefined) ?? USUAL_BYTES
      const body = method === 'HEAD' ? Buffer.alloc(0) : await readBody(response, { most, silenceMs })
      if (!success) throw refusal({ status, headers: answered, body, secrets }, about)
      if (!document && !body) throw new XferError('BAD_ANSWER', { ...about, status, reason: 'its answer is too long' })
      const type = answered['content-type']
      const found = document ? documents.read(document, { status, type, body }, about) : { values: {} }
      if ('refusal' in found) throw refusal({ status, headers: answered, body, secrets }, about)
      return { headers: answered, values: found.values }
    } catch (cause) {
      throw connectionError(cause, about, signal)
    }
  }

  /**
   * @param {{ status: number, headers: Record<string, string>, body: Buffer | undefined, secrets?: string[] }} answer
   * @param {Record<string, any>} about
   */
  function refusal({ status, headers, body, secrets: sent = [] }, about) {
    const { code, message = '', details = '' } = documents.readRefusal(body) ?? {}
    const reason = firstSentence(message, [...secrets(), ...sent])
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
      ...meaningOf(said),
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

  return { call, facts, expired, now: client.now, learnTime: client.learnTime, close: client.close }
}

/**
 * What a document says more than its code.
 *
 * @param {string} code
 * @param {string} detail of a refused signature
 * @param {string | undefined} key of the call
 */
function ofControl(code, detail, key) {
  if (code === 'CREDENTIALS_REFUSED' && /date header too old|date header.*(?:future|ahead)/i.test(detail))
    return 'SIGNATURE_TOO_OLD'
  if (
    code === 'CREDENTIALS_REFUSED' &&
    /not valid in the specified time frame|lifetime validation failed|token is expired/i.test(detail)
  ) {
    return 'CREDENTIALS_EXPIRED'
  }
  // If the request named no key, the container is missing.
  return code === 'NO_SUCH_KEY' && key === undefined ? 'NO_SUCH_BUCKET' : code
}

module.exports = { createControl }
