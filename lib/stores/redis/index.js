'use strict'

/** The factory of the store `redis://`. What the help and usage errors do not need is loaded when it is used. */

const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('./place').RedisSettings>} */
const redis = {
  schemes: ['redis', 'rediss'],
  single: true,
  lapses: true,
  example: 'redis://host/0/key',
  forms: FORMS,
  configured: 'redis:// by XFER_SOURCE_REDIS_PASSWORD and XFER_DEST_REDIS_PASSWORD',
  options,
  get errors() {
    return require('./words').ROWS
  },
  terms: side => require('./words').termsOf(side),
  parse: (text, side) => require('./place').parse(text, side),
  keyFault: key => require('./place').keyFault(key),
  identify: place => require('./place').identify(place),
  settings: async (place, side, given, env) => await require('./place').resolveSide(place, side, given, env),
  readAttributes: (_, read) => ({ ttlMs: read('ttl') }),
  checks: (place, how) => require('./checks').checksOf(place, how),
  open: (place, settings, how) => require('./store').openRedisStore({ place, settings, ...how }),
}

module.exports = redis
