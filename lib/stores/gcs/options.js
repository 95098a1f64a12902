'use strict'

/** The options of Google Cloud Storage: some of S3's rows, and its own. The help loads this file: it requires little. */

const { s3 } = require('../s3')

/** Those of S3 that mean the same here. */
const SHARED = [
  ...['profile', 'endpointUrl', 'addressing', 'noSignRequest', 'credentials', 'ownCredentials', 'versionId'],
  ...['sseCKeyFile', 'sseC', 'mtime'],
]

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  ...s3.options.filter(({ name }) => SHARED.includes(name)),
  {
    name: 'userProject',
    value: 'project',
    help: 'project that pays for requests to the {side} (gs://, requester pays)',
    group: 'places',
    sides: ['source', 'destination'],
    kept: true,
  },
]

/** How a place is written. */
const FORMS = 'gs://bucket/key or gs://profile@bucket/key'

module.exports = { FORMS, options }
