'use strict'

/** The factory of the store `redis://`. What the help and usage errors do not need is loaded when it is used. */

/** @type {import('../contract').StoreFactory<import('./place').RedisSettings>} */
const redis = {
  schemes: ['redis', 'rediss'],
  single: true,
  lapses: true,
  example: 'redis://host/0/key',
  forms: 'redis://host:port/database/key or redis://user@host:port/database/key',
  configured: 'redis:// by XFER_SOURCE_REDIS_PASSWORD and XFER_DEST_REDIS_PASSWORD',
  options: [
    {
      name: 'ttl',
      group: 'attributes',
      commands: ['copy'],
      kept: true,
      takes: { as: '<time>', kind: 'duration' },
      help: 'the copy ends by itself after this time, such as 90s or 7d (redis://)',
      helpFor: { library: "the copy ends by itself after this time, such as '90s' or '7d' (redis://)" },
    },
  ],
  get errors() {
    return require('./place').ROWS
  },
  terms: side => require('./place').termsOf(side),
  place: () => require('./place'),
  settings: async (place, side, given, env) => await require('./place').resolveSide(place, side, given, env),
  readAttributes: (_, read) => ({ ttlMs: read('ttl') }),
  checks: (place, how) => require('./store').checksOf(place, how),
  open: (place, settings, how) => require('./store').openRedisStore({ place, settings, ...how }),
}

module.exports = redis
