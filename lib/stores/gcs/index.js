'use strict'

/**
 * The factory of the store `gs://`: Google Cloud Storage, by its XML API and HMAC keys. It is the S3 store in Google's dialect
 * (dialect.js), with places, settings and words of its own.
 */

const { base, s3 } = require('../s3')

/** Options of S3 that mean the same here. */
const SHARED = [
  ...['profile', 'endpointUrl', 'noSignRequest', 'credentials', 'ownCredentials', 'versionId'],
  ...['sseCKeyFile', 'sseC', 'mtime'],
]

/** @type {import('../contract').StoreFactory<import('../../types').SideSettings>} */
const gcs = {
  schemes: ['gs'],
  example: 'gs://bucket/key',
  forms: 'gs://bucket/key or gs://profile@bucket/key',
  configured: 'gs:// by an HMAC key (GS_ACCESS_KEY_ID and GS_SECRET_ACCESS_KEY, or a profile)',
  options: s3.options.filter(({ name }) => SHARED.includes(name)),
  terms: side => require('./settings').termsOf(side),
  place: () => require('./settings'),
  settings: async (place, side, given, env) =>
    await require('./settings').resolveSide(side, given, place.options?.profile, env),
  profiles: s3.profiles,
  ownsEndpoint: endpoint => /^https?:\/\/(?:[\w-]+\.)*storage\.googleapis\.com(?:[:/]|$)/i.test(endpoint),
  dialects: { google: () => require('./dialect').google },
  open({ container }, settings, how) {
    const { google } = require('./dialect')
    const { keyFault, termsOf } = require('./settings')
    const own = { scheme: 'gs', dialect: google, termsOf, keyFault }
    return base.store().createS3Store({ bucket: container, settings, ...how, ...own })
  },
}

module.exports = { gcs }
