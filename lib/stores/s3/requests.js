'use strict'

/**
 * Builds the data requests, which signer.js signs and a function sends, with the rules for their answers.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { FRAMING, framedLength } = require('../../../actions/copy-range/stores')
const { XferError } = require('../../errors')
const { isPinnedByTime } = require('../../integrity')
const { writeHeaders } = require('./attributes')
const { credentialsOf, renewCredentials } = require('./control')
const { sumHeader } = require('./rules')
const { signRequest, encodeKey, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER } = require('./signer')

/** @typedef {import('../contract').Store} Store */
/** @typedef {{ credentials: import('../../types').Credentials, atMs: number }} Signed */

/** The checksum of a write: what follows its bytes, or the header. */
const BEHIND = { trailer: sumHeader('crc32'), sum: /** @type {const} */ ('crc32') }
/** @type {Record<string, string>} */
const NO_QUERY = {}
/** The age of a signature, by the store's clock, from which signing again may help. Stores refuse 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {boolean} of.encoded the store decodes user metadata by RFC 2047
 * @param {ReturnType<typeof import('./dialects').createSession>} of.session
 * @param {() => import('./profiles').Facts} of.profile
 * @returns {Pick<Store, 'read' | 'put' | 'renew' | 'signsAnew'> & Pick<Store['upload'], 'part'>}
 */
function createRequests({ control, settings, encoded, session, profile }) {
  const { dialect } = session
  const { rules } = dialect
  /** For objects without an ETag. One object: an invocation sends each rule once. @type {import('../../types').AnswerRule} */
  const readByTime = { ...rules.read, etag: { header: 'last-modified', required: true } }
  /** A property of headers that is sent nowhere: the credentials, and the store's time then (`Signed`). */
  const signedWith = Symbol('signed with')

  /**
   * @param {'GET' | 'PUT'} method
   * @param {string} key
   * @param {Record<string, string>} query
   * @param {Record<string, string>} headers its own: some are added
   */
  async function sign(method, key, query, headers) {
    const { origin, path } = control.bucketUrl()
    const credentials = await credentialsOf(settings)
    const atMs = control.now()
    if (settings.customerKey) Object.assign(headers, settings.customerKey())
    if (settings.userProject !== undefined) headers['x-amz-user-project'] = settings.userProject
    if (settings.requestPayer) headers['x-amz-request-payer'] = 'requester'
    const request = signRequest(
      { method, origin, path: `${path}/${encodeKey(key)}`, query, headers },
      { credentials, region: control.region(), nowMs: atMs, dialect },
    )
    if (credentials) Object.assign(request.headers, { [signedWith]: { credentials, atMs } })
    return request
  }

  /**
   * A PUT. The bytes are sent as they are or, if their checksum is to be sent and is not known yet, in one aws-chunked frame
   * with the checksum behind them: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
   *
   * @param {{ key: string, query?: Record<string, string>, headers?: Record<string, string> }} where headers: its own
   * @param {{ bytes: number, checksum: boolean, sums?: import('../../types').Sums, contentEncoding?: string }} body sums: of the bytes,
   *   where they are known; contentEncoding: of the object
   */
  async function signWrite(
    { key, query = NO_QUERY, headers = {} },
    { bytes, checksum: wanted, sums, contentEncoding },
  ) {
    const checksum = wanted && profile().sums !== 'refused'
    const known = checksum ? sums?.crc32 : undefined
    const framed = checksum && known === undefined
    if (framed) Object.assign(headers, framedHeaders(bytes, contentEncoding))
    else {
      headers['content-length'] = String(bytes)
      headers['x-amz-content-sha256'] = UNSIGNED_PAYLOAD
      if (known !== undefined) headers[BEHIND.trailer] = Buffer.from(known, 'hex').toString('base64')
    }
    const { method, url, headers: signed } = await sign('PUT', key, query, headers)
    const request = { method, url, headers: signed, accepts: rules.write }
    return { request: framed ? { ...request, framing: { type: FRAMING, ...BEHIND } } : request }
  }

  /**
   * @param {{ key: string, etag: string, versionId?: string }} object
   * @returns {Record<string, string>}
   * @throws {XferError} NO_ETAG
   */
  function pinned({ key, etag, versionId }) {
    if (etag === '') throw new XferError('NO_ETAG', { ...control.facts, key })
    // The answer's Last-Modified is compared: versitygw compares If-Unmodified-Since with the fraction of its file's second, and refuses all.
    if (isPinnedByTime({ etag })) return {}
    if (versionId !== undefined && dialect.pinsVersions) return {}
    const version = session.versionOf(key, etag)
    return version === undefined ? { 'if-match': etag } : { 'x-amz-if-generation-match': version }
  }

  /**
   * @param {number} bytes
   * @param {string} [contentEncoding] of the object
   * @returns {Record<string, string>}
   */
  function framedHeaders(bytes, contentEncoding) {
    const framing = profile().namesFraming === false ? [] : [FRAMING]
    const encoding = [...(contentEncoding ? [contentEncoding] : []), ...framing].join(',')
    return {
      'content-length': String(framedLength(bytes, BEHIND)),
      ...(encoding && { 'content-encoding': encoding }),
      'x-amz-content-sha256': UNSIGNED_WITH_TRAILER,
      'x-amz-decoded-content-length': String(bytes),
      'x-amz-trailer': BEHIND.trailer,
    }
  }

  /** @param {object} headers @returns {Signed | undefined} undefined: another store has signed them */
  const signedIn = headers => /** @type {any} */ (headers)[signedWith]

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
    async read({ key, etag, range, versionId, checksum = false }) {
      /** @type {Record<string, string>} */
      const headers = pinned({ key, etag, versionId })
      Object.assign(headers, dialect.readHeaders)
      headers['x-amz-content-sha256'] = UNSIGNED_PAYLOAD
      if (range) headers.range = `bytes=${range.start}-${range.end}`
      if (checksum) headers['x-amz-checksum-mode'] = 'ENABLED'
      const query = versionId === undefined ? NO_QUERY : { versionId }
      const { method, url, headers: signed } = await sign('GET', key, query, headers)
      const accepts = isPinnedByTime({ etag }) ? readByTime : rules.read
      return { request: { method, url, headers: signed, accepts } }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
    async put({ key, bytes, attributes, checksum, sums, condition }) {
      session.check(attributes)
      const headers = writeHeaders(attributes, { encoded })
      if (condition && profile().conditions !== 'ignored')
        Object.assign(headers, await session.conditions(key, condition))
      const contentEncoding = attributes.metadata.headers['content-encoding']
      return await signWrite({ key, headers }, { bytes, checksum, sums, contentEncoding })
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
    async part({ key, uploadId, partNumber, bytes, checksum }) {
      return await signWrite({ key, query: { partNumber: String(partNumber), uploadId } }, { bytes, checksum })
    },

    async renew({ headers }) {
      return await renewCredentials(settings, signedIn(headers)?.credentials)
    },

    signsAnew({ headers }, dateMs) {
      if (dateMs !== undefined) control.learnTime(dateMs)
      const signed = signedIn(headers)
      return signed !== undefined && Math.abs(control.now() - signed.atMs) > SIGNED_LONG_AGO_MS
    },
  }
}

module.exports = { createRequests }
