'use strict'

/**
 * The store `s3://`: Amazon S3 and compatible stores. Control calls go through the SDK (control.js). Data requests are built
 * by requests.js, signed by signer.js, and sent by a function. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { partLimits } = require('./limits')
const { headersOf, readDescription, readWritten } = require('./attributes')
const { abilities } = require('./abilities')
const { createChecksumAsking } = require('./checksum-asking')
const { isAws } = require('./conditions')
const { createControl } = require('./control')
const { explainAnswer } = require('./explain')
const { createCopies } = require('./copies')
const { credentialsOf } = require('./identity')
const { listInput, readList } = require('./list')
const { createObjectQuestions } = require('./object')
const { createRemoval } = require('./removal')
const { createRequests } = require('./requests')
const { createConditionTest, createUploads } = require('./uploads')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').SideSettings} SideSettings */

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html#sc-glacier */
const ARCHIVES = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/**
 * @param {{ bucket: string, settings: SideSettings, location?: string, now?: () => number }} where location: the place, for
 *   messages; now: epoch milliseconds
 * @returns {Store}
 */
function createS3Store({ bucket, settings, location, now = Date.now }) {
  const control = createControl({ settings, bucket, location, now })
  const host = settings.endpoint === undefined ? 'amazonaws.com' : new URL(settings.endpoint).hostname
  const encoded = isAws(host)
  const withChecksums = createChecksumAsking()
  const inBucket = { name: bucket, seen: false }
  const { read, put, part, renew, signsAnew } = createRequests({ control, settings, encoded })

  return {
    scheme: 's3',
    facts: control.facts,
    endpoint: settings.endpoint ?? 'AWS',
    origin: settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`,
    ca: settings.ca,
    can: abilities({
      host,
      keyed: settings.customerKey !== undefined,
      listsUploadsByPrefix: settings.endpoint === undefined,
      server: control.server,
    }),
    limits: partLimits(host),
    now: control.now,

    async authenticate() {
      return (await credentialsOf(settings)) !== null
    },
    ...{ renew, signsAnew },

    /**
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html, or a list of one key if only HeadBucket fails.
     */
    async ping({ signal } = {}) {
      try {
        await control.call('HeadBucket', {}, signal)
      } catch (error) {
        const { shared, facts } = /** @type {import('../../types').XferError} */ (error)
        if (!shared || facts.status === undefined) throw error
        await control.call('ListObjectsV2', listInput({ prefix: '', most: 1 }), signal)
      }
    },

    ...createObjectQuestions({ control, settings, withChecksums, bucket: inBucket }),
    archives: storageClass => ARCHIVES.has(storageClass ?? ''),
    heeds: createConditionTest(control, host),

    ...{ read, put },
    upload: { part, ...createUploads({ control, withChecksums, bucket: inBucket, encoded }) },
    serverCopy: createCopies({ control, withChecksums, bucket, settings, host }),

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    async list(list, { signal } = {}) {
      const { $values } = await control.call('ListObjectsV2', listInput(list), signal)
      return readList($values, { bucket, ...list }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
    async remove({ key, etag, versionId }, { signal } = {}) {
      await control.call('DeleteObject', { Key: key, IfMatch: etag, VersionId: versionId }, signal)
    },

    removeAll: createRemoval(control),

    readDescription,
    readWritten: headers => readWritten(headers, settings.customerKey !== undefined),
    describingHeaders: headersOf,
    explain: answer => explainAnswer(answer, control.facts),
    close: control.close,
  }
}

module.exports = { createS3Store }
