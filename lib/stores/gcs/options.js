'use strict'

/** The options of Google Cloud Storage: some of S3's rows. The help loads this file: it requires little. */

const { s3 } = require('../s3')

/** Those of S3 that mean the same here. */
const SHARED = [
  ...['profile', 'endpointUrl', 'noSignRequest', 'credentials', 'ownCredentials', 'versionId'],
  ...['sseCKeyFile', 'sseC', 'mtime'],
]

const options = s3.options.filter(({ name }) => SHARED.includes(name))

/** How a place is written. */
const FORMS = 'gs://bucket/key or gs://profile@bucket/key'

module.exports = { FORMS, options }
