'use strict'

/** Redis, as its store and the transport of the embedded engine use it: connections, and scripts that do one thing in one step. */

/**
 * One connection to Redis. It is never opened again by itself, and repeats nothing: who uses it knows what may be repeated. Errors
 * have either `word`, the code of a refusal, or `code`, why the connection broke. They never have what was sent.
 */

/**
 * @typedef {{ host: string, port: number, secure: boolean, db: number, user?: string, password?: string, ca?: string }} RedisTarget
 * @typedef {Awaited<ReturnType<typeof openSession>>} Session
 */

const CONNECT_MS = 10_000
/** Of an answer: a piece of a value has 1 MiB, and what is known of a key far less. */
const MOST_BYTES = 8 * 1024 ** 2
const MOST_LINE = 65_536

/** The word for what no server of Redis answers. */
const ODD = 'BADREPLY'

/**
 * Looks at what comes before the client does, which believes each size that it reads. RESP2:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
function createMeter() {
  let bytes = 0
  let line = ''
  /** So much of a text and its end is still to come. */
  let skip = 0
  return {
    /** @param {Buffer} chunk @returns {boolean} false: it is too much, or no answer */
    fits(chunk) {
      bytes += chunk.length
      for (let at = 0; at < chunk.length && bytes <= MOST_BYTES; ) {
        if (skip > 0) {
          const here = Math.min(skip, chunk.length - at)
          skip -= here
          at += here
          continue
        }
        const end = chunk.indexOf('\n', at)
        line += chunk.toString('latin1', at, end < 0 ? chunk.length : end)
        at = end < 0 ? chunk.length : end + 1
        // The client takes each CR for the end of a line.
        if (line.length > MOST_LINE || /\r./s.test(line)) return false
        if (end < 0) break
        const [, kind, size] = /^(?:([$*])(-1|\d+)|[-+:].*)\r$/.exec(line) ?? [undefined, '']
        if (kind === '') return false
        if (kind === '$' && size !== '-1') skip = Number(size) + 2
        // Each entry has a byte at least, and the client makes room for all of them.
        if (kind === '*') bytes += Math.max(Number(size), 0)
        if (bytes + skip > MOST_BYTES) return false
        line = ''
      }
      return bytes <= MOST_BYTES
    },
    /** An answer was taken. */
    reset() {
      bytes = 0
    },
  }
}

/**
 * @param {RedisTarget} target
 * @param {{ onClient?: (close: () => void) => void, onAnswer?: () => void }} [how] onClient: gets what ends the connection, also
 *   while it is opened; onAnswer: called with each answer
 */
async function openSession({ host, port, secure, db, user, password, ca }, { onClient, onAnswer } = {}) {
  // It takes a while to load.
  const { Redis } = require('ioredis')
  const client = new Redis({
    host,
    port,
    connectTimeout: CONNECT_MS,
    lazyConnect: true,
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    // A name is checked against the certificate; an address has no name to ask for.
    ...(secure && { tls: { ...(ca !== undefined && { ca }), servername: /^[\d.]+$|:/.test(host) ? '' : host } }),
  })
  /** @type {unknown} */
  let broken
  let odd = false
  client.on('error', error => {
    broken ??= error
  })
  const close = () => client.disconnect()
  const meter = createMeter()
  client.once('connect', () => {
    client.stream.prependListener('data', chunk => {
      if (meter.fits(chunk)) return
      odd = true
      client.stream.removeAllListeners('data')
      client.stream.destroy()
    })
  })
  onClient?.(close)

  /** @param {Promise<any>} asked @param {(word: string) => string} [named] what a refusal means here */
  async function answer(asked, named = word => word) {
    try {
      const found = await asked
      meter.reset()
      onAnswer?.()
      return found
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error)
      // Its text and its fields may have what was sent.
      if (name === 'ReplyError') {
        throw refusal(named(/^[A-Z]{3,32}/.exec(message)?.[0] ?? 'ERR'))
      }
      if (odd) throw refusal(ODD)
      const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (Object(broken))
      throw Object.assign(new Error('the connection to Redis broke'), { code })
    }
  }

  const session = {
    close,
    /** @param {string} name @param {...(string | number | Buffer)} args @returns {Promise<any>} texts as Buffers */
    command: (name, ...args) => answer(client.callBuffer(name, ...args)),
    /**
     * @param {string} script
     * @param {string[]} keys
     * @param {Array<string | number | Buffer>} [args]
     * @returns {Promise<any>} a list, its word first; texts have a character for each byte
     */
    run: async (script, keys, args = []) =>
      bytewise(await answer(client.callBuffer('EVAL', script, keys.length, ...keys, ...args))),
  }
  try {
    await answer(client.connect())
    if (password !== undefined) {
      const credentials = user === undefined ? [password] : [user, password]
      // A server without passwords says ERR.
      await answer(client.call('AUTH', ...credentials), word => (word === 'ERR' ? 'WRONGPASS' : word))
    }
    await answer(client.call('SELECT', db), word => (word === 'ERR' ? 'NODB' : word))
    return session
  } catch (error) {
    close()
    throw error
  }
}

