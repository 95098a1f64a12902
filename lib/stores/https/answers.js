'use strict'

/**
 * What the answers of an HTTPS source mean: the rule for reads, what headers say of the object, by what a change would be noticed,
 * what an address tells of its signature, and what refusals say: their rows of the table of errors, and words for the other rows.
 * Pure. RFC 9110 sections 8.8 and 15, RFC 9530 section 3; of the checksums' headers, the pages of those who send them.
 */

const { createHash } = require('node:crypto')
const { describing, sumsIn } = require('../../../actions/copy-range/answers')
const { EXIT, withRows } = require('../../errors')
const { classify, meaningIn } = require('../common')

/**
 * @typedef {'strong' | 'weak' | 'date' | 'size'} Pin strong, weak: by an ETag of this kind; date: by `Last-Modified`; size: by nothing
 *   but the size
 *
 * @typedef {object} WebObject what is known of an object once it is found
 * @property {string} url where it is read: a secret
 * @property {boolean} redirected whether that is another address than the one that was given
 * @property {number} bytes
 * @property {Pin} pin by what a change is noticed
 * @property {string} etag what answers must repeat: the ETag, or the date of `last`, or an empty text
 * @property {boolean} md5Tag whether the ETag is an MD5, as far as that can be known
 * @property {string} [modified] `Last-Modified`, as it was sent
 * @property {Pick<import('../contract').ObjectHead, 'metadata' | 'sums' | 'lastModifiedMs'>} description
 */
/** @typedef {Record<string, string>} HttpsHeaders names in lower case */
/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** What an object keeps of its source. */
const READ_DESCRIBES = { names: ['content-type', 'cache-control', 'content-disposition', 'content-language'] }

/** @param {import('../../types').Sum} sum @param {string} header @param {object} [more] */
const checksum = (sum, header, more) => ({ sum, header, encoding: /** @type {const} */ ('base64'), ...more })

/** Checksums of the whole object, in an answer to a range too. @type {NonNullable<AnswerRule['checksums']>} */
const CHECKSUMS = [
  // https://cloud.google.com/storage/docs/xml-api/reference-headers#xgooghash
  checksum('crc32c', 'x-goog-hash', { member: 'crc32c' }),
  checksum('md5', 'x-goog-hash', { member: 'md5' }),
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
  .../** @type {const} */ (['crc32', 'crc32c', 'crc64nvme']).map(sum =>
    checksum(sum, `x-amz-checksum-${sum}`, { only: { header: 'x-amz-checksum-type', value: 'FULL_OBJECT' } }),
  ),
  // https://learn.microsoft.com/rest/api/storageservices/get-blob
  checksum('md5', 'x-ms-blob-content-md5'),
  // RFC 9530 section 3, and RFC 3230 before it.
  ...['repr-digest', 'digest'].flatMap(header => [
    checksum('md5', header, { member: 'md5' }),
    checksum('crc32c', header, { member: 'crc32c' }),
  ]),
]

/** Of the object in an answer without a range; else of the range, with some servers. */
const CONTENT_MD5 = checksum('md5', 'content-md5')

/** By pin and kind of read; one object for each: an invocation sends each once. @type {Map<string, AnswerRule>} */
const rules = new Map()

/**
 * The rule for reads of an object.
 *
 * @param {Pin} pin
 * @param {200 | 206} status 206: a part of the object is asked for
 * @returns {AnswerRule}
 */
function readRule(pin, status) {
  const known = rules.get(`${pin} ${status}`)
  if (known) return known
  const header = pin === 'date' ? 'last-modified' : 'etag'
  const rule = {
    statuses: [status],
    changed: [412, 416],
    ...(pin !== 'size' && { etag: { header, required: true } }),
    // They are compared where the whole object is read: then both meanings of Content-MD5 are the same.
    checksums: [...CHECKSUMS, CONTENT_MD5],
    describes: READ_DESCRIBES,
    tells: ['last-modified', ...new Set([...CHECKSUMS, CONTENT_MD5].map(one => one.header)), 'x-amz-checksum-type'],
    // Of a presigned address.
    errorCode: { xml: /** @type {[string, string]} */ (['Error', 'Code']) },
    errorMessage: { xml: /** @type {[string, string]} */ (['Error', 'Message']) },
  }
  rules.set(`${pin} ${status}`, rule)
  return rule
}

