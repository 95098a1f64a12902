'use strict'

/**
 * Builds the data requests, which sign.js signs and a function sends, with the rules for their answers; and asks about one object: head,
 * part sizes, tags.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { FRAMING, framedLength } = require('../../../actions/copy-range/dialects')
const { XferError } = require('../../errors')
const { isAltered, isPinnedByTime, pinByTime, timePinOf } = require('../../integrity')
const { notice } = require('../../notices')
const { conditionHeaders, readCount, readTime, sizeByRange } = require('../common')
const { readDescription, sumHeader, writeHeaders } = require('./answers')
const { NO_QUERY, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER, credentialsOf, renewCredentials } = require('./sign')

/** @typedef {import('../contract').Store} Store */

/**
 * What is asked about one object, and what is known of it then. toldSums: encrypted: the ETag is no MD5; conditions: headers of a write,
 * throws DESTINATION_EXISTS; check: throws STORE_REFUSED.
 *
 * @typedef {Required<Pick<Store, 'head' | 'pin' | 'partSize' | 'tags'>> & {
 *   versions?: import('./types').Versions,
 *   toldSums: (headers: Record<string, string>) => { sums?: import('../contract').Sums, encrypted?: true },
 *   conditions: (key: string, condition?: import('../contract').WriteCondition, signal?: AbortSignal) => Promise<Record<string, string>>,
 *   check: (attributes: import('../contract').ObjectAttributes) => void,
 * }} Objects
 */

