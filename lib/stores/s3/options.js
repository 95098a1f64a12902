'use strict'

/** The options of S3, for each side of a copy and for the objects written. The help loads this file: it requires little. */

const { BOTH, ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID } = require('../common')

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

const COPIES = /** @type {const} */ (['copy', 'sync'])

/** @type {OptionSpec[]} */
const OF_SIDE = [
  { name: 'profile', value: 'name', help: 'AWS profile of the {side}', group: 'places', sides: BOTH, kept: true },
  ENDPOINT_URL,
  { name: 'region', value: 'region', help: 'region of the {side}', group: 'places', sides: BOTH, kept: true },
  NO_SIGN_REQUEST,
  {
    name: 'requestPayer',
    flag: '--request-payer',
    help: 'pay for reading from a requester-pays bucket',
    group: 'places',
    sides: ['source'],
    kept: true,
  },
  {
    name: 'credentials',
    flag: false,
    shape: 'StoreCredentials | StoreCredentialsProvider',
    help: 'access keys of the {side}, or a function that returns them and is called again before they expire; never journalled',
    group: 'places',
    sides: BOTH,
  },
  {
    // The journal never contains the credentials themselves.
    name: 'ownCredentials',
    flag: false,
    help: 'the job began with credentials of the {side} from its program: they must be given again',
    group: 'places',
    sides: BOTH,
    kept: true,
    journalOnly: true,
    replacedBy: ['credentials', 'profile', 'noSignRequest'],
  },
  VERSION_ID,
  {
    name: 'sseCKeyFile',
    value: 'file',
    type: 'file',
    help: 'file with the customer key (SSE-C) of the {side}: 32 bytes, or their base64',
    group: 'places',
    sides: BOTH,
    commands: ['copy', 'sync', 'resume', 'verify', 'doctor'],
  },
  {
    // The journal never contains the key itself.
    name: 'sseC',
    flag: false,
    help: 'the job began with a customer key (SSE-C) of the {side}: it must be given again',
    group: 'places',
    sides: BOTH,
    kept: true,
    journalOnly: true,
    fixed: true,
  },
]

/** @type {OptionSpec[]} */
const OF_OBJECT = [
  {
    name: 'sse',
    value: 'kind',
    type: 'choice',
    choices: ['AES256', 'aws:kms', 'aws:kms:dsse'],
    defaultText: "the bucket's own setting",
    help: 'encrypt the copy with AES256, aws:kms or aws:kms:dsse',
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'sseKmsKeyId',
    value: 'id',
    defaultText: "the store's own key",
    help: 'key for --sse aws:kms and aws:kms:dsse',
    libraryHelp: 'key for the encryption (sse) with aws:kms and aws:kms:dsse',
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'mtime',
    help: 'keep the modification time in the user metadata mtime, as rclone does',
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
]

/** How a place is written. */
const FORMS = 's3://bucket/key or s3://profile@bucket/key'

module.exports = { FORMS, options: [...OF_SIDE, ...OF_OBJECT] }
