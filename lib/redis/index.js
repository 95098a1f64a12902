'use strict'

/** Redis, as its store and the transport of the embedded engine use it: connections, and scripts that do one thing in one step. */

/**
 * One connection to Redis. It is never opened again by itself, and repeats nothing: who uses it knows what may be repeated. Errors
 * have either `word`, the code of a refusal, or `code`, why the connection broke. They never have what was sent.
 */

/**
 * @typedef {{ host: string, port: number, secure: boolean, db: number, user?: string, password?: string, ca?: string }} Target
 * @typedef {Awaited<ReturnType<typeof openSession>>} Session
 */

const CONNECT_MS = 10_000

/**
 * @param {Target} target
 * @param {{ onClient?: (close: () => void) => void, onAnswer?: () => void }} [how] onClient: gets what ends the connection, also
 *   while it is opened; onAnswer: called with each answer
 */
async function openSession({ host, port, secure, db, user, password, ca }, { onClient, onAnswer } = {}) {
  // It takes a while to load.
  const { Redis } = require('ioredis')
  const client = new Redis({
    ...{ host, port, connectTimeout: CONNECT_MS, lazyConnect: true, protocol: 2 },
    ...{ enableReadyCheck: false, disableClientInfo: true, maxRetriesPerRequest: 0, retryStrategy: () => null },
    // A name is checked against the certificate; an address has no name to ask for.
    ...(secure && { tls: { ...(ca !== undefined && { ca }), servername: /^[\d.]+$|:/.test(host) ? '' : host } }),
  })
  /** @type {unknown} */
  let broken
  client.on('error', error => {
    broken ??= error
  })
  const close = () => client.disconnect()
  onClient?.(close)

  /** @param {Promise<any>} asked @param {(word: string) => string} [named] what a refusal means here */
  async function answer(asked, named = word => word) {
    try {
      const found = await asked
      onAnswer?.()
      return found
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error)
      // Its text and its fields may have what was sent.
      if (name === 'ReplyError') {
        const word = named(/^[A-Z]{3,}/.exec(message)?.[0] ?? 'ERR')
        throw Object.assign(new Error(`Redis answered ${word}`), { word })
      }
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
     * @returns {Promise<any[]>} its word first
     */
    run: (script, keys, args = []) => answer(client.eval(script, keys.length, ...keys, ...args)),
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

/**
 * A connection for one use.
 *
 * @template T
 * @param {Target} target
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

/**
 * @param {any[]} answer of a script
 * @returns {any[]} what follows its word
 * @throws a refusal, unless that is OK
 */
function checked([word, ...rest]) {
  if (word === 'OK') return rest
  throw Object.assign(new Error(`Redis answered ${word}`), { word })
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
