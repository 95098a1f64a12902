'use strict'

/**
 * Control calls: one HTTP request each, over kept connections. The client learns the bucket's region and the store's clock
 * from answers. A call is sent again, once, if its refusal shows that the region or the clock was wrong, or if the credentials
 * have expired and there are new ones. It is not retried for any other reason.
 */

const { createHash } = require('node:crypto')
const { createClient, factsOf } = require('../common')
const { buildCall, readAnswer } = require('./calls')
const { classifyAnswer, fromCallError } = require('./explain')
const { addressOf, isRegion, termsOf: ownTerms } = require('./place')
const { credentialsOf, encodeKey, renewCredentials, signRequest } = require('./sign')

/** @typedef {import('../../types').SideSettings} SideSettings */
/**
 * What the pieces of an open store share. profile: what is known of its server, more from its first answer on; encoded: the store decodes
 * user metadata by RFC 2047; bucket.seen: an answer has shown that it exists.
 *
 * @typedef {{ control: ReturnType<typeof createControl>, settings: SideSettings, dialect: import('./types').Dialect,
 *   profile: () => import('../profiles').Facts, encoded: boolean, bucket: { name: string, seen: boolean } }} Shared
 */
/** @typedef {{ headers: Record<string, string>, values: Record<string, any> }} Answered headers: names in lower case; values: of the document, in the shape of calls.js */

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
  })
  const client = createClient(settings, { now })
  const learned = learnedOf(`${settings.side} ${origin} ${settings.region} ${bucket}`)
  const regionNow = () => learned.region ?? dialect.region ?? settings.region

  /** @type {{ region: string, origin: string, path: string } | undefined} */
  let known
  /** Made again only when the bucket is in another region: every signature asks. @returns {{ origin: string, path: string }} the path has no trailing slash */
  function bucketUrl() {
    const region = regionNow()
    if (known?.region !== region) known = { region, ...addressOf(bucket, region, settings) }
    return known
  }

  /** @param {Record<string, unknown>} input */
  const isVersioned = input => input.VersionId !== undefined || facts.versioned

  /**
   * @param {string} name of the operation, as S3 names it
   * @param {Record<string, any>} input its members, as S3 names them; `Key` and `Body` (bytes) among them
   * @param {AbortSignal} [signal]
   * @param {Record<string, string>} [headers] sent and signed unchanged, names in lower case
   * @returns {Promise<Answered>}
   * @throws {XferError}
   */
  async function call(name, input, signal, headers = {}) {
    try {
      return await withCorrections(name, input, signal, headers)
    } catch (error) {
      const asked = {
        key: input.Key,
        operation: name,
        conditional: headers['if-match'] !== undefined,
        versioned: isVersioned(input),
        ...(name === 'CompleteMultipartUpload' && { completes: true }),
      }
      throw fromCallError(error, { ...facts, ...asked }, signal, dialect)
    }
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} input
   * @param {AbortSignal | undefined} signal
   * @param {Record<string, string>} headers
   * @returns {Promise<Answered>}
   */
  async function withCorrections(name, input, signal, headers) {
    let corrected = false
    let renewed = false
    for (;;) {
      const credentials = await credentialsOf(settings, signal)
      const askedRegion = regionNow()
      const isSkewed = client.watchClock()
      try {
        return await once(name, input, { credentials, signal, headers })
      } catch (thrown) {
        const error = /** @type {any} */ (thrown)
        if (!renewed && isExpired(error) && (await renewCredentials(settings, credentials, signal))) {
          renewed = true
          continue
        }
        const found = regionOf(error)
        const elsewhere = found !== undefined && found !== askedRegion
        if (corrected || (!elsewhere && !isSkewed())) throw error
        corrected = true
        if (elsewhere) learned.region = found
      }
    }
  }

  /**
   * @param {string} name
   * @param {Record<string, any>} input
   * @param {{ credentials: import('../../types').Credentials | null, signal: AbortSignal | undefined, headers: Record<string, string> }} how
   * @returns {Promise<Answered>}
   */
  async function once(name, input, { credentials, signal, headers }) {
    const { method, account, keyed, long, reads, query, headers: own, body } = buildCall(name, input, settings)
    const region = regionNow()
    const { origin, path } = account ? addressOf('', region, settings) : bucketUrl()
    const unsigned = {
      ...{ method, origin, query },
      path: `${path}/${input.Key === undefined ? '' : encodeKey(input.Key)}`,
      headers: {
        ...own,
        ...(credentials && {
          'x-amz-content-sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
        }),
        ...(settings.userProject !== undefined && { 'x-amz-user-project': settings.userProject }),
        ...(reads && dialect.readHeaders),
        ...(keyed && settings.customerKey?.()),
        ...headers,
      },
    }
    const request = await signRequest(unsigned, { credentials, region, nowMs: client.now(), dialect })
    const { response, headers: told } = await client.send({ ...request, body }, { long, signal, operation: name })
    learned.server = told.server ?? ''
    const answered = dialect.read(told)
    const permissions = dialect.permissions({ ...facts, operation: name, versioned: isVersioned(input) })
    const values = await readAnswer(name, response, answered, {
      facts: { ...facts, ...permissions },
      ...{ silenceMs: client.silenceMs, answerMs: settings.answerMs, secrets: secretsOf(credentials, settings) },
    })
    return { headers: answered, values }
  }

  return {
    call,
    facts,
    ...{ now: client.now, learnTime: client.learnTime, requests: client.requests },
    /** The region, as the store's answers have corrected it. */
    region: regionNow,
    /** What the answers to this process have told. */
    learned,
    bucketUrl,
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

/** @param {any} error of a control call */
const isExpired = ({ name, status }) => classifyAnswer({ status, storeCode: name }) === 'CREDENTIALS_EXPIRED'

module.exports = { createControl }
