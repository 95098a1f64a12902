'use strict'

/**
 * Finds the object of an address: follows its redirects, and asks for the first byte. The answer tells whether there are
 * ranges, the size, the ETag, attributes and checksums.
 */

const { retryAfterIn } = require('../common')
const { isRedirect, nextAddress } = require('./address')
const { foundIn } = require('./answers')
const { explainAnswer } = require('./explain')
const { XferError } = require('./words')

/** @typedef {import('./types').Found} Found */
/** @typedef {import('./client').Answered} Answered */

const CONTENT_RANGE = /^bytes 0-0\/(\d{1,15}|\*)$/i

/**
 * @param {object} of
 * @param {import('./types').HttpsSettings} of.settings
 * @param {ReturnType<typeof import('./client').createGets>} of.client
 * @param {Record<string, any>} of.facts for errors
 * @param {() => number} of.now epoch milliseconds
 */
function createFinder({ settings, client, facts, now }) {
  /** Where an object without ranges is. @type {string | undefined} */
  let whole

  /**
   * @param {AbortSignal} [signal]
   * @returns {Promise<Found>}
   * @throws {XferError}
   */
  async function find(signal) {
    const visited = [settings.url()]
    for (;;) {
      const url = visited[visited.length - 1]
      const answer = await client.get(url, { ...headersFor(settings, url), range: 'bytes=0-0' }, signal)
      if (!isRedirect(answer.status)) return await foundBy(answer, { url, redirected: visited.length > 1 }, signal)
      visited.push(nextAddress(visited, answer.headers.location, facts))
    }
  }

  /**
   * @param {Answered} answer
   * @param {Pick<Found, 'url' | 'redirected'>} at
   * @param {AbortSignal} [signal]
   * @returns {Promise<Found>}
   */
  async function foundBy(answer, at, signal) {
    const { status, headers, body } = answer
    const [, total] = CONTENT_RANGE.exec(headers['content-range'] ?? '') ?? []
    if (status === 206) {
      checkEncoding(headers)
      const reason = total === undefined ? 'it sends another range than that asked for' : lengthFault(body)
      if (reason !== undefined) throw new XferError('BAD_ANSWER', { ...facts, status, reason })
      if (total === '*') throw noRanges(at, 'does not tell how long it is')
      return { ...at, ...foundIn(headers, body), bytes: Number(total) }
    }
    if (status === 416) return await empty(at, signal)
    if (status === 200) {
      checkEncoding(headers)
      if (headers['content-length'] === '0') return { ...at, ...foundIn(headers), bytes: 0 }
      throw noRanges(at, 'sends no ranges of it')
    }
    if (status > 200 && status < 300) {
      throw new XferError('BAD_ANSWER', { ...facts, status, reason: `it answers with the status ${status}` })
    }
    throw refusal(answer, at)
  }

  /**
   * An empty object has no first byte. It is asked for as a whole, because a refusal does not describe it.
   *
   * @param {Pick<Found, 'url' | 'redirected'>} at
   * @param {AbortSignal} [signal]
   * @returns {Promise<Found>}
   */
  async function empty(at, signal) {
    const answer = await client.get(at.url, headersFor(settings, at.url), signal)
    const { status, headers } = answer
    if (status !== 200) throw refusal(answer, at)
    if (headers['content-length'] !== '0') throw noRanges(at, 'refuses ranges of it')
    checkEncoding(headers)
    return { ...at, ...foundIn(headers), bytes: 0 }
  }

  /** @param {Record<string, string>} headers @throws {XferError} ENCODED_SOURCE */
  function checkEncoding({ 'content-encoding': encoding = '' }) {
    if (!/^(?:identity)?$/i.test(encoding.trim())) {
      throw new XferError('ENCODED_SOURCE', { ...facts, encoding: encoding.slice(0, 40) })
    }
  }

  /** @param {Answered} answer @param {Pick<Found, 'url'>} at */
  function refusal({ status, headers, body }, { url }) {
    const of = /** @type {const} */ ('read')
    const answer = { of, status, body: body.toString('latin1'), ...retryAfterIn(headers) }
    // Asked anew, every redirect was followed just now.
    return explainAnswer(answer, facts, { url, redirected: false, nowMs: now() })
  }

  /** @param {Pick<Found, 'url'>} at @param {string} reason */
  function noRanges(at, reason) {
    whole = at.url
    return new XferError('NO_RANGES', { ...facts, reason })
  }

  /** @type {NonNullable<import('../contract').Store['stream']>} */
  async function stream(_key, { signal } = {}) {
    if (whole === undefined) throw new TypeError('The object has ranges.')
    const { response, status, headers } = await client.open(whole, headersFor(settings, whole), signal)
    const { 'content-length': length } = headers
    try {
      if (status !== 200) throw refusal({ status, headers, body: Buffer.alloc(0) }, { url: whole })
      checkEncoding(headers)
      // What ends with the connection may be half of the object.
      if (length === undefined && !/\bchunked$/i.test(headers['transfer-encoding'] ?? '')) {
        throw new XferError('NO_RANGES', { ...facts, reason: 'tells neither how long it is nor where it ends' })
      }
    } catch (error) {
      response.destroy()
      throw error
    }
    return { body: response, ...foundIn(headers).description, ...(length !== undefined && { bytes: Number(length) }) }
  }

  return { find, stream }
}

/** @param {Buffer} body @returns {string | undefined} */
function lengthFault({ length }) {
  if (length === 1) return undefined
  return length === 0 ? 'it sends nothing of the byte asked for' : 'it sends more than the byte asked for'
}

/**
 * The headers of a request. Those of the user go to the origin that they were given for, and nowhere else.
 *
 * @param {Pick<import('./types').HttpsSettings, 'endpoint' | 'headers'>} settings
 * @param {string} url
 * @returns {Record<string, string>}
 */
function headersFor({ endpoint, headers }, url) {
  const { origin, host } = new URL(url)
  return {
    host,
    accept: '*/*',
    // What is encoded on the way has other bytes, and no sizes.
    'accept-encoding': 'identity',
    'user-agent': 'xfer',
    ...(origin === new URL(endpoint).origin && headers()),
  }
}

module.exports = { createFinder, headersFor }