/** @param {import('./control').Shared} store @returns {Objects} */
function createObjects({ control, settings, bucket, dialect, serverFacts }) {
  const versions = dialect.createVersions?.()

  /**
   * The refusal of a HEAD has no body, so it does not show whether the bucket or the key is missing, or the access key id or
   * the signature wrong. A GET of one byte, which needs the same permission, does.
   *
   * @param {import('../../types').XferError} refusal
   * @param {import('./calls').AskedCall} object
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<never>}
   */
  async function explain(refusal, object, signal) {
    const { status } = refusal.facts
    // The bucket exists, so the key is missing.
    if (status === 404 && bucket.seen && refusal.code === 'NO_SUCH_KEY') throw refusal
    if (status === undefined || status < 300 || status >= 500 || status === 429) throw refusal
    await control.call('GetObject', { ...object, headers: { range: 'bytes=0-0' } }, signal).catch(error => {
      bucket.seen ||= error.code === 'NO_SUCH_KEY' && error.facts.storeCode === 'NoSuchKey'
      throw error
    })
    throw refusal
  }

  /**
   * What pins an object without an ETag: versitygw answers so for files that already lie in its folder.
   *
   * @param {Record<string, string>} headers
   * @returns {string} empty if nothing does; a read refuses then
   */
  function withoutEtag(headers) {
    // Every answer of S3 has such a header. Other servers have pages without ETags.
    const isS3 = Object.keys(headers).some(name => name.startsWith('x-amz-'))
    if (!isS3) throw strange("a HEAD is answered without the object's ETag")
    return timePinOf(headers['last-modified'])
  }

  /** An answer that no object store gives. @param {string} reason */
  function strange(reason) {
    return new XferError('NOT_A_STORE', { ...control.facts, reason })
  }

  /**
   * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
   *
   * @type {Store['head']}
   */
  async function head(key, { signal, versionId } = {}) {
    const object = { key, query: { versionId } }
    const headers = { 'x-amz-checksum-mode': serverFacts().sums === 'refused' ? undefined : 'ENABLED' }
    const ask = () =>
      control.call('HeadObject', { ...object, headers }, signal).catch(error => explain(error, object, signal))
    const credentials = await credentialsOf(settings, signal)
    const output = await ask().catch(async refusal => {
      // A HEAD cannot report expired credentials. The GET that explained the refusal has renewed them in this case.
      if ((await credentialsOf(settings, signal)) === credentials) throw refusal
      return await ask()
    })
    const asked = (/** @type {Record<string, string>} */ headers) =>
      control.call('GetObject', { ...object, headers }, signal)
    const bytes = readCount(output.headers['content-length']) ?? (await sizeByRange(asked))
    if (bytes === undefined) throw strange("a HEAD is answered without the object's size")
    const etag = output.headers.etag || withoutEtag(output.headers)
    bucket.seen = true
    const found = {
      bytes,
      etag,
      versionId: output.headers['x-amz-version-id'],
      lastModifiedMs: readTime(output.headers['last-modified']),
      ...readDescription(output.headers),
      ...toldSums(output.headers),
      ...(isPinnedByTime({ etag }) && { notices: notPinned('date') }),
    }
    versions?.note(key, found)
    return found
  }

  /** @param {'date' | 'altered'} pin */
  function notPinned(pin) {
    return { all: [notice('SOURCE_NOT_PINNED', { location: control.facts.location, pin })], ofParts: [] }
  }

  /** @type {Objects['pin']} */
  function pin(object, refused) {
    // Generations pin objects of a dialect with versions.
    const hasNone = object.etag === ''
    if (versions || isPinnedByTime(object) || !(refused || hasNone || isAltered(object))) return object
    const pinned = pinByTime(object)
    return isPinnedByTime(pinned) ? { ...pinned, notices: notPinned(hasNone ? 'date' : 'altered') } : object
  }

  /** @type {Objects['toldSums']} */
  function toldSums(headers) {
    const sums = dialect.sums?.(headers) ?? {}
    if (Object.keys(sums).length === 0) return {}
    return sums.md5 === undefined ? { sums, encrypted: true } : { sums }
  }

  return {
    head,
    pin,
    toldSums,
    versions,

    async conditions(key, condition = {}, signal) {
      const there = () =>
        head(key, { signal }).catch(error => {
          if (error.code !== 'NO_SUCH_KEY') throw error
          return undefined
        })
      if (!dialect.conditions) return conditionHeaders(condition)
      return await dialect.conditions(condition, there).catch(error => {
        if (error.code !== 'DESTINATION_EXISTS') throw error
        throw new XferError(error.code, { ...control.facts, key, ...error.facts })
      })
    },

    check(attributes) {
      const tagged = (attributes.tags ?? []).length > 0 && serverFacts().tags === false
      const reason = tagged ? 'its objects have no tags' : dialect.refuses?.(attributes)
      if (reason !== undefined) throw new XferError('STORE_REFUSED', { ...control.facts, status: 501, reason })
    },

    /**
     * The size of one part of an object that was uploaded in parts.
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html#API_HeadObject_RequestSyntax
     */
    async partSize(key, { signal, partNumber = 1, versionId } = {}) {
      const { headers } = await control.call('HeadObject', { key, query: { partNumber, versionId } }, signal)
      const bytes = readCount(headers['content-length'])
      const parts = readCount(headers['x-amz-mp-parts-count'])
      return bytes !== undefined && parts ? { bytes, parts } : undefined
    },

    tags: {
      /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html */
      async read(key, { signal, versionId } = {}) {
        const { values } = await control
          .call('GetObjectTagging', { key, query: { versionId } }, signal)
          .catch(error => {
            // Some stores answer so for an object without tags.
            if (/^NoSuchTagSet(Error)?$/.test(error.facts.storeCode ?? '')) return { values: { TagSet: undefined } }
            throw error
          })
        return (values.TagSet?.Tag ?? []).map((/** @type {any} */ { Key, Value }) => [Key ?? '', Value ?? ''])
      },

      /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html */
      async write({ key, tags, versionId }, { signal } = {}) {
        const document = { Tagging: { TagSet: { Tag: tags.map(([Key, Value]) => ({ Key, Value })) } } }
        await control.call('PutObjectTagging', { key, query: { versionId }, document }, signal)
      },
    },
  }
}

/** The checksum of a write: what follows its bytes, or the header. */
const BEHIND = { trailer: sumHeader('crc32'), sum: /** @type {const} */ ('crc32') }
/** The age of a signature, by the store's clock, from which signing again may help. Stores refuse 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000

/**
 * @param {import('./control').Shared} store
 * @param {Objects} objects
 * @returns {Pick<Store, 'read' | 'put' | 'renew' | 'signsAnew'> & Pick<Store['upload'], 'part'>}
 */
