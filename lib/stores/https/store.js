'use strict'

/**
 * The store `https://`: an object of any web server, as a source. `head` finds it: it follows redirects, and asks for the first
 * byte. The answer tells whether there are ranges, the size, the ETag, attributes and checksums. Then every read names the address
 * that was found and, as far as the server has one, the ETag. RFC 9110
 */

const { EXIT } = require('../../errors')
const { isLoopback, readBody } = require('../../http')
const { notice } = require('../../notices')
const { connectionError, createClient, factsOf, retryAfterIn } = require('../common')
const { TERMS, XferError, descriptionOf, explainAnswer, foundIn, readRule } = require('./answers')
const { encoded } = require('./settings')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('./answers').WebObject} WebObject */
/** @typedef {Pick<WebObject, 'url' | 'redirected'>} At */
/** @typedef {{ status: number, headers: Record<string, string>, body: Buffer }} WebAnswer names in lower case; body: of an answer that is short, or its beginning */

/** By what a change is noticed, for people. @type {Record<WebObject['pin'], string>} */
const PINS = {
  strong: 'its strong ETag shows a change',
  weak: 'its ETag is weak, so only the time of the last change shows one',
  date: 'it has no ETag, so only the time of the last change shows one',
  size: 'it tells neither an ETag nor a time, so only another size shows a change',
}

const FIRST_BYTE = 'bytes=0-0'
const CONTENT_RANGE = /^bytes 0-0\/(\d{1,15}|\*)$/i
/** Most bytes of a refusal that are read. */
const MOST_BYTES = 65_536

/**
 * @param {{ place: import('../contract').Place, settings: import('./settings').HttpsSettings, location?: string, now?: () => number }} where
 *   location: the address without its query, for messages
 * @returns {import('../contract').OwnStore}
 */