/**
 * What the headers of an answer tell of the object.
 *
 * @param {HttpsHeaders} headers
 * @param {Buffer} [piece] the bytes that it brought, if they are a part of the object
 * @returns {Pick<WebObject, 'pin' | 'etag' | 'modified' | 'md5Tag' | 'description'>}
 */
function foundIn(headers, piece) {
  const pinned = pinOf(headers)
  const changed = pinned.modified !== undefined && { lastModifiedMs: Date.parse(pinned.modified) }
  return { ...pinned, md5Tag: hasMd5Tag(headers), description: { ...descriptionOf(headers, piece), ...changed } }
}

/**
 * @param {HttpsHeaders} headers
 * @param {Buffer} [piece] as of `foundIn`
 * @returns {Pick<import('../contract').ObjectHead, 'metadata' | 'sums'>}
 */
function descriptionOf(headers, piece) {
  const sums = sumsOf(headers, piece)
  return {
    metadata: { headers: describing(headers, READ_DESCRIBES), user: {} },
    ...(Object.keys(sums).length > 0 && { sums }),
  }
}

/**
 * By what a change is noticed, and what answers then have to repeat. A weak ETag may stay the same when bytes change.
 *
 * @param {HttpsHeaders} headers
 * @returns {Pick<WebObject, 'pin' | 'etag' | 'modified'>}
 */
function pinOf({ etag = '', 'last-modified': modified }) {
  const date = modified !== undefined && !Number.isNaN(Date.parse(modified)) ? { modified } : {}
  if (/^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return { pin: 'strong', etag, ...date }
  if (/^W\/"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return { pin: 'weak', etag, ...date }
  if (date.modified !== undefined) return { pin: 'date', etag: date.modified, ...date }
  return { pin: 'size', etag: '' }
}

/**
 * The checksums of the whole object.
 *
 * @param {HttpsHeaders} headers
 * @param {Buffer} [piece] as of `foundIn`
 */
function sumsOf(headers, piece) {
  // Some servers mean the part that they send, and some the object.
  const ofPart = piece && createHash('md5').update(piece).digest('base64') === headers['content-md5']
  const { 'x-goog-hash': _, ...others } = headers
  return sumsIn(isUnpacked(headers) ? others : headers, ofPart ? CHECKSUMS : [CONTENT_MD5, ...CHECKSUMS])
}

/**
 * Whether Google sends other bytes than those that it keeps, whose checksums it tells: what is kept packed is unpacked for who
 * does not ask for gzip. https://cloud.google.com/storage/docs/transcoding
 *
 * @param {HttpsHeaders} headers
 */
function isUnpacked(headers) {
  const { 'x-goog-stored-content-encoding': stored = 'identity', 'content-encoding': sent = 'identity' } = headers
  return stored !== sent
}

/**
 * Whether the ETag may be an MD5: AWS's of an object in one piece, unless it is encrypted with a key of KMS or of the user. Other
 * servers' ETags may look like one, and be none. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 *
 * @param {HttpsHeaders} headers
 */
function hasMd5Tag({ server, etag = '', ...headers }) {
  const { 'x-amz-server-side-encryption': encryption = 'AES256' } = headers
  const own = headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined
  return server === 'AmazonS3' && /^"[0-9a-f]{32}"$/.test(etag) && encryption === 'AES256' && !own
}

/** @param {string} url @returns {URLSearchParams} names in lower case */
function parametersOf(url) {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  /** @type {Array<[name: string, value: string]>} */
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value])
  return new URLSearchParams(pairs)
}

/**
 * When a presigned address ends.
 *
 * @param {string} url
 * @returns {number | undefined} epoch milliseconds; undefined if it does not tell
 */
function expiryOf(url) {
  const parameters = parametersOf(url)
  for (const vendor of ['amz', 'goog']) {
    const [, y, mo, d, h, mi, s] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get(`x-${vendor}-date`) ?? '') ?? []
    const seconds = Number(parameters.get(`x-${vendor}-expires`) ?? Number.NaN)
    const signedMs = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
    if (!Number.isNaN(signedMs + seconds)) return signedMs + seconds * 1000
  }
  const endMs = Date.parse(parameters.get('se') ?? '')
  if (parameters.has('sig') && !Number.isNaN(endMs)) return endMs
  const epoch = /^\d{9,11}$/.exec(parameters.get('expires') ?? '')
  return epoch ? Number(epoch[0]) * 1000 : undefined
}

