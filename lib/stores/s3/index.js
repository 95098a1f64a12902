'use strict'

/** The factory of the store `s3://`. What the help and usage errors do not need is loaded when it is used. */

const { lazily } = require('../common')
const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('../../types').SideSettings>} */
const s3 = {
  schemes: ['s3'],
  example: 's3://bucket/key',
  forms: FORMS,
  configured: 's3:// as for the AWS CLI (~/.aws, AWS_*)',
  options,
  terms: side => require('./place').termsOf(side),
  parse: (text, side) => require('./place').parse(text, side),
  parseAccount: text => require('./place').parseAccount(text),
  keyFault: key => require('./place').keyFault(key),
  identify: (place, settings) => require('./place').identify(place, settings),
  settings: async (place, side, given, env) =>
    await require('./settings').resolveSide(side, given, place.options?.profile, env),
  encryptions: ['AES256', 'aws:kms', 'aws:kms:dsse'],
  readAttributes: (given, read) => require('./answers').readEncryption(given, read),
  checkAttributes: (settings, attributes) => require('./answers').checkEncryption(settings, attributes),
  open: ({ container }, settings, how) => require('./store').createS3Store({ bucket: container, settings, ...how }),
}

/**
 * @typedef {typeof import('./store') & { place: typeof import('./place') } & typeof import('./settings')} Base
 */

/** What the stores are made of that speak S3 in a dialect of their own. Each is loaded when it is asked for. */
const base = /** @type {Base} */ (
  lazily({}, [
    [() => require('./store'), ['createS3Store']],
    [() => ({ place: require('./place') }), ['place']],
    [() => require('./settings'), ['resolveSide']],
  ])
)

module.exports = { base, s3 }