function openHttpsStore({ place, settings, location = settings.endpoint, now = Date.now }) {
  const { endpoint } = settings
  const { hostname, protocol } = new URL(endpoint)
  const facts = factsOf(settings, endpoint, {
    protocol: protocol === 'https:' ? 'HTTPS' : 'HTTP',
    bucket: place.container,
    key: place.key,
    location,
    terms: TERMS,
    endpoint,
  })
  const sendsHeaders = Object.keys(settings.headers()).length > 0
  const { silenceMs, send, requests, roundTripMs, close } = createClient(settings, {
    now,
    guarded: url => (isElsewhere(url) ? 'elsewhere' : true),
  })
  /** Whether only a redirect leads to a host, and from another machine: it may not lead to this one. @param {string} url */
  const isElsewhere = url => new URL(url).hostname !== hostname && !isLoopback(hostname)
  /** Where it is read: before it was found, the address as it was given. @type {At & Pick<WebObject, 'pin'> & Partial<WebObject>} */
  let found = { url: settings.url(), redirected: false, pin: 'strong' }
  /** Where an object without ranges is. @type {string | undefined} */
  let whole

  /**
   * @param {string} url
   * @param {string | undefined} range
   * @param {AbortSignal | undefined} signal also ends the body
   * @param {(answer: Awaited<ReturnType<typeof send>>) => T} use
   * @template T
   * @throws {XferError}
   */
  async function ask(url, range, signal, use) {
    const headers = { ...headersFor(settings, url), ...(range && { range }) }
    try {
      return await use(await send({ method: 'GET', url, headers }, { signal }))
    } catch (cause) {
      throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
    }
  }

  /** @param {string} url @param {string} [range] @param {AbortSignal} [signal] @returns {Promise<WebAnswer>} */
  async function get(url, range, signal) {
    return await ask(url, range, signal, async ({ response, ...answer }) => {
      // What is longer is an object, which nobody asked for: the connection is closed.
      const isWhole = answer.status === 200
      if (isWhole) response.destroy()
      const body = isWhole ? undefined : await readBody(response, { most: MOST_BYTES, silenceMs })
      return { ...answer, body: body ?? Buffer.alloc(0) }
    })
  }

  /** @param {WebAnswer} answer @param {At} at @param {AbortSignal} [signal] @returns {Promise<WebObject>} */
  async function foundBy(answer, at, signal) {
    const { status, headers, body } = answer
    const [, total] = CONTENT_RANGE.exec(headers['content-range'] ?? '') ?? []
    if (status === 206) {
      checkEncoding(headers)
      if (total === undefined || body.length !== 1) {
        throw new XferError('BAD_ANSWER', { ...facts, status, reason: 'it sends another range than that asked for' })
      }
      if (total === '*') throw noRanges(at, 'does not tell how long it is')
      return { ...at, ...foundIn(headers, body), bytes: Number(total) }
    }
    if (status === 200) return emptyBy(headers, at, 'sends no ranges of it')
    if (status === 416) {
      // An empty object has no first byte. It is asked for as a whole, because a refusal does not describe it.
      const again = await get(at.url, undefined, signal)
      if (again.status !== 200) throw refusal(again, at)
      return emptyBy(again.headers, at, 'refuses ranges of it')
    }
    if (status > 200 && status < 300) {
      throw new XferError('BAD_ANSWER', { ...facts, status, reason: `it answers with the status ${status}` })
    }
    throw refusal(answer, at)
  }

  /** @param {Record<string, string>} headers of the whole object @param {At} at @param {string} fault of one that is not empty @returns {WebObject} */
  function emptyBy(headers, at, fault) {
    checkEncoding(headers)
    if (headers['content-length'] !== '0') throw noRanges(at, fault)
    return { ...at, ...foundIn(headers), bytes: 0 }
  }

  /** @param {Record<string, string>} headers @throws {XferError} ENCODED_SOURCE */
  function checkEncoding({ 'content-encoding': content = '', 'transfer-encoding': transfer = '' }) {
    // Node.js undoes no coding of a transfer but `chunked`.
    const encoding = /^(?:identity)?$/i.test(content.trim()) ? transfer.replace(/^\s*chunked\s*$/i, '') : content
    if (encoding !== '') throw new XferError('ENCODED_SOURCE', { ...facts, encoding: encoding.slice(0, 40) })
  }

  /** @param {WebAnswer} answer @param {Pick<WebObject, 'url'>} at */
  function refusal({ status, headers, body }, { url }) {
    const of = /** @type {const} */ ('read')
    const answer = { of, status, body: body.toString('latin1'), ...retryAfterIn(headers) }
    // Asked anew, every redirect was followed just now.
    return explainAnswer(answer, facts, { url, redirected: false, nowMs: now() })
  }

  /** @param {Pick<WebObject, 'url'>} at @param {string} reason */
  function noRanges(at, reason) {
    whole = at.url
    return new XferError('NO_RANGES', { ...facts, reason })
  }

  return {
    scheme: place.scheme,
    facts,
    endpoint,
    can: {
      reach: isLoopback(hostname) ? 'local' : 'network',
      ...(settings.secret && { secret: settings.secret }),
      sums: { stored: ['crc32', 'crc32c', 'crc64nvme', 'md5'], checked: [], answered: [] },
      sumAt: 'none',
      partTag: 'opaque',
      keepsMetadata: true,
    },
    now,

    authenticate: async () => sendsHeaders,
    credentials: () => ({ words: sendsHeaders ? 'headers from --source-header' : '' }),

    async ping({ signal } = {}) {
      await get(found.url, FIRST_BYTE, signal)
    },

    async head(_key, { signal } = {}) {
      const { answer, ...at } = await follow(settings.url(), url => get(url, FIRST_BYTE, signal), facts)
      const object = await foundBy(answer, at, signal)
      found = object
      const { bytes, etag, md5Tag, description } = object
      // What looks like an MD5 need not be one.
      return { bytes, etag, ...description, encrypted: !md5Tag, notices: noticesOf(object) }
    },

    readTrial() {
      const { url, pin } = found
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
      const away = isElsewhere(url) && { elsewhere: /** @type {const} */ (true) }
      return { request: { method: 'GET', url, headers, ...away, accepts: readRule(pin, asked ? 206 : 200) } }
    },

    /** The body fails if it breaks off, or if nothing comes while it is waited for. */
    async stream(_key, { signal } = {}) {
      if (whole === undefined) throw new TypeError('The object has ranges.')
      const { response, status, headers } = await ask(whole, undefined, signal, answer => answer)
      response.setTimeout(silenceMs, () => {
        const silent = Object.assign(new Error('the source sends nothing any more'), { code: 'ETIMEDOUT' })
        if (response.readableLength === 0) response.destroy(silent)
        // It is asked again once the reader has taken what is there: Node.js tells a silence once.
        else if (!response.complete) response.socket.setTimeout(silenceMs)
      })
      const { 'content-length': length } = headers
      try {
        if (status !== 200) throw refusal({ status, headers, body: Buffer.alloc(0) }, { url: whole })
        checkEncoding(headers)
        // What ends with the connection may be half of the object.
        if (length === undefined && headers['transfer-encoding'] === undefined) {
          throw new XferError('NO_RANGES', { ...facts, reason: 'tells neither how long it is nor where it ends' })
        }
      } catch (error) {
        response.destroy()
        throw error
      }
      return { body: response, ...foundIn(headers).description, ...(length !== undefined && { bytes: Number(length) }) }
    },

    readDescription: headers => descriptionOf(headers),

    explain: answer => explainAnswer(answer, facts, { url: found.url, redirected: found.redirected, nowMs: now() }),
    requests,
    roundTripMs,
    close,
  }

  /** What a user should know of it. @param {WebObject} object */
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
 * The headers of a request. Those of the user go to the origin that they were given for, and nowhere else.
 *
 * @param {Pick<import('./settings').HttpsSettings, 'endpoint' | 'headers'>} settings
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

/** Redirects are followed once, when the object is found; functions follow none. RFC 9110 section 15.4 */
const REDIRECTS = [301, 302, 303, 307, 308]
/** Browsers follow twenty. */
const MOST_HOPS = 10

/**
 * @template {{ status: number, headers: Record<string, string> }} A
 * @param {string} url
 * @param {(url: string) => Promise<A>} get
 * @param {Record<string, any>} facts for errors, which have no address
 * @returns {Promise<{ answer: A, url: string, redirected: boolean }>} the last answer, and where it came from
 * @throws {XferError} ADDRESS_REFUSED; what `get` throws
 */
async function follow(url, get, facts) {
  const visited = [url]
  let answer = await get(url)
  while (REDIRECTS.includes(answer.status)) {
    visited.unshift(nextAddress(visited, answer.headers.location, facts))
    answer = await get(visited[0])
  }
  return { answer, url: visited[0], redirected: visited.length > 1 }
}

/**
 * The address of the next request.
 *
 * @param {string[]} visited the addresses so far, the last one first: at least one
 * @param {string | undefined} told the header `Location` of the answer
 * @param {Record<string, any>} facts for errors, which have no address
 * @returns {string}
 * @throws {XferError} ADDRESS_REFUSED
 */
function nextAddress(visited, told, facts) {
  const from = new URL(visited[0])
  // Node.js gives each byte as a character, and some servers send UTF-8.
  const location = told?.replace(/[\u0080-\u00ff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  /** @param {string} reason @param {string} [advice] */
  const refused = (reason, advice) =>
    new XferError('ADDRESS_REFUSED', {
      ...facts,
      exit: EXIT.FAILED,
      endpoint: facts.location,
      reason: `it redirects ${reason}`,
      here: true,
      advice,
    })
  if (location === undefined || !URL.canParse(location, from.href)) throw refused('to no address')
  const to = new URL(location, from.href)
  if (!/^https?:$/.test(to.protocol)) throw refused(`to ${to.protocol}, which is no address of the web`)
  if (to.username !== '' || to.password !== '') throw refused('to an address with a password')
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw refused(
      `from https:// to http://${to.host}, where nothing protects the bytes`,
      'Give the http:// address yourself if you want that.',
    )
  }
  if (isLoopback(to.hostname) && !isLoopback(from.hostname)) {
    throw refused('to this machine', 'Give that address yourself if you want that.')
  }
  // As it was given, because it may be signed; `URL` would resolve its dots.
  const absolute = /^https?:\/\/[^/?#\\]+([^#]*)/is.exec(location)
  const url = to.origin + (absolute ? encoded(absolute[1].replace(/^(?!\/)/, '/')) : to.pathname + to.search)
  if (visited.includes(url)) throw refused('in a circle')
  if (visited.length > MOST_HOPS) throw refused(`more than ${MOST_HOPS} times`)
  return url
}

module.exports = { openHttpsStore }
