'use strict'

/**
 * The factory of the store `gs://`: Google Cloud Storage, by its XML API and HMAC keys. It is the S3 store in Google's dialect
 * (lib/stores/s3/google), with places, settings and words of its own.
 */

const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('../../types').SideSettings>} */
const gcs = {
  schemes: ['gs'],
  example: 'gs://bucket/key',
  forms: FORMS,
  configured: 'gs:// by an HMAC key (GS_ACCESS_KEY_ID and GS_SECRET_ACCESS_KEY, or a profile)',
  options,
  terms: side => require('./settings').termsOf(side),
  parse: (text, side) => require('./place').parse(text, side),
  parseAccount: text => require('../s3').base.place.parseAccount(text, 'gs'),
  keyFault: key => require('./place').keyFault(key),
  identify: (place, settings) => require('../s3').base.place.identify(place, settings),
  settings: async (place, side, given, env) =>
    await require('./settings').resolveSide(side, given, place.options?.profile, env),
  open({ container }, settings, { location, now }) {
    const { createS3Store, google } = require('../s3').base
    const { termsOf } = require('./settings')
    return createS3Store({ bucket: container, settings, location, now, scheme: 'gs', dialect: google, termsOf })
  },
}

module.exports = { gcs }
