'use strict'

/**
 * Checks credentials, prepares requests, and has lib/aws/sigv4.js compute their signature (AWS Signature Version 4), in headers or in a URL that is lent.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * The signature in headers covers host, range, if-match, content-length, content headers and every x-amz-*. So a request that leaks from
 * a function is valid only for that range or part, and only while the store accepts the signature (15 minutes).
 */

const { untilAborted } = require('../../async')
const { oddCredential, signHeaders, signatureOf, signingKey } = require('../../aws')
const { XferError } = require('../../errors')
const { encode, encodeKey, usage } = require('../common')
const { addressOf } = require('./place')

/** @typedef {import('../../types').Credentials} Credentials */
/** @typedef {import('./types').Dialect} Dialect */
/** By which a request was signed, and the store's time then. @typedef {{ credentials: Credentials, atMs: number }} Signed */

const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const UNSIGNED_WITH_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/** Of most requests for objects. @type {Record<string, string>} */
const NO_QUERY = {}

/**
 * Signs the requests of one bucket.
 *
 * @param {object} of
 * @param {import('../../types').SideSettings} of.settings
 * @param {string} of.bucket
 * @param {Dialect} of.dialect
 * @param {import('./control').Learned} of.learned
 * @param {() => number} of.now the store's clock
 */
function createSigner({ settings, bucket, dialect, learned, now }) {
  /** A property of headers (`Signed`). Each store has its own. */
  const signedWith = Symbol('signed with')

  /** The region, as the store's answers have corrected it. */
  const regionNow = () => learned.region ?? dialect.region ?? settings.region

  /** Where a bucket is, or with '' the account; told: the region that an answer had told; the path has no trailing slash. @param {string} name */
  function whereIs(name) {
    const region = regionNow()
    return { told: learned.region, region, ...addressOf(name, region, settings) }
  }

  /** @type {ReturnType<typeof whereIs> | undefined} */
  let known
  /** Where the bucket is: made again only when an answer tells another region, because every signature asks. */
  function place() {
    if (!known || known.told !== learned.region) known = whereIs(bucket)
    return known
  }

  /**
   * Signs a request, with the headers that all of this side have. Its headers tell which credentials of the provider signed it
   * (`signedIn`), and that is sent nowhere.
   *
   * @template {string} M
   * @param {{ method: M, query: Record<string, string>, headers: Record<string, string>, account?: true, unpaid?: true, keyed?: true, reads?: true }} request
   *   query: not encoded; headers: its own, in S3's words; the others as of an operation (calls.js)
   * @param {string | undefined} key
   * @param {Credentials | null} [given] null: it is not signed; default: those of the provider
   * @returns {Promise<{ method: M, url: string, headers: Record<string, string> }>} in the dialect's words
   */
  async function sign({ method, query, headers, account, unpaid, keyed, reads }, key, given) {
    const credentials = given === undefined ? settings.credentials && (await settings.credentials()) : given
    const nowMs = now()
    const there = account ? whereIs('') : place()
    const { region, origin } = there
    // An object of its own for each request: hot paths copy no headers.
    if (settings.userProject !== undefined) headers['x-amz-user-project'] = settings.userProject
    if (settings.requestPayer && !unpaid) headers['x-amz-request-payer'] = 'requester'
    if (keyed && settings.customerKey) Object.assign(headers, settings.customerKey())
    if (reads) Object.assign(headers, dialect.readHeaders)
    const words = { method, query, headers }
    const told = dialect.translate ? dialect.translate(words) : words
    const search = told.query === NO_QUERY ? '' : canonicalQuery(told.query)
    const path = `${there.path}/${key === undefined ? '' : encodeKey(key)}`
    const url = `${origin}${path}${search && `?${search}`}`
    const all = { host: origin.slice(origin.indexOf('//') + 2), ...told.headers }
    if (credentials === null) return { method, url, headers: all }
    const how = { credentials, region, nowMs, names: dialect.signature, unsigned: dialect.unsigned }
    const signed = signHeaders({ method, path, query: search, headers: all }, how)
    if (given === undefined) Object.assign(signed, { [signedWith]: { credentials, atMs: nowMs } })
    return { method, url, headers: signed }
  }

  return {
    regionNow,
    place,
    sign,
    /** @param {object} headers @returns {Signed | undefined} undefined: another store has signed them, or nobody */
    signedIn: headers => /** @type {any} */ (headers)[signedWith],
  }
}

/** @param {Record<string, string>} query not encoded */
function canonicalQuery(query) {
  let text = ''
  for (const name of Object.keys(query).sort()) text += `${text && '&'}${encode(name)}=${encode(query[name])}`
  return text
}

/**
 * @param {Credentials} credentials
 * @param {import('../../types').SideName} side
 * @returns {Credentials} the same object: signing keys are cached by its identity
 * @throws {XferError} BAD_CREDENTIALS
 */
function checked(credentials, side) {
  const what = oddCredential(credentials)
  if (what) {
    throw new XferError('BAD_CREDENTIALS', {
      side,
      what,
      text: `The ${side}'s ${what} holds a blank, a line end or a character outside ASCII.`,
      advice: 'Copy it again, without blanks or line ends around it.',
    })
  }
  return credentials
}

