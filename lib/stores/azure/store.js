'use strict'

/**
 * The store `az://`: Azure Blob Storage. Control calls are made by control.js. Data requests are built by requests.js, signed
 * by signing.js, and sent by a function. https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 */

const { isLoopback } = require('../../http')
const { CONTENT_HEADERS, mtime } = require('../common')
const { describingHeaders, metadataFault, readDescription, readWritten } = require('./attributes')
const { createHead, createRemoval, createTags } = require('./blobs')
const { createControl } = require('./control')
const { explainAnswer } = require('./explain')
const { createLending, createPull } = require('./lending')
const { createContainers, createList } = require('./list')
const { createRights } = require('./rights')
const { createRequests } = require('./requests')
const { createSigner } = require('./signing')
const { createDelegation } = require('./sas')
const { describeCredentials, secretOf } = require('./settings')
const { createUploads } = require('./uploads')

/** @typedef {import('../../types').Store} Store */

/** https://learn.microsoft.com/azure/storage/blobs/scalability-targets @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: 4000 * 1024 ** 2, maxParts: 50_000, equalParts: false }

/**
 * @param {{ place: Pick<import('./types').AzurePlace, 'container'>, settings: import('./types').AzureSettings, location?: string, now?: () => number }} where
 *   location: the place, for messages; now: epoch milliseconds
 * @returns {Store}
 */
function openAzureStore({ place: { container }, settings, location, now = Date.now }) {
  const { credentials } = settings
  const secret = secretOf(settings)
  const control = createControl({ settings, container, location, now })
  const delegation = createDelegation({ settings, control })
  const signer = createSigner({ settings, container, now: control.now, delegation })
  const { read, put, part, signsAnew } = createRequests({ control, signer, settings })
  const list = createList(control)
  const containers = createContainers(control)

  return {
    scheme: 'az',
    facts: control.facts,
    endpoint: settings.endpoint,
    origin: new URL(settings.endpoint).origin,
    ...(settings.ca !== undefined && { ca: settings.ca }),
    can: {
      reach: isLoopback(new URL(settings.endpoint).hostname) ? 'local' : 'network',
      ...(secret && { secret }),
      listsUploadsByPrefix: true,
      sumAt: 'answer',
      partTag: 'opaque',
      // The MD5 of a blob written in blocks is only what its writer said.
      sums: { stored: [], checked: [], answered: ['crc64nvme'], byWriter: ['md5'] },
      classes: 'Azure',
      // What a blob cannot have is known: attributes.js.
      keepsMetadata: true,
    },
    limits: LIMITS,
    // https://rclone.org/azureblob/#modification-times-and-hashes
    mtime: mtime.MTIME_IN_RFC_3339,
    contentHeaders: CONTENT_HEADERS,
    metadataFault,
    now: control.now,

    async authenticate() {
      if (credentials.kind === 'token') await credentials.get()
      return credentials.kind !== 'anonymous'
    },
    credentials: () => describeCredentials(settings),
    rights: createRights(control),
    signsAnew,

    async ping({ signal } = {}) {
      if (container === '') await containers.containers({}, { signal })
      else await list({ prefix: '', most: 1 }, { signal })
    },

    head: createHead(control),
    tags: createTags(control),
    // https://learn.microsoft.com/azure/storage/blobs/archive-rehydrate-overview
    archives: tier => tier === 'Archive',
    // The service checks the condition with the write, always.
    heeds: () => true,

    ...{ read, put },
    ...createLending({ settings, container, now: control.now, signer, delegation }),
    ...containers,
    pull: createPull(control),
    upload: { part, ...createUploads({ control }) },
    list,
    ...createRemoval(control),

    readDescription,
    readWritten,
    describingHeaders,
    explain: answer => explainAnswer(answer, control.facts, control.expired()),
    close: control.close,
  }
}

module.exports = { openAzureStore }