function createRequests({ control, settings, encoded, dialect, serverFacts }, objects) {
  const { rules } = dialect
  /** For objects without an ETag. One object: an invocation sends each rule once. @type {import('../../types').AnswerRule} */
  const readByTime = { ...rules.read, etag: { header: 'last-modified', required: true } }

  /**
   * A PUT. The bytes are sent as they are or, if their checksum is to be sent and is not known yet, in one aws-chunked frame
   * with the checksum behind them: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
   *
   * @param {{ key: string, query?: Record<string, string>, headers?: Record<string, string> }} where headers: its own
   * @param {{ bytes: number, checksum: boolean, sums?: import('../../types').Sums }} body sums: of the bytes, where they are known
   */
  async function signWrite({ key, query = NO_QUERY, headers = {} }, { bytes, checksum: wanted, sums }) {
    const checksum = wanted && serverFacts().sums !== 'refused'
    const known = checksum ? sums?.crc32 : undefined
    const framed = checksum && known === undefined
    if (framed) {
      headers['content-length'] = String(framedLength(bytes, BEHIND))
      if (serverFacts().namesFraming !== false) {
        const encoding = headers['content-encoding']
        headers['content-encoding'] = encoding ? `${encoding},${FRAMING}` : FRAMING
      }
      headers['x-amz-content-sha256'] = UNSIGNED_WITH_TRAILER
      headers['x-amz-decoded-content-length'] = String(bytes)
      headers['x-amz-trailer'] = BEHIND.trailer
    } else {
      headers['content-length'] = String(bytes)
      headers['x-amz-content-sha256'] = UNSIGNED_PAYLOAD
      if (known !== undefined) headers[BEHIND.trailer] = Buffer.from(known, 'hex').toString('base64')
    }
    const put = /** @type {const} */ ({ method: 'PUT', query, headers, keyed: true })
    const { method, url, headers: signed } = await control.sign(put, key)
    const request = { method, url, headers: signed, accepts: rules.write }
    return { request: framed ? { ...request, framing: { type: FRAMING, ...BEHIND } } : request }
  }

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html */
    async read({ key, etag, range, versionId, checksum = false }) {
      if (etag === '') throw new XferError('NO_ETAG', { ...control.facts, key })
      /** @type {Record<string, string>} */
      const headers = {}
      // Of such an object the answer's Last-Modified is compared: versitygw compares If-Unmodified-Since with the fraction of its file's
      // second, and refuses all.
      const byTime = isPinnedByTime({ etag })
      const byVersion = versionId !== undefined && objects.versions !== undefined
      if (!byTime && !byVersion) Object.assign(headers, objects.versions?.ofRead(key, etag) ?? { 'if-match': etag })
      Object.assign(headers, dialect.readHeaders)
      headers['x-amz-content-sha256'] = UNSIGNED_PAYLOAD
      if (range) headers.range = `bytes=${range.start}-${range.end}`
      if (checksum) headers['x-amz-checksum-mode'] = 'ENABLED'
      const query = versionId === undefined ? NO_QUERY : { versionId }
      const get = /** @type {const} */ ({ method: 'GET', query, headers, keyed: true })
      const { method, url, headers: signed } = await control.sign(get, key)
      return { request: { method, url, headers: signed, accepts: byTime ? readByTime : rules.read } }
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
    async put({ key, bytes, attributes, checksum, sums, condition }) {
      objects.check(attributes)
      const headers = writeHeaders(attributes, { encoded })
      if (condition && serverFacts().conditions !== 'ignored') {
        const own = dialect.conditions ? await objects.conditions(key, condition) : conditionHeaders(condition)
        Object.assign(headers, own)
      }
      return await signWrite({ key, headers }, { bytes, checksum, sums })
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
    async part({ key, uploadId, partNumber, bytes, checksum }) {
      return await signWrite({ key, query: { partNumber: String(partNumber), uploadId } }, { bytes, checksum })
    },

    async renew({ headers }) {
      return await renewCredentials(settings, control.signedIn(headers)?.credentials)
    },

    signsAnew({ headers }, dateMs) {
      if (dateMs !== undefined) control.learnTime(dateMs)
      const signed = control.signedIn(headers)
      return signed !== undefined && Math.abs(control.now() - signed.atMs) > SIGNED_LONG_AGO_MS
    },
  }
}

module.exports = { createObjects, createRequests }
