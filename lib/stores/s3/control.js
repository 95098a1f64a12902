'use strict'

/**
 * Control calls: one HTTP request each, signed by sign.js, over kept connections. The client learns the bucket's region and the store's clock
 * from answers. A call is sent again, once, if its refusal shows that the region or the clock was wrong, or if the credentials
 * have expired and there are new ones. It is not retried for any other reason.
 */

const { createHash } = require('node:crypto')
const { createClient, factsOf } = require('../common')
const { buildCall, readAnswer } = require('./calls')
const { fromCallError } = require('./explain')
const { addressOf, isRegion, termsOf: ownTerms } = require('./place')
const { createSigner, credentialsOf, renewCredentials } = require('./sign')

/** @typedef {import('../../types').SideSettings} SideSettings */
/**
 * What the pieces of an open store share. serverFacts: what is known of its server, more from its first answer on; encoded: the store decodes
 * user metadata by RFC 2047; bucket.seen: an answer has shown that it exists.
 *
 * @typedef {{ control: ReturnType<typeof createControl>, settings: SideSettings, dialect: import('./types').Dialect,
 *   serverFacts: () => import('../servers').ServerFacts, encoded: boolean, bucket: { name: string, seen: boolean } }} Shared
 */
/** @typedef {{ headers: Record<string, string>, values: Record<string, any> }} S3Answer headers: names in lower case; values: of the document, in the shape of calls.js */

/**
 * @param {object} of
 * @param {SideSettings} of.settings
 * @param {string} of.bucket
 * @param {string} [of.location] the place, for messages
 * @param {() => number} of.now
 * @param {import('./types').Dialect} of.dialect
 * @param {typeof import('./place').termsOf} [of.termsOf] the words of the scheme
 */
function createControl({ settings, bucket, location, now, dialect, termsOf = ownTerms }) {
  const { origin } = addressOf('', settings.region, settings)
  const facts = factsOf(settings, origin, {
    protocol: dialect.protocol,
    bucket,
    ...(location !== undefined && { location }),
    terms: termsOf(settings.side, settings.endpointFrom, { unsigned: settings.credentials === null }),
    endpoint: settings.endpoint ?? `AWS (${settings.region})`,
    ...(settings.versionId !== undefined && { versioned: true }),
    ...(settings.requestPayer && { requestPayer: true }),
  })
  const client = createClient(settings, { now })
  const learned = learnedOf(`${settings.side} ${origin} ${settings.region} ${bucket}`)
  const signer = createSigner({ settings, bucket, dialect, learned, now: client.now })

  /**
   * @param {string} name of the operation, as S3 names it
   * @param {import('./calls').AskedCall} [asked]
   * @param {AbortSignal} [signal]
   * @returns {Promise<S3Answer>}
   * @throws {XferError}
   */
  async function call(name, asked = {}, signal) {
    const about = {
      ...facts,
      key: asked.key,
      operation: name,
      conditional: asked.headers?.['if-match'] !== undefined,
      versioned: asked.query?.versionId !== undefined || facts.versioned,
      ...(name === 'CompleteMultipartUpload' && { completes: true }),
    }
    let corrected = false
    let renewed = false
    for (;;) {
      /** @type {import('../../types').Credentials | null} */
      let credentials = null
      const askedRegion = signer.regionNow()
      const isSkewed = client.watchClock()
      try {
        credentials = await credentialsOf(settings, signal)
        return await once(name, asked, credentials, signal)
      } catch (thrown) {
        const refusal = fromCallError(thrown, about, signal, dialect)
        const expired = refusal.code === 'CREDENTIALS_EXPIRED'
        if (!renewed && expired && (await renewCredentials(settings, credentials, signal))) {
          renewed = true
          continue
        }
        const found = regionOf(/** @type {any} */ (thrown))
        const elsewhere = found !== undefined && found !== askedRegion
        if (corrected || (!elsewhere && !isSkewed())) throw refusal
        corrected = true
        if (elsewhere) learned.region = found
      }
    }
  }

  /**
   * @param {string} name
   * @param {import('./calls').AskedCall} asked
   * @param {import('../../types').Credentials | null} credentials
   * @param {AbortSignal} [signal]
   * @returns {Promise<S3Answer>}
   */
  async function once(name, asked, credentials, signal) {
    const { body, headers, ...built } = buildCall(name, asked)
    const hash = credentials && {
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    }
    const request = await signer.sign({ ...built, headers: { ...hash, ...headers } }, asked.key, credentials)
    const sent = client.send({ ...request, body }, { long: built.long, signal, operation: name })
    const { response, headers: told } = await sent
    learned.server = told.server ?? ''
    const answered = dialect.read ? dialect.read(told) : told
    const values = await readAnswer(name, response, answered, {
      facts,
      silenceMs: client.silenceMs,
      answerMs: settings.answerMs,
      secrets: secretsOf(credentials, settings),
    })
    return { headers: answered, values }
  }

  return {
    call,
    facts,
    sign: signer.sign,
    signedIn: signer.signedIn,
    now: client.now,
    learnTime: client.learnTime,
    requests: client.requests,
    roundTripMs: client.roundTripMs,
    /** What the answers to this process have told. */
    learned,
    region: signer.regionNow,
    place: signer.place,
    close() {
      settings.credentials?.close?.()
      client.close()
    },
  }
}

/**
 * What a server has told of a bucket. server: its `Server` header; undefined before its first answer; region: where the bucket is, if
 * that is not where it was said to be; asking: the call that asks first.
 *
 * @typedef {{ server?: string, region?: string, asking?: Promise<unknown> }} Learned
 *
 * A service opens a store for each call, and need not ask each time. @type {Map<string, Learned>}
 */
const allLearned = new Map()
const MOST_LEARNED = 1_000

/** @param {string} place the side, its address and its bucket */
function learnedOf(place) {
  const learned = allLearned.get(place) ?? {}
  if (allLearned.size >= MOST_LEARNED) allLearned.clear()
  allLearned.set(place, learned)
  return learned
}

/**
 * Secrets that the store gets from us. They are removed from its error messages.
 *
 * @param {import('../../types').Credentials | null} credentials
 * @param {SideSettings} settings
 * @returns {string[]}
 */
function secretsOf(credentials, { customerKey }) {
  const { secretAccessKey, sessionToken } = credentials ?? {}
  return [secretAccessKey, sessionToken, ...Object.values(customerKey?.() ?? {})].flatMap(secret => secret || [])
}

/**
 * The region that a refusal names: the header `x-amz-bucket-region`, or `<Region>` of AuthorizationHeaderMalformed.
 *
 * @param {any} error
 * @returns {string | undefined}
 */
function regionOf({ status, headers, region }) {
  if (![301, 307, 400, 403].includes(status)) return undefined
  const named = headers?.['x-amz-bucket-region'] ?? region
  return named !== undefined && isRegion(named) ? named : undefined
}

module.exports = { createControl }
