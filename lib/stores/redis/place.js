'use strict'

/**
 * Places of Redis, and what is read for them from the environment. A place has the user, and never a password. User and key are
 * taken as they stand: nothing in them is percent-decoded. https://www.iana.org/assignments/uri-schemes/prov/redis
 */

const { XferError } = require('../../errors')
const { isLoopback, optionalCaBundle } = require('../../http')
const { usage } = require('../common')
const { termsOf, variableOf } = require('./words')

/** @typedef {import('../../redis').Target} Target */
/** target: with the password, so behind a function, which is never printed. @typedef {import('../contract').StoreSettings & { target: () => Omit<Target, 'ca'> }} RedisSettings */

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

module.exports = { identify, keyFault, parse, resolveSide, urlOf }
