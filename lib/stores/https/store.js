'use strict'

/**
 * The store `https://`: an object of any web server, as a source. find.js asks for it; then every read names the address that
 * was found and, as far as the server has one, the ETag. RFC 9110
 */

const { isLoopback } = require('../../http')
const { notice } = require('../../notices')
const { factsOf } = require('../common')
const { descriptionOf, readRule } = require('./answers')
const { createGets } = require('./client')
const { explainAnswer } = require('./explain')
const { createFinder, headersFor } = require('./find')
const { TERMS } = require('./words')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('./types').Found} Found */

/** It writes nothing, so nothing asks. @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: Number.MAX_SAFE_INTEGER, maxParts: 10_000, equalParts: false }

/** By what a change is noticed, for people. @type {Record<Found['pin'], string>} */
const PINS = {
  strong: 'its strong ETag shows a change',
  weak: 'its ETag is weak, so only the time of the last change shows one',
  date: 'it has no ETag, so only the time of the last change shows one',
  size: 'it tells neither an ETag nor a time, so only another size shows a change',
}

/**
 * @param {{ place: import('../contract').Place, settings: import('./types').HttpsSettings, location?: string, now?: () => number }} where
 *   location: the address without its query, for messages
 * @returns {Store}
 */
function openHttpsStore({ place, settings, location = settings.endpoint, now = Date.now }) {
  const { endpoint, ca } = settings
  const { hostname, protocol } = new URL(endpoint)
  const facts = factsOf(settings, endpoint, {
    protocol: protocol === 'https:' ? 'HTTPS' : 'HTTP',
    bucket: place.container,
    key: place.key,
    location,
    terms: TERMS,
    endpoint,
  })
  const client = createGets(settings, facts, now)
  const sendsHeaders = Object.keys(settings.headers()).length > 0
  const { find, stream } = createFinder({ settings, client, facts, now })
  /** Where it is read: before it was found, the address as it was given. @type {Pick<Found, 'url' | 'redirected' | 'pin'> & Partial<Found>} */
  let found = { url: settings.url(), redirected: false, pin: 'strong' }

  return {
    ...sourceOnly(facts),
    scheme: place.scheme,
    facts,
    endpoint,
    origin: endpoint,
    ...(ca !== undefined && { ca }),
    can: {
      reach: isLoopback(hostname) ? 'local' : 'network',
      ...(settings.secret && { secret: settings.secret }),
      sums: { stored: ['crc32', 'crc32c', 'crc64nvme', 'md5'], checked: [], answered: [] },
      sumAt: 'none',
      partTag: 'opaque',
      keepsMetadata: true,
    },
    limits: LIMITS,
    now,

    authenticate: async () => sendsHeaders,
    credentials: () => ({ words: sendsHeaders ? 'headers from --source-header' : '' }),

    async ping({ signal } = {}) {
      await client.get(found.url, { ...headersFor(settings, found.url), range: 'bytes=0-0' }, signal)
    },

    async head(_key, { signal } = {}) {
      const object = await find(signal)
      found = object
      const { bytes, etag, md5Tag, description } = object
      // What looks like an MD5 need not be one.
      return { bytes, etag, ...description, encrypted: !md5Tag, notices: noticesOf(object) }
    },

    readTrial() {
      const { url, pin } = /** @type {Found} */ (found)
      const at = found.redirected ? ` of ${new URL(url).host}, to which it was redirected` : ''
      return { says: `the server${at} sends ranges, and ${PINS[pin]}`, holds: pin === 'strong' }
    },

    async read({ etag, range }) {
      const { url, pin, modified, bytes } = found
      // With a range no server encodes what it sends.
      const asked = range ?? (bytes ? { start: 0, end: bytes - 1 } : undefined)
      const headers = {
        ...headersFor(settings, url),
        ...(asked && { range: `bytes=${asked.start}-${asked.end}` }),
        ...(pin === 'strong' && { 'if-match': etag }),
        // A weak ETag never fits If-Match (RFC 9110 section 13.1.1).
        ...((pin === 'weak' || pin === 'date') && modified !== undefined && { 'if-unmodified-since': modified }),
      }
      return { request: { method: 'GET', url, headers, accepts: readRule(pin, asked ? 206 : 200) } }
    },

    stream,

    readDescription: headers => descriptionOf(headers),
    readWritten: () => ({}),
    describingHeaders: ({ metadata }) => metadata.headers,

    explain: answer => explainAnswer(answer, facts, { url: found.url, redirected: found.redirected, nowMs: now() }),
    close: client.close,
  }

  /** What a user should know of it. @param {Found} object */
  function noticesOf({ url, pin, redirected }) {
    const host = new URL(url).host
    const elsewhere = redirected && host !== place.container
    const plain = url.startsWith('http:') && !isLoopback(new URL(url).hostname)
    return {
      all: [
        ...(elsewhere ? [notice('SOURCE_REDIRECTED', { location, host })] : []),
        ...(plain ? [notice('SOURCE_UNENCRYPTED', { location })] : []),
        ...(pin === 'strong' ? [] : [notice('SOURCE_NOT_PINNED', { location, pin })]),
      ],
      ofParts: [],
    }
  }
}

/**
 * The members of a store that a source does not need: each throws. A destination is refused before, by place.js.
 * @param {Record<string, any>} facts
 * @returns {Pick<Store, 'put' | 'upload' | 'remove' | 'removeAll'>}
 */
function sourceOnly({ protocol }) {
  const never = async () => {
    throw new TypeError(`${protocol} is a source only.`)
  }
  const upload = { create: never, part: never, parts: never, complete: never, abort: never, pending: never }
  return { put: never, upload, remove: never, removeAll: never }
}

module.exports = { openHttpsStore }