/** Credentials that stay: they are checked when they are first asked for. @param {Credentials} credentials @param {import('../../types').SideName} side */
function providing(credentials, side) {
  /** @type {Credentials | undefined} */
  let sound
  return async () => {
    sound ??= checked(credentials, side)
    return sound
  }
}

/**
 * @param {import('../../types').SideSettings} settings
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<Credentials | null>} null: requests are not signed
 */
async function credentialsOf({ credentials }, signal) {
  return credentials === null ? null : await untilAborted(credentials(), signal)
}

/**
 * @param {import('../../types').SideSettings} settings
 * @param {Credentials | null | undefined} refused the credentials that have expired
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<boolean>} whether there are new ones now
 */
async function renewCredentials({ credentials }, refused, signal) {
  if (!refused || !credentials?.renew) return false
  return await untilAborted(credentials.renew(refused), signal)
}

const LIFE_S = 15 * 60
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html, and Google's. */
const MOST_LIFE_MS = 7 * 86_400_000

/**
 * URLs with which another store may read one object for a quarter of an hour, or anybody for as long as the user says. Each carries
 * its signature, so it is a secret.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 *
 * @param {import('./control').Shared} store
 * @returns {Pick<import('../contract').Store, 'lend' | 'presign'>} without `lend` if a read needs more than a URL
 */
function createLending({ control, settings, dialect }) {
  /**
   * @param {{ key: string, versionId?: string }} object
   * @param {import('../../types').Credentials | null} credentials
   * @param {number} lifeS
   */
  async function urlOf({ key, versionId }, credentials, lifeS) {
    const { region, origin, path } = control.place()
    const asked = {
      ...(versionId !== undefined && { versionId }),
      ...(settings.requestPayer && { 'x-amz-request-payer': 'requester' }),
      ...(settings.userProject !== undefined && { userProject: settings.userProject }),
    }
    const query = dialect.translate?.({ method: 'GET', headers: {}, query: asked }).query ?? asked
    const resource = { host: new URL(origin).host, path: `${path}/${encodeKey(key)}` }
    const context = { region, nowMs: control.now(), names: dialect.signature, lifeS }
    const search = credentials ? presigned({ ...resource, query }, { ...context, credentials }) : canonicalQuery(query)
    return `${origin}${resource.path}${search && `?${search}`}`
  }

  const lends = settings.customerKey === undefined && !dialect.lacks.has('lending')
  return {
    ...(lends && { lend: async object => await urlOf(object, await credentialsOf(settings), LIFE_S) }),

    async presign({ lifeMs, ...object }) {
      if (settings.customerKey !== undefined) {
        const text = 'An object with a customer key (SSE-C) is read with that key, which no URL can have.'
        throw usage(text, 'Copy the object to where it needs none, and sign a URL of that copy.')
      }
      if (lifeMs > MOST_LIFE_MS)
        throw usage(`A signed URL of ${dialect.protocol} is good for 7 days at most.`, 'Give --expires 7d or less.')
      const credentials = await credentialsOf(settings)
      if (!credentials) throw usage('Requests are not signed, and so no URL is.', 'Leave out --source-no-sign-request.')
      const endsMs = control.now() + lifeMs
      const url = await urlOf(object, credentials, Math.floor(lifeMs / 1000))
      // It ends with the session whose credentials have signed it.
      return { url, endsMs: Math.min(endsMs, credentials.expiration?.getTime() ?? endsMs) }
    },
  }
}

/**
 * The query with which a GET is allowed. It names no header but the host, so that the reader may add a range and a condition.
 *
 * @param {{ host: string, path: string, query: Record<string, string> }} resource path: encoded; query: not encoded
 * @param {{ credentials: import('../../types').Credentials, region: string, nowMs: number, lifeS: number, names: import('../../aws/sigv4').SignatureNames }} context
 * @returns {string}
 */
function presigned({ host, path, query }, { credentials, region, nowMs, lifeS, names }) {
  const { algorithm, headerPrefix } = names
  // `x-amz-` as it begins a parameter: `X-Amz-`.
  const prefix = headerPrefix.replace(/(?<![a-z])[a-z]/g, letter => letter.toUpperCase())
  const { key, scope, time } = signingKey(credentials, region, nowMs, names)
  const claims = canonicalQuery({
    ...query,
    [`${prefix}Algorithm`]: algorithm,
    [`${prefix}Credential`]: `${credentials.accessKeyId}/${scope}`,
    [`${prefix}Date`]: time,
    [`${prefix}Expires`]: String(lifeS),
    [`${prefix}SignedHeaders`]: 'host',
    ...(credentials.sessionToken && { [`${prefix}Security-Token`]: credentials.sessionToken }),
  })
  const canonical = ['GET', path, claims, `host:${host}`, '', 'host', UNSIGNED_PAYLOAD].join('\n')
  const signature = signatureOf(canonical, { key, scope, algorithm, time })
  return `${claims}&${prefix}Signature=${signature}`
}

module.exports = {
  checked,
  createLending,
  createSigner,
  credentialsOf,
  providing,
  renewCredentials,
  NO_QUERY,
  UNSIGNED_PAYLOAD,
  UNSIGNED_WITH_TRAILER,
}