/** @param {unknown} answer @returns {any} */
function bytewise(answer) {
  if (Array.isArray(answer)) return answer.map(bytewise)
  return Buffer.isBuffer(answer) ? answer.toString('latin1') : answer
}

/**
 * A connection for one use.
 *
 * @template T
 * @param {RedisTarget} target
 * @param {{ limitMs: number, signal?: AbortSignal }} how limitMs: how long each answer may take
 * @param {(session: Session) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws an error with the code ETIMEDOUT if an answer is late; the signal's reason
 */
async function withSession(target, { limitMs, signal }, use) {
  let late = false
  let close = () => {}
  const end = () => close()
  signal?.throwIfAborted()
  signal?.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => {
    late = true
    close()
  }, limitMs)
  /** @param {() => void} by */
  const onClient = by => {
    close = by
  }
  try {
    return await use(await openSession(target, { onClient, onAnswer: () => timer.refresh() }))
  } catch (error) {
    throw late ? Object.assign(new Error('Redis did not answer in time'), { code: 'ETIMEDOUT' }) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    close()
  }
}

/**
 * The words of refusals, and their statuses: the first word of an error of Redis, which is its code, and words of our scripts and
 * sessions. https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors Pure.
 */

/** @type {Array<[status: number, ...words: string[]]>} */
const STATUSES = [
  [400, 'LENGTH'],
  [401, 'NOAUTH', 'WRONGPASS'],
  [403, 'NOPERM'],
  [404, 'GONE', 'NODB', 'NONE'],
  [409, 'WRONGTYPE', 'MOVED', 'READONLY'],
  [412, 'CHANGED', 'EXISTS'],
  [416, 'RANGE'],
  [503, 'BUSY', 'CLUSTERDOWN', 'LOADING', 'MASTERDOWN', 'TRYAGAIN'],
  [507, 'OOM'],
]

/** @param {string} word */
function statusOf(word) {
  return STATUSES.find(([, ...words]) => words.includes(word))?.[0] ?? 400
}

/** @param {unknown} error @returns {string | undefined} the word of a refusal; undefined: the connection broke */
function wordOf(error) {
  return /** @type {{ word?: string }} */ (Object(error)).word
}

/** @param {string} word */
const refusal = word => Object.assign(new Error(`Redis answered ${word}`), { word })

