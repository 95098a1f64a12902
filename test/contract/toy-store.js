'use strict'

/**
 * A small store, as an example of the contract: a server that keeps objects in memory, and the factory of its stores. It
 * speaks JSON, signs by a header of its own, answers 201 and the CRC-32 to a write, and gives parts no ETag. It neither lists
 * objects nor copies by itself, and knows no conditions and no tags.
 */

const { createHmac, timingSafeEqual } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { createSums } = require('../../actions/copy-range/copy/sums')
const { XferError } = require('../../lib/errors')
const { ask } = require('../../lib/http')

/** How old a signature may be. */
const MOST_AGE_MS = 15 * 60_000
const LIMIT_MS = 30_000
const CONTENT = [
  'content-type',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-disposition',
  'expires',
]
const USER = 'toy-user-'
/** Which of a request's headers are signed. */
const SIGNED = /^(?:range|content-.*|cache-control|expires|toy-.*)$/

/** @param {string} secret @param {{ method: string, path: string, headers: Record<string, any>, at: string }} request */
function signatureOf(secret, { method, path, headers, at }) {
  const names = Object.keys(headers)
    .filter(name => SIGNED.test(name))
    .sort()
  const text = [method, path, at, ...names.map(name => `${name}:${headers[name]}`)].join('\n')
  return createHmac('sha256', secret).update(text).digest('hex')
}

/** What describes an object, of the headers of a request or an answer. @param {Record<string, any>} headers */
function metadataOf(headers) {
  const entries = Object.entries(headers)
  const user = entries.filter(([name]) => name.startsWith(USER))
  return {
    headers: Object.fromEntries(entries.filter(([name]) => CONTENT.includes(name))),
    user: Object.fromEntries(user.map(([name, value]) => [name.slice(USER.length), value])),
  }
}

/** @param {import('../../lib/types').ObjectMetadata} metadata */
function headersOf({ headers, user }) {
  return { ...headers, ...Object.fromEntries(Object.entries(user).map(([name, value]) => [USER + name, value])) }
}

// --- the server ------------------------------------------------------------------------------------------------------

class Refusal extends Error {
  constructor(status, error) {
    super(error)
    this.answer = { status, json: { error } }
  }
}

/** @param {Buffer} body */
function sumsOf(body) {
  const sums = createSums(['crc32', 'crc32c', 'crc64nvme', 'md5'])
  sums.update(body)
  return sums.digest()
}

/**
 * @param {object} [options]
 * @param {string} [options.secret]
 * @param {(written: { key: string, part?: number }, body: Buffer) => Buffer | undefined} [options.keeps] what it keeps of the
 *   body of a write; undefined: it does not answer the write
 * @returns {Promise<{ env: NodeJS.ProcessEnv, createContainer: (name: string) => void, requests: string[], close: () => Promise<void> }>}
 *   requests: method, key and query of each
 */
