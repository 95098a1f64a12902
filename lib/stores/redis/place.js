'use strict'

/**
 * Places of Redis, what is read for them from the environment, and its words: its rows of the table of errors, its terms in the other
 * rows, and what its refusals mean. A place has the user, and never a password. User and key are taken as they stand: nothing in
 * them is percent-decoded. https://www.iana.org/assignments/uri-schemes/prov/redis
 */

const { EXIT, withRows } = require('../../errors')
const { isLoopback, optionalCaBundle } = require('../../http')
const { statusOf, wordOf } = require('../../redis')
const { connectionError, meaningIn, usage } = require('../common')

/** @typedef {import('../../redis').RedisTarget} RedisTarget */
/** target: with the password, so behind a function, which is never printed. @typedef {import('../contract').StoreSettings & { target: () => Omit<RedisTarget, 'ca'> }} RedisSettings */

const PLACE = /^(rediss?):\/\/(?:([^/]*)@)?([^/@]*)(?:\/(?:(\d{1,9})(?:\/(.*))?)?)?$/is
const USUAL_PORT = 6379

/**
 * @param {string} text
 * @param {Parameters<import('../contract').Places['parse']>[1]} how
 * @returns {import('../contract').Place}
 * @throws {XferError} BAD_LOCATION, which never has the user info
 */
function parse(text, { side, refuse }) {
  const [, scheme = '', user, authority = '', db, key = ''] = PLACE.exec(text) ?? []
  /** @param {string} reason */
  const bad = reason => refuse(reason, text.includes('@') ? text.replace(/^(\w+:\/\/).*$/s, '$1…') : undefined)
  if (user?.includes(':')) throw bad(`a password in it would be seen by others; give it in ${variableOf(side)}`)
  if (scheme === '' || db === undefined) throw bad('it has no number of a database before the key, such as /0/')
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined
  if (authority === '' || !url || url.pathname !== '/' || url.search || url.hash) throw bad('it names no host')
  // The usual port of http is none of Redis.
  const port = /:(\d+)$/.exec(authority)?.[1] ?? USUAL_PORT
  const container = `${url.hostname}:${port}/${Number(db)}`
  return { scheme: scheme.toLowerCase(), container, key, ...(user && { typed: `${user}@${container}` }) }
}

/** @param {string} key @returns {string | undefined} */
function keyFault(key) {
  return key.isWellFormed() ? undefined : 'is no valid Unicode'
}

/** @param {Pick<import('../contract').Place, 'scheme' | 'container'>} place */
function urlOf({ scheme, container }) {
  return new URL(`${scheme}://${container}`)
}

/** @param {import('../contract').Place} place @returns {import('../contract').Identity} */
function identify(place) {
  const { hostname, host, port } = urlOf(place)
  const server = isLoopback(hostname) ? `loopback:${port}` : host
  return { host: `redis://${server}`, server, name: `${place.scheme}://${host}` }
}

/**
 * @param {import('../contract').Place} place
 * @param {'source' | 'destination'} side
 * @param {import('../../types').SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<RedisSettings>}
 * @throws {XferError} USAGE, NO_CREDENTIALS
 */
async function resolveSide(place, side, options, env) {
  if (options.proxy !== undefined) {
    throw usage(`The ${side} is ${place.scheme}://, which is reached through no proxy.`, 'Leave the proxy out.')
  }
  const { hostname, port, pathname } = urlOf(place)
  const [, user] = /^(.*)@/.exec(place.typed ?? '') ?? []
  const password = env[variableOf(side)] || undefined
  if (user !== undefined && password === undefined) {
    throw new XferError('NO_CREDENTIALS', { side, terms: termsOf(side) })
  }
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), secure: place.scheme === 'rediss' }
  const target = { ...at, db: Number(pathname.slice(1)), user, password }
  return { side, target: () => target, ca: await optionalCaBundle(options.caBundle, env), keep: {} }
}

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  REDIS_REFUSED: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} refused the command (${f.storeCode}${f.reason ? `: ${f.reason}` : ''}).`,
    hint: f => `Look at the key, and at the server ${f.endpoint}, then repeat the command.`,
  },
  REDIS_BUSY: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} cannot answer now (${f.storeCode}).`,
    hint: () => 'Repeat the command later.',
    retryable: true,
    shared: true,
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

/** What has the password. @param {'source' | 'destination'} side */
function variableOf(side) {
  return side === 'source' ? 'XFER_SOURCE_REDIS_PASSWORD' : 'XFER_DEST_REDIS_PASSWORD'
}

/** @param {'source' | 'destination'} side @returns {import('../contract').StoreTerms} */
function termsOf(side) {
  return {
    container: 'database',
    part: 'range',
    endpoint: 'the address',
    endpointInUse: 'the address',
    address: 'the address',
    credentials: `the user in the address, the password in ${variableOf(side)}`,
    credentialsAdvice: `Set ${variableOf(side)}.`,
    accessAdvice: 'The user needs the commands and keys that docs/guides/redis.md lists.',
  }
}

/** The words of refusals, by what they mean. @type {Record<string, readonly string[]>} */
const CODES = {
  ACCESS_DENIED: ['NOPERM'],
  BAD_ANSWER: ['BADREPLY'],
  CREDENTIALS_REFUSED: ['NOAUTH', 'WRONGPASS'],
  DESTINATION_EXISTS: ['CHANGED', 'EXISTS'],
  NO_SUCH_BUCKET: ['NODB'],
  NO_SUCH_KEY: ['NONE'],
  UPLOAD_GONE: ['GONE'],
}
/** Codes of a failed read that mean that the source has changed. */
const CHANGES = { SOURCE_CHANGED: ['CHANGED', 'RANGE'] }

/** @type {Record<string, string>} */
const REASONS = {
  BADREPLY: 'an answer is none that Redis gives, or is too large',
  LENGTH: 'what was written has another size',
  MISCONF: 'it cannot save its data, so it takes no more',
  MOVED: 'it is a cluster, and xfer speaks to single servers',
  OOM: 'its memory is full',
  READONLY: 'it is a replica, which nobody writes to',
  WRONGTYPE: 'the key is a list, a hash or another kind of value, and no string',
}

/**
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 */
function explainAnswer({ of, status, storeCode = '', body: _, checksum: __, ...said }, facts) {
  const other = status === 503 ? 'REDIS_BUSY' : 'REDIS_REFUSED'
  const code = meaningIn(storeCode, of === 'read' ? CHANGES : {}, CODES) ?? other
  const reason = REASONS[storeCode]
  return new XferError(code, {
    ...facts,
    ...said,
    status,
    storeCode,
    ...(reason && { reason }),
    ...(storeCode === 'LENGTH' && { partsDiffer: true }),
    ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }),
  })
}

/**
 * @param {unknown} cause of a call of this process
 * @param {{ of: 'read' | 'write', key?: string, completes?: true }} what
 * @param {Record<string, any>} facts of the store
 * @param {AbortSignal} [signal]
 */
function explainCall(cause, { of, ...said }, facts, signal) {
  const word = wordOf(cause)
  if (word === undefined) return connectionError(cause, { ...facts, ...said }, signal)
  return explainAnswer({ of, status: statusOf(word), storeCode: word, ...said }, facts)
}

module.exports = { ROWS, explainAnswer, explainCall, identify, keyFault, parse, resolveSide, termsOf, urlOf }
