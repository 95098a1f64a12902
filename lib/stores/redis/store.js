'use strict'

/**
 * The store `redis://`: strings, one object each, with their metadata in a hash beside. Data requests are carried out by the embedded
 * engine alone (lib/engines/local/transports/redis.js), because they need the password.
 */

const { randomUUID } = require('node:crypto')
const { conditionHeaders, removeEach } = require('../common')
const { UPLOAD_MS, aboutOf, commitKeys, createCalls, keysOf, refuseTags } = require('./calls')
const { urlOf } = require('./place')
const { explainAnswer, termsOf } = require('./words')

const MiB = 1024 ** 2
const SILENCE_MS = 30_000
/** How long a value that is written in one request may pause. */
const PUT_MS = 600_000

/** A string has 512 MB at most: https://redis.io/docs/latest/develop/data-types/strings/ */
const LIMITS = { minBytes: 1, maxBytes: 128 * MiB, maxParts: 4, equalParts: false }

/** @type {import('../contract').Abilities} */
const ABILITIES = {
  reach: 'process',
  sumAt: 'none',
  partTag: 'none',
  sums: { stored: [], checked: [], answered: [] },
  keepsMetadata: true,
}

/** @type {import('../../types').AnswerRule['errorCode']} */
const errorCode = { header: 'x-error' }
/** @type {import('../../types').AnswerRule['etag']} */
const etagRule = { header: 'etag', required: true }
/** @type {import('../../types').AnswerRule} */
const READ = { statuses: [200, 206], etag: etagRule, changed: [412], errorCode }
/** @type {import('../../types').AnswerRule} */
const WRITE = { statuses: [200], etag: etagRule, errorCode }
/** @type {import('../../types').AnswerRule} */
const WRITE_PART = { statuses: [200], errorCode }

/**
 * @param {object} of
 * @param {import('../contract').Place} of.place
 * @param {import('./place').RedisSettings} of.settings
 * @param {string} [of.location] the place, for messages
 * @param {() => number} [of.now] epoch milliseconds
 * @returns {import('../contract').Store}
 */
function openRedisStore({ place, settings, location, now = Date.now }) {
  const { side, alone, ca, silenceMs = SILENCE_MS } = settings
  const endpoint = `${place.scheme}://${urlOf(place).host}`
  const facts = {
    ...{ side, protocol: 'Redis', bucket: place.container, endpoint, terms: termsOf(side), location },
    ...(alone && { alone }),
  }
  const target = () => ({ ...settings.target(), ca })
  const { head, ping, remove, upload } = createCalls({ target, silenceMs, facts, now })

  /**
   * @param {'GET' | 'PUT'} method
   * @param {string[]} keys
   * @param {Record<string, string>} headers
   * @param {import('../../types').AnswerRule} accepts
   * @returns {import('../contract').Transfer}
   */
  const request = (method, keys, headers, accepts) => {
    const at = { 'x-target': JSON.stringify(target()), 'x-keys': JSON.stringify(keys) }
    return { request: { method, url: 'redis:', headers: { ...at, ...headers }, accepts } }
  }

  return {
    scheme: place.scheme,
    facts,
    endpoint,
    origin: endpoint,
    ...(ca !== undefined && { ca }),
    can: ABILITIES,
    limits: LIMITS,
    now,
    authenticate: async () => settings.target().password !== undefined,
    ...{ head, ping, remove },

    async read({ key, etag, range }) {
      const headers = { 'if-match': etag, ...(range && { range: `bytes=${range.start}-${range.end}` }) }
      return request('GET', [key], headers, READ)
    },

    async put({ key, bytes, attributes, condition }) {
      refuseTags(attributes, facts)
      const headers = {
        ...{ 'content-length': String(bytes), 'x-life': String(PUT_MS), 'x-ttl': String(attributes.ttlMs ?? 0) },
        'x-about': JSON.stringify(aboutOf(attributes.metadata, now())),
        ...conditionHeaders(condition),
      }
      return request('PUT', commitKeys(key, randomUUID()), headers, WRITE)
    },

    upload: {
      ...upload,
      async part({ key, uploadId, partNumber, bytes, start = 0 }) {
        const { partial, parts } = keysOf(key, uploadId)
        const headers = {
          ...{ 'content-length': String(bytes), 'x-life': String(UPLOAD_MS), 'x-part': String(partNumber) },
          'content-range': `bytes ${start}-${start + bytes - 1}/${start + bytes}`,
        }
        return request('PUT', [partial, parts], headers, WRITE_PART)
      },
    },

    heeds: () => true,
    removeAll: async (keys, { signal } = {}) => await removeEach(keys, key => remove({ key }, { signal }), signal),
    readDescription: () => ({ metadata: { headers: {}, user: {} } }),
    readWritten: () => ({}),
    describingHeaders: () => ({}),
    explain: answer => explainAnswer(answer, facts),
    close() {},
  }
}

module.exports = { openRedisStore }
