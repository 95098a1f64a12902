'use strict'

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

module.exports = { openSession, withSession, checked, statusOf, wordOf }