/** Whether it has a shared access signature of Azure for more than one blob. @param {string} url */
function isWideSas(url) {
  const parameters = parametersOf(url)
  if (!parameters.has('sig')) return false
  return parameters.has('srt') || ['c', 'd'].includes(parameters.get('sr') ?? '')
}

/** What to do where xfer needs more of a server than it does. @param {string} [flags] of curl */
const asStream = (flags = '') => `Read it with curl -fsSL ${flags}URL; xfer copy - DEST writes what comes.`

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  NO_RANGES: {
    exit: EXIT.FAILED,
    message: f => `The source ${f.location} cannot be read in parts: its server ${f.reason}.`,
    hint: () => asStream(),
  },
  ENCODED_SOURCE: {
    exit: EXIT.FAILED,
    message: f =>
      `The source ${f.location} is sent in the encoding ${f.encoding}, though xfer asked for the object as it is: its bytes may differ from one answer to the next.`,
    hint: () => asStream('--compressed '),
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

/** @type {import('../contract').StoreTerms} */
const TERMS = {
  container: 'host',
  endpoint: 'the address',
  endpointInUse: 'the address',
  address: 'the address',
  credentials: 'what --source-header gives',
  credentialsAdvice: 'Give --source-header.',
  accessAdvice: 'Give what the server asks for by --source-header, or get a new address if this one was signed.',
  settingsAdvice: 'Give the same address again.',
}

/** What a store behind a presigned address says. @type {import('../common/client').CodeTable} */
const CODES = { NO_SUCH_KEY: ['NoSuchKey'], CREDENTIALS_EXPIRED: ['ExpiredToken'], STORE_THROTTLED: ['SlowDown'] }

const NEW_ADDRESS = 'Get a new address, and repeat the command with it: that goes on with the job.'
const AGAIN = 'Repeat the command: it follows the redirect again, and goes on with the job.'

/**
 * @param {{ status?: number, storeCode?: string }} answer to a GET
 * @returns {import('../../types').XferErrorCode}
 */
function classifyAnswer({ status = 0, storeCode }) {
  const known = meaningIn(storeCode, CODES)
  if (known) return known
  // A range was asked for, and the whole object came: the condition does not hold, or there are no ranges any more.
  if (status === 200 || status === 412 || status === 416) return 'SOURCE_CHANGED'
  return status === 410 ? 'NO_SUCH_KEY' : classify({ status, storeCode: storeCode ?? '' })
}

/**
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {object} how
 * @param {string} how.url where it was read
 * @param {boolean} how.redirected whether another address led there
 * @param {number} how.nowMs epoch milliseconds
 * @returns {import('../../types').XferError} CREDENTIALS_EXPIRED if the address has ended, or is one that another address may lead to anew
 */
function explainAnswer({ of: _, status, storeCode, body, checksum: __, ...said }, facts, { url, redirected, nowMs }) {
  const answer = { status, storeCode: storeCode ?? codeIn(body) }
  const code = classifyAnswer(answer)
  const ended = (expiryOf(url) ?? Number.POSITIVE_INFINITY) <= nowMs
  const expired = code === 'CREDENTIALS_EXPIRED' || (code === 'ACCESS_DENIED' && (ended || redirected))
  const moved = status !== undefined && status >= 300 && status < 400
  return new XferError(expired ? 'CREDENTIALS_EXPIRED' : code, {
    ...facts,
    ...answer,
    ...said,
    ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }),
    ...(moved && { reason: 'it redirects now, and did not when the copy began' }),
    ...(expired && { advice: redirected ? AGAIN : NEW_ADDRESS }),
  })
}

/** The error code in the document of a store. @param {string} [body] its beginning */
function codeIn(body = '') {
  return /^[^<]*(?:<\?xml[^>]*>\s*)?<Error[\s>][\s\S]*?<Code>\s*([A-Za-z][\w.-]{0,63})\s*<\/Code>/.exec(body)?.[1]
}

module.exports = { ROWS, TERMS, XferError, descriptionOf, expiryOf, explainAnswer, foundIn, isWideSas, readRule }
