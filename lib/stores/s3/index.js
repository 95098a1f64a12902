'use strict'

/** The factory of the store `s3://`, and its options, for each side of a copy and for the objects written. What the help and usage errors do not need is loaded when it is used. */

const { ENDPOINT_URL, NO_SIGN_REQUEST, OF_SIDES, OF_SOURCE, VERSION_ID } = require('../common')

/** @typedef {import('../../options/contract').OptionRow} OptionRow */

/** Of the objects that a copy writes. */
const OF_COPIES = /** @type {const} */ ({ group: 'attributes', commands: ['copy', 'sync'], kept: true })

/** @type {OptionRow[]} */
const OF_SIDE = [
  { name: 'profile', takes: '<name>', help: 'AWS profile of the {side}', ...OF_SIDES, kept: true },
  ENDPOINT_URL,
  { name: 'region', takes: '<region>', help: 'region of the {side}', ...OF_SIDES, kept: true },
  NO_SIGN_REQUEST,
  {
    name: 'requestPayer',
    flag: '--request-payer',
    ...OF_SOURCE,
    kept: true,
    help: 'pay for reading from a requester-pays bucket',
  },
  {
    name: 'credentials',
    only: 'library',
    ...OF_SIDES,
    takes: { kind: 'text', type: 'StoreCredentials | StoreCredentialsProvider' },
    help: 'access keys of the {side}, or a function that returns them and is called again before they expire; never journalled',
  },
  {
    // The journal never contains the credentials themselves.
    name: 'ownCredentials',
    only: 'journal',
    ...OF_SIDES,
    help: 'the job began with credentials of the {side} from its program: they must be given again',
    kept: { replacedBy: ['credentials', 'profile', 'noSignRequest'] },
  },
  VERSION_ID,
  {
    name: 'sseCKeyFile',
    takes: '<file>',
    ...OF_SIDES,
    help: 'file with the customer key (SSE-C) of the {side}: 32 bytes, or their base64',
    commands: ['copy', 'sync', 'resume', 'verify', 'doctor'],
  },
  {
    // The journal never contains the key itself.
    name: 'sseC',
    only: 'journal',
    ...OF_SIDES,
    kept: { fixed: true },
    help: 'the job began with a customer key (SSE-C) of the {side}: it must be given again',
  },
]

/** @type {OptionRow[]} */
const OF_OBJECT = [
  {
    name: 'sse',
    default: { text: "the bucket's own setting" },
    ...OF_COPIES,
    takes: { as: '<kind>', choices: ['AES256', 'aws:kms', 'aws:kms:dsse'] },
    help: 'encrypt the copy with AES256, aws:kms or aws:kms:dsse',
  },
  {
    name: 'sseKmsKeyId',
    takes: '<id>',
    default: { text: "the store's own key" },
    ...OF_COPIES,
    help: 'key for --sse aws:kms and aws:kms:dsse',
    helpFor: { library: 'key for the encryption (sse) with aws:kms and aws:kms:dsse' },
  },
  { name: 'mtime', help: 'keep the modification time in the user metadata mtime, as rclone does', ...OF_COPIES },
]

/** @type {import('../contract').StoreFactory<import('../../types').SideSettings>} */
const s3 = {
  schemes: ['s3'],
  example: 's3://bucket/key',
  forms: 's3://bucket/key or s3://profile@bucket/key',
  configured: 's3:// as for the AWS CLI (~/.aws, AWS_*), rclone and mc',
  options: [...OF_SIDE, ...OF_OBJECT],
  terms: side => require('./place').termsOf(side),
  place: () => require('./place'),
  settings: async (place, side, given, env) =>
    await require('./settings').resolveSide(side, given, place.options?.profile, env),
  profiles: async env => Object.keys((await require('../../aws').everyProfile(env)).profiles),
  encryptions: ['AES256', 'aws:kms', 'aws:kms:dsse'],
  readAttributes: (given, read) => require('./answers').readEncryption(given, read),
  checkAttributes: (settings, attributes) => require('./answers').checkEncryption(settings, attributes),
  open: ({ container }, settings, how) => require('./store').createS3Store({ bucket: container, settings, ...how }),
}

/** What the stores are made of that speak S3 in a dialect of their own. Each is loaded when it is asked for. */
const base = {
  place: () => require('./place'),
  settings: () => require('./settings'),
  store: () => require('./store'),
}

module.exports = { base, s3 }