/** What an entry of an answer may be. */
const KINDS = {
  count: (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0,
  integer: Number.isSafeInteger,
  /** As TAG makes it. */
  etag: (/** @type {unknown} */ value) => typeof value === 'string' && /^"(?:sampled-)?[\da-f]{40}"$/.test(value),
  /** Names and values. */
  pairs: (/** @type {unknown} */ value) =>
    Array.isArray(value) && value.length % 2 === 0 && value.every(text => typeof text === 'string'),
}

/**
 * @param {unknown} answer of a script
 * @param {...keyof typeof KINDS} kinds of what follows its word, each of its own, or `pairs` alone for all of it
 * @returns {any[]} what follows its word
 * @throws a refusal, unless that is OK
 */
function checked(answer, ...kinds) {
  const [word, ...rest] = Array.isArray(answer) ? answer : []
  if (typeof word !== 'string' || !/^[A-Z]{2,32}$/.test(word)) throw refusal(ODD)
  if (word !== 'OK') throw refusal(word)
  const entries = kinds[0] === 'pairs' ? [rest] : rest
  if (entries.length < kinds.length || !kinds.every((kind, i) => KINDS[kind](entries[i]))) throw refusal(ODD)
  return rest
}

/**
 * Scripts for EVAL: each is one step that no other client comes between. Each answers a list whose first entry is a word: OK, or
 * why not. The ETag is the SHA-1 of the value, in quotes, whichever program wrote it; Redis has no versions. The server does
 * nothing else meanwhile, so of a value above 1 MiB it is that of 256 samples and of the size.
 * https://redis.io/docs/latest/develop/programmability/eval-intro/
 */

const TAG = `local function tag(key)
  local size = redis.call('STRLEN', key)
  if size <= 1048576 then return '"' .. redis.sha1hex(redis.call('GET', key)) .. '"' end
  local samples = { size }
  for i = 0, 255 do
    local at = math.floor(i * (size - 4096) / 255)
    samples[#samples + 1] = redis.call('GETRANGE', key, at, at + 4095)
  end
  return '"sampled-' .. redis.sha1hex(table.concat(samples)) .. '"'
end
local function kind(key) return redis.call('TYPE', key).ok end
`

/** KEYS: key, metadata. Answers OK, size, ETag, milliseconds to live (negative: for ever), names and values; NONE, WRONGTYPE. */
const LOOK = `${TAG}
local is = kind(KEYS[1])
if is == 'none' then return {'NONE'} end
if is ~= 'string' then return {'WRONGTYPE'} end
local described = KEYS[2] and kind(KEYS[2]) == 'hash' and redis.call('HGETALL', KEYS[2]) or {}
return {'OK', redis.call('STRLEN', KEYS[1]), tag(KEYS[1]), redis.call('PTTL', KEYS[1]), described}`

/** KEYS: partial. ARGV: milliseconds to live. It lapses by itself if nobody goes on. */
const BEGIN = `redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return {'OK'}`

/** KEYS: partial. ARGV: offset, bytes, milliseconds to live. Answers GONE if it has lapsed. */
const WRITE = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
redis.call('SETRANGE', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {'OK'}`

/** Notes a part of a partial. KEYS: partial, parts. ARGV: its number, size, milliseconds to live. Answers GONE if it has lapsed. */
const NOTE = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return {'OK'}`

/** KEYS: partial, parts. Answers OK, then numbers and sizes; GONE. */
const PARTS = `if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
return {'OK', unpack(redis.call('HGETALL', KEYS[2]))}`

/**
 * Gives a partial its key. KEYS: partial, key, metadata, uploads, parts. ARGV: condition ('' for none, '*' for no key, or an ETag),
 * milliseconds to live (0: for ever), size, id of the upload, then names and values. Answers OK and the ETag; GONE, LENGTH,
 * WRONGTYPE, EXISTS, CHANGED.
 */
const COMMIT = `${TAG}
if redis.call('EXISTS', KEYS[1]) == 0 then return {'GONE'} end
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[3]) then return {'LENGTH'} end
local is = kind(KEYS[2])
if is ~= 'none' and is ~= 'string' then return {'WRONGTYPE'} end
local about = kind(KEYS[3])
if about ~= 'none' and about ~= 'hash' then return {'WRONGTYPE'} end
if ARGV[1] == '*' and is ~= 'none' then return {'EXISTS'} end
if ARGV[1] ~= '' and ARGV[1] ~= '*' and (is == 'none' or tag(KEYS[2]) ~= ARGV[1]) then return {'CHANGED'} end
local etag = tag(KEYS[1])
redis.call('RENAME', KEYS[1], KEYS[2])
redis.call('PERSIST', KEYS[2])
redis.call('DEL', KEYS[3])
redis.call('HSET', KEYS[3], 'etag', etag)
for at = 5, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
redis.call('HDEL', KEYS[4], ARGV[4])
redis.call('DEL', KEYS[5])
if ARGV[2] ~= '0' then
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[2])
end
return {'OK', etag}`

/** KEYS: key, metadata. ARGV: its ETag, or '' for any. Answers OK, also for no key; CHANGED, WRONGTYPE. */
const REMOVE = `${TAG}
local is = kind(KEYS[1])
if is ~= 'none' and is ~= 'string' then return {'WRONGTYPE'} end
if ARGV[1] ~= '' and (is == 'none' or tag(KEYS[1]) ~= ARGV[1]) then return {'CHANGED'} end
redis.call('DEL', KEYS[1])
if kind(KEYS[2]) == 'hash' then redis.call('DEL', KEYS[2]) end
return {'OK'}`

/** KEYS: uploads. ARGV: what comes before their ids in the keys of their partials. Answers OK, then ids and when they began. */
const UPLOADS = `local found = {'OK'}
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if redis.call('EXISTS', ARGV[1] .. all[at]) == 1 then
    found[#found + 1] = all[at]
    found[#found + 1] = all[at + 1]
  end
end
return found`

const scripts = { BEGIN, COMMIT, LOOK, NOTE, PARTS, REMOVE, UPLOADS, WRITE }

module.exports = { checked, openSession, scripts, statusOf, withSession, wordOf }