async function startToyServer({ secret = 'a toy', keeps = (_, body) => body } = {}) {
  /** @type {Map<string, { objects: Map<string, any>, uploads: Map<string, any> }>} */
  const containers = new Map()
  let count = 0
  /** @type {string[]} */
  const requests = []

  function checkSignature({ method, url: path, headers }) {
    const [, at, signature] = /^Toy (\d+) ([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? []
    const right = signatureOf(secret, { method, path, headers, at })
    if (!signature || !timingSafeEqual(Buffer.from(signature), Buffer.from(right)))
      throw new Refusal(403, 'wrong-signature')
    if (Math.abs(Date.now() - Number(at)) > MOST_AGE_MS) throw new Refusal(403, 'too-old')
  }

  const write = (container, key, body, metadata) => {
    const object = { key, body, metadata, version: `"v${++count}"`, modifiedMs: Date.now() }
    container.objects.set(key, object)
    return object
  }

  function read(object, headers) {
    if (headers['toy-if-version'] !== object.version) throw new Refusal(409, 'changed')
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const body = first === undefined ? object.body : object.body.subarray(Number(first), Number(last) + 1)
    return {
      status: first === undefined ? 200 : 206,
      headers: {
        ...headersOf(object.metadata),
        'toy-version': object.version,
        ...(first !== undefined && { 'content-range': `bytes ${first}-${last}/${object.body.length}` }),
      },
      body,
    }
  }

  /** The answer to a write: the checksums of what is kept. @param {Buffer} kept */
  const written = kept => ({
    status: 201,
    headers: { 'toy-checksum': new URLSearchParams(sumsOf(kept)).toString() },
    body: Buffer.alloc(0),
  })

  const ofUpload = {
    PUT({ upload, part, body }) {
      const kept = keeps({ key: upload.key, part }, body)
      if (!kept) return undefined
      upload.parts.set(part, kept)
      return written(kept)
    },
    GET({ upload, after, most }) {
      const above = [...upload.parts].filter(([number]) => number > after).sort(([a], [b]) => a - b)
      const parts = above.slice(0, most).map(([partNumber, { length: bytes }]) => ({ partNumber, bytes }))
      return { status: 200, json: { parts, more: above.length > parts.length } }
    },
    POST({ container, upload, id, body }) {
      const parts = JSON.parse(body.toString()).parts.map(({ number, sums }) => {
        const part = upload.parts.get(number)
        if (!part) throw new Refusal(400, 'no-such-part')
        const kept = sumsOf(part)
        if (Object.entries(sums ?? {}).some(([sum, value]) => kept[sum] !== value))
          throw new Refusal(400, 'another-part')
        return part
      })
      container.uploads.delete(id)
      return {
        status: 201,
        json: { version: write(container, upload.key, Buffer.concat(parts), upload.metadata).version },
      }
    },
    DELETE({ container, id }) {
      container.uploads.delete(id)
      return { status: 204 }
    },
  }

  function answer({ method, url, headers }, body) {
    checkSignature({ method, url, headers })
    const [, name, key, query] = /^\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*))?$/.exec(url) ?? []
    const container = containers.get(name)
    const asked = new URLSearchParams(query)
    if (!container) throw new Refusal(404, 'no-such-container')
    if (key === undefined) {
      const uploads = [...container.uploads].filter(([, upload]) => upload.key.startsWith(asked.get('uploads') ?? ''))
      return { status: 200, json: { uploads: uploads.map(([id, { key, atMs }]) => ({ id, key, initiatedMs: atMs })) } }
    }
    const plain = decodeURIComponent(key)
    const object = container.objects.get(plain)
    const id = asked.get('upload')
    if (id !== null) {
      const upload = container.uploads.get(id)
      if (upload?.key !== plain) throw new Refusal(404, 'no-such-upload')
      const [part, after, most] = ['part', 'after', 'most'].map(name => Number(asked.get(name)))
      return ofUpload[method]({ container, upload, id, body, part, after, most: most || 1000 })
    }
    if (method === 'POST') {
      const made = `upload-${++count}`
      container.uploads.set(made, { key: plain, metadata: metadataOf(headers), parts: new Map(), atMs: Date.now() })
      return { status: 201, json: { id: made } }
    }
    if (method === 'PUT') {
      const kept = keeps({ key: plain }, body)
      if (!kept) return undefined
      write(container, plain, kept, metadataOf(headers))
      return written(kept)
    }
    if (!object) throw new Refusal(404, 'no-such-key')
    if (method === 'DELETE') container.objects.delete(plain)
    if (method !== 'GET') return { status: 204 }
    const { version, modifiedMs, metadata } = object
    if (asked.has('head'))
      return {
        status: 200,
        json: { bytes: object.body.length, version, modifiedMs, metadata, sums: sumsOf(object.body) },
      }
    return read(object, headers)
  }

  const server = http.createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    requests.push(`${request.method} ${request.url}`)
    let said
    try {
      said = answer(/** @type {any} */ (request), Buffer.concat(pieces))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      said = error.answer
    }
    if (!said) return response.destroy()
    const body = said.body ?? Buffer.from(said.json ? JSON.stringify(said.json) : '')
    response.writeHead(said.status, { ...said.headers, ...(said.status !== 204 && { 'content-length': body.length }) })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    env: { TOY_ENDPOINT: `http://127.0.0.1:${port}`, TOY_SECRET: secret },
    requests,
    createContainer: name => void containers.set(name, { objects: new Map(), uploads: new Map() }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// --- its store -------------------------------------------------------------------------------------------------------

/** The server's errors. */
const CODES = {
  'no-such-key': 'NO_SUCH_KEY',
  'no-such-container': 'NO_SUCH_BUCKET',
  'no-such-upload': 'UPLOAD_GONE',
  'no-such-part': 'STORE_REFUSED',
  'another-part': 'INTEGRITY',
  changed: 'SOURCE_CHANGED',
  'wrong-signature': 'CREDENTIALS_REFUSED',
  'too-old': 'SIGNATURE_TOO_OLD',
}

/** Its errors of a completion whose parts it does not have. */
const PARTS_DIFFER = ['no-such-part', 'another-part']

/** @type {import('../../lib/types').AnswerRule} */
const READ = {
  statuses: [200, 206],
  changed: [409],
  etag: { header: 'toy-version', required: true },
  describes: { names: CONTENT, prefixes: [USER] },
  errorCode: { json: ['error'] },
}
/** @type {import('../../lib/types').AnswerRule} */
const WRITE = { statuses: [201], tells: ['toy-checksum'], errorCode: { json: ['error'] } }

/** The requests to the server, and what its refusals mean. */
function createToyClient({ container }, { side, endpoint, secret }, { location, now = Date.now }) {
  const facts = { side, protocol: 'Toy', bucket: container, endpoint, location, terms: toy.terms() }

  function sign(method, key, query, headers) {
    const name = key === undefined ? '' : `/${encodeURIComponent(key).replaceAll('.', '%2E')}`
    const path = `/${container}${name}${query ? `?${new URLSearchParams(query)}` : ''}`
    const at = String(now())
    const signature = signatureOf(secret, { method, path, headers, at })
    return { method, url: endpoint + path, headers: { ...headers, authorization: `Toy ${at} ${signature}` } }
  }

  /** @returns {import('../../lib/types').Transfer} */
  const read = (...of) => ({ request: { ...sign('GET', ...of), accepts: READ } })
  /** @returns {import('../../lib/types').Transfer} */
  const write = (...of) => ({ request: { ...sign('PUT', ...of), accepts: WRITE } })

  function explain({ of, status, storeCode, body, checksum, ...said }) {
    const code = storeCode ?? JSON.parse(body || '{}').error
    const known = Object.hasOwn(CODES, code ?? '') ? CODES[code] : status >= 500 ? 'STORE_ERROR' : 'STORE_REFUSED'
    return new XferError(known, {
      ...facts,
      status,
      storeCode: code,
      ...(PARTS_DIFFER.includes(code) && { partsDiffer: true, completes: true }),
      ...said,
    })
  }

  async function call(method, key, { query, headers = {}, json, signal, of = 'read' }) {
    const sent = json === undefined ? undefined : Buffer.from(JSON.stringify(json))
    const length = method === 'GET' ? {} : { 'content-length': String(sent?.length ?? 0) }
    const request = sign(method, key, query, { ...headers, ...length })
    const answer = await ask({ ...request, body: sent }, { limitMs: LIMIT_MS, signal }).catch(cause => {
      if (signal?.aborted) throw signal.reason
      throw new XferError('STORE_UNREACHABLE', { ...facts, reason: cause.code }, { cause })
    })
    if (answer.status >= 300) throw explain({ of, status: answer.status, body: answer.body, key })
    return answer.body === '' ? {} : JSON.parse(answer.body)
  }

  /** @param {import('../../lib/types').ObjectAttributes} attributes */
  function headersFor({ metadata, tags = [] }) {
    if (tags.length > 0)
      throw new XferError('STORE_REFUSED', { ...facts, notImplemented: true, reason: 'it has no tags' })
    return headersOf(metadata)
  }

  return { facts, read, write, call, explain, headersFor }
}

/** @returns {import('../../lib/stores/contract').Store} */
function createToyStore(place, settings, { location, now = Date.now }) {
  const { endpoint, answered = ['crc32'], computed = [] } = settings
  const { facts, read, write, call, explain, headersFor } = createToyClient(place, settings, { location, now })
  return {
    ...{ scheme: 'toy', facts, endpoint, origin: endpoint, now },
    can: {
      ...{ reach: 'local', listsUploadsByPrefix: true },
      ...{
        sums: { stored: computed, checked: [], answered, computed },
        sumAt: 'answer',
        partTag: 'none',
        keepsMetadata: true,
        hidesBelow: false,
      },
    },
    limits: { minBytes: 1, maxBytes: 1024 ** 3, maxParts: 1000, equalParts: false },
    authenticate: async () => true,
    explain,
    readDescription: headers => ({ metadata: metadataOf(headers) }),
    readWritten: ({ 'toy-checksum': sums }) =>
      sums === undefined ? {} : { answered: Object.fromEntries(new URLSearchParams(sums)) },
    describingHeaders: ({ metadata }) => headersOf(metadata),

    async ping({ signal } = {}) {
      await call('GET', undefined, { query: { uploads: 'none' }, signal })
    },
    async head(key, { signal } = {}) {
      const { bytes, version, modifiedMs, metadata, sums } = await call('GET', key, { query: { head: '' }, signal })
      const told = Object.fromEntries(computed.map(sum => [sum, sums[sum]]))
      return { bytes, etag: version, lastModifiedMs: modifiedMs, metadata, ...(computed.length > 0 && { sums: told }) }
    },

    async read({ key, etag, range }) {
      const part = range && { range: `bytes=${range.start}-${range.end}` }
      return read(key, undefined, { 'toy-if-version': etag, ...part })
    },
    async put({ key, bytes, attributes }) {
      return write(key, undefined, { ...headersFor(attributes), 'content-length': String(bytes) })
    },

    upload: {
      async create({ key, attributes }, { signal } = {}) {
        const { id } = await call('POST', key, { headers: headersFor(attributes), signal, of: 'write' })
        return { id, checksums: false }
      },
      async part({ key, uploadId, partNumber, bytes }) {
        return write(key, { upload: uploadId, part: partNumber }, { 'content-length': String(bytes) })
      },
      async parts({ key, uploadId, marker = '0', most = 1000 }, { signal } = {}) {
        const query = { upload: uploadId, after: marker, most: String(most) }
        const { parts, more } = await call('GET', key, { query, signal })
        return {
          parts: parts.map(part => ({ ...part, etag: '' })),
          next: more ? String(parts.at(-1).partNumber) : undefined,
        }
      },
      async complete({ key, uploadId, parts }, { signal } = {}) {
        // The part that was answered for, and no other that was written later under its number.
        const json = { parts: parts.map(({ partNumber, sums }) => ({ number: partNumber, sums })) }
        const { version } = await call('POST', key, { query: { upload: uploadId }, json, signal, of: 'write' })
        return { etag: version }
      },
      async abort({ key, uploadId }, { signal } = {}) {
        await call('DELETE', key, { query: { upload: uploadId }, signal })
      },
      async pending({ prefix }, { signal } = {}) {
        return await call('GET', undefined, { query: { uploads: prefix }, signal })
      },
    },
    async remove({ key }, { signal } = {}) {
      await call('DELETE', key, { signal })
    },
    async removeAll(keys, { signal } = {}) {
      for (const key of keys) await call('DELETE', key, { signal })
      return []
    },

    close() {},
  }
}

/** @type {import('../../lib/stores/contract').StoreFactory<any>} */
const toy = {
  schemes: ['toy'],
  example: 'toy://container/key',
  forms: 'toy://container/key',
  configured: 'toy:// by nothing',
  options: [
    {
      ...{ name: 'toyRegion', value: 'name', help: 'region of the {side}', group: 'places', kept: true },
      sides: ['source', 'destination'],
    },
  ],
  terms: () => ({ endpoint: 'TOY_ENDPOINT', credentials: 'TOY_SECRET' }),
  parse(text, side) {
    const [, container, key] = /^toy:\/\/([a-z-]+)(?:\/(.*))?$/s.exec(text) ?? []
    if (container) return { scheme: 'toy', container, key: key ?? '' }
    throw new XferError('BAD_LOCATION', { side, location: text, reason: 'it names no container', forms: toy.forms })
  },
  keyFault: key => (key.length > 2000 ? 'is too long' : undefined),
  async settings(_, side, { toyRegion }, env) {
    const endpoint = env[toyRegion ? `TOY_ENDPOINT_${toyRegion.toUpperCase()}` : 'TOY_ENDPOINT']
    const { TOY_SECRET: secret, TOY_ANSWERED: answered, TOY_COMPUTED: computed = '' } = env
    const listed = text => text.split(' ').filter(Boolean)
    const sums = { computed: listed(computed), ...(answered !== undefined && { answered: listed(answered) }) }
    if (endpoint && secret) return { side, endpoint, secret, ...sums, keep: { toyRegion } }
    throw new XferError('USAGE', { text: 'TOY_ENDPOINT or TOY_SECRET is missing.', advice: 'Set both.' })
  },
  identify: (_, { endpoint }) => ({ host: endpoint, server: endpoint, name: endpoint }),
  open: createToyStore,
}

module.exports = { createToyStore, startToyServer, toy }
