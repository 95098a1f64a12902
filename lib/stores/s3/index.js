'use strict'

/** The factory of the store `s3://`. What the help and usage errors do not need is loaded when it is used. */

const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('../../types').SideSettings>} */
const s3 = {
  schemes: ['s3'],
  example: 's3://bucket/key',
  forms: FORMS,
  options,
  get errors() {
    return require('./words').ROWS
  },
  terms: side => require('./words').termsOf(side),
  parse: (text, side) => require('./place').parse(text, side),
  keyFault: key => require('./place').keyFault(key),
  identify: (place, settings) => require('./place').identify(place, settings),
  async settings(place, side, given, env) {
    return await require('./settings').resolveSide(side, given, place.options?.profile, env)
  },
  encryptions: ['AES256', 'aws:kms', 'aws:kms:dsse'],
  readAttributes: (given, read) => require('./encryption').readEncryption(given, read),
  checkAttributes(settings, attributes) {
    require('./encryption').checkEncryption(settings, attributes)
  },
  open({ container }, settings, { location, now }) {
    return require('./store').createS3Store({ bucket: container, settings, location, now })
  },
}

module.exports = s3
