'use strict'

/**
 * The store `az://`: Azure Blob Storage, its control calls about one blob: properties, tags, deletion; its data requests,
 * which are signed by sign.js, and sent by a function; and URLs with which another store may read one blob for a quarter of an hour, or
 * anybody for as long as the user says: each carries a SAS, so it is a secret.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 */

const { randomBytes } = require('node:crypto')
const { XferError } = require('../../errors')
const { isLoopback } = require('../../http')
const {
  CONTENT_HEADERS,
  conditionHeaders,
  mtime,
  readCount,
  readTime,
  removeEach,
  sizeByRange,
  usage,
} = require('../common')
const { writeXml } = require('../xml')
const { READ, VERSION_ID, WRITE_BLOB, WRITE_BLOCK, describingHeaders, metadataFault } = require('./answers')
const { folderMark, readDescription, readWritten, writeHeaders } = require('./answers')
const { createControl } = require('./control')
const { explainAnswer } = require('./explain')
const { createContainers, createList } = require('./list')
const { createRights } = require('./rights')
const { keyFault } = require('./settings')
const { createPull, createUploads, digestOf, newBlockId, readUploadId } = require('./upload')

/** @typedef {import('../../types').Store} Store */

/** https://learn.microsoft.com/azure/storage/blobs/scalability-targets @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: 4000 * 1024 ** 2, maxParts: 50_000, equalParts: false }

/**
 * @param {{ place: Pick<import('./settings').AzurePlace, 'container'>, settings: import('./settings').AzureSettings, location?: string, now?: () => number }} where
 *   location: the place, for messages; now: epoch milliseconds
 * @returns {import('../contract').OwnStore & Pick<Store, 'upload'>}
 */
function openAzureStore({ place: { container }, settings, location, now = Date.now }) {
  const { credentials } = settings
  const control = createControl({ settings, container, location, now })
  const { part, ...requests } = createRequests(control, credentials)
  const { list, isHierarchical } = createList(control)
  const containers = createContainers(control)

  return {
    scheme: 'az',
    keyFault,
    facts: control.facts,
    endpoint: settings.endpoint,
    origin: new URL(settings.endpoint).origin,
    can: {
      reach: isLoopback(new URL(settings.endpoint).hostname) ? 'local' : 'network',
      ...(credentials.kind === 'sas' && {
        secret: { name: 'SAS', advice: 'Copy with --engine local, on this machine.' },
      }),
      listsUploadsByPrefix: true,
      sumAt: 'answer',
      partTag: 'opaque',
      // The MD5 of a blob written in blocks is only what its writer said.
      sums: { stored: [], checked: [], answered: ['crc64nvme'], byWriter: ['md5'] },
      // Where folders are no objects, no mark stands beside one.
      get marksFolders() {
        return !isHierarchical()
      },
      classes: 'Azure',
      // https://learn.microsoft.com/azure/storage/blobs/concurrency-manage
      consistent: true,
      // What a blob cannot have is known: answers.js.
      keepsMetadata: true,
    },
    limits: LIMITS,
    // https://rclone.org/azureblob/#modification-times-and-hashes
    mtime: mtime.MTIME_IN_RFC_3339,
    contentHeaders: CONTENT_HEADERS,
    asciiHeaders: true,
    metadataFault,
    now: control.now,

    async authenticate() {
      if (credentials.kind === 'token') await credentials.get()
      return credentials.kind !== 'anonymous'
    },
    credentials: () => ({ words: credentials.words, expiresMs: credentials.expiresMs }),
    rights: createRights(control),

    async ping({ signal } = {}) {
      if (container === '') await containers.containers({}, { signal })
      else await list({ prefix: '', most: 1 }, { signal })
    },

    // https://learn.microsoft.com/azure/storage/blobs/archive-rehydrate-overview
    archives: tier => tier === 'Archive',
    // The service checks the condition with the write, always.
    heeds: () => true,

    ...requests,
    ...containers,
    pull: createPull(control),
    upload: { part, ...createUploads(control) },
    list,
    ...createBlobs(control),

    readDescription,
    readWritten,
    describingHeaders,
    explain: answer => explainAnswer(answer, control.facts, control.expired()),
    requests: control.requests,
    roundTripMs: control.roundTripMs,
    costs: { upload: { PUT: 1, GET: 1 }, removes: 1 },
    provider: new URL(control.facts.endpoint).hostname.endsWith('.blob.core.windows.net')
      ? 'Azure Blob Storage'
      : undefined,
    close: control.close,
  }
}

/** The version to delete is the blob itself. */
const CURRENT = 'OperationNotAllowedOnRootBlob'

/**
 * @param {ReturnType<typeof createControl>} control
 * @returns {Pick<Store, 'head' | 'remove' | 'removeAll'> & Required<Pick<Store, 'tags'>>}
 */
function createBlobs({ call, facts }) {
  /** https://learn.microsoft.com/rest/api/storageservices/get-blob-properties @type {Store['head']} */
  async function head(key, { signal, versionId } = {}) {
    const { headers } = await call('Get Blob Properties', { key, query: { versionid: versionId } }, signal)
    /** @param {string} reason */
    const strange = reason => new XferError('NOT_A_STORE', { ...facts, key, reason })
    /** @param {string} reason */
    const refused = reason => new XferError('STORE_REFUSED', { ...facts, key, status: 200, reason })
    const { etag, [VERSION_ID]: version } = headers
    const asked = (/** @type {Record<string, string>} */ ranged) =>
      call('Get Blob', { key, query: { versionid: versionId }, headers: ranged }, signal)
    const bytes = readCount(headers['content-length']) ?? (await sizeByRange(asked))
    if (bytes === undefined) throw strange("a HEAD is answered without the blob's size")
    if (!etag) throw strange('a HEAD is answered without an ETag')
    if (headers['x-ms-resource-type'] === 'directory') {
      const reason = 'it is a folder of the hierarchical namespace'
      throw new XferError('STORE_REFUSED', { ...facts, key, status: 200, reason, isFolder: true })
    }
    if (headers['x-ms-copy-status'] === 'pending') throw refused('a copy into it has not ended')
    return {
      bytes,
      etag,
      ...(version !== undefined && { versionId: version }),
      lastModifiedMs: readTime(headers['last-modified']),
      ...folderMark(bytes, headers['x-ms-meta-hdi_isfolder']),
      ...readDescription(headers),
    }
  }

  /** https://learn.microsoft.com/rest/api/storageservices/delete-blob @type {Store['remove']} */
  async function remove({ key, etag, versionId }, { signal } = {}) {
    /** @type {Record<string, string>} */
    const headers = etag === undefined ? {} : { 'if-match': etag }
    const deletion = { key, query: { versionid: versionId }, headers }
    await call('Delete Blob', deletion, signal)
      .catch(async error => {
        if (versionId === undefined || error.facts.storeCode !== CURRENT) throw error
        await makePrevious({ key, versionId }, signal)
        return await call('Delete Blob', deletion, signal)
      })
      .catch(error => {
        if (error.code !== 'NO_SUCH_KEY' || etag !== undefined) throw error
      })
  }

  /**
   * The current version cannot be deleted by its id. Once the blob is deleted, its last version is a previous one.
   *
   * @param {{ key: string, versionId: string }} version
   * @param {AbortSignal} [signal]
   */
  async function makePrevious({ key, versionId }, signal) {
    const { etag } = await head(key, { signal, versionId })
    await remove({ key, etag }, { signal }).catch(error => {
      // Somebody else has written or deleted the blob since.
      if (error.code !== 'DESTINATION_EXISTS' && error.code !== 'NO_SUCH_KEY') throw error
    })
  }

  return {
    head,
    remove,
    removeAll: async (keys, { signal } = {}) => await removeEach(keys, key => remove({ key }, { signal }), signal),

    tags: {
      /** https://learn.microsoft.com/rest/api/storageservices/get-blob-tags */
      async read(key, { signal, versionId } = {}) {
        const { values } = await call('Get Blob Tags', { key, query: { versionid: versionId } }, signal)
        return (values.TagSet?.Tag ?? []).map((/** @type {{ Key?: string, Value?: string }} */ { Key, Value }) => {
          if (Key !== undefined) return [Key, Value ?? '']
          throw new XferError('BAD_ANSWER', { ...facts, key, reason: 'it tells a tag without its name' })
        })
      },

      /** https://learn.microsoft.com/rest/api/storageservices/set-blob-tags */
      async write({ key, tags, versionId }, { signal } = {}) {
        const set = tags.map(([Key, Value]) => ({ Key, Value }))
        const body = /** @type {Buffer} */ (writeXml({ Tags: { TagSet: { Tag: set } } }))
        const headers = { 'content-type': 'application/xml; charset=UTF-8', ...digestOf(body) }
        await call('Set Blob Tags', { key, query: { versionid: versionId }, headers, body }, signal)
      },
    },
  }
}

/** The age of a signature, by the store's clock, from which signing again may help. The store refuses 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000

/** Of a SAS that Entra ID backs. https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key */
const MOST_DELEGATED_MS = 7 * 86_400_000

/**
 * @param {ReturnType<typeof import('./control').createControl>} control
 * @param {import('./credentials').AzureCredentials} credentials
 * @returns {Pick<Store, 'read' | 'put' | 'signsAnew' | 'lend' | 'presign'> & Pick<Store['upload'], 'part'>} without `lend` if the only SAS
 *   is the user's, which is good for more than one blob, and may not be shared
 */
function createRequests({ signer, facts, now, learnTime }, { kind }) {
  /** @param {{ key: string, versionId?: string }} object @param {number} [lifeMs] @returns {Promise<string>} good for this blob alone */
  async function signedUrl({ key, versionId }, lifeMs) {
    const query = { versionid: versionId }
    const sas = kind === 'anonymous' ? undefined : await signer.sas({ key, query, permission: 'r' }, lifeMs)
    return signer.url(key, query, sas)
  }

  return {
    /** https://learn.microsoft.com/rest/api/storageservices/get-blob */
    async read({ key, etag, range, versionId }) {
      const headers = { 'if-match': etag, ...(range && { range: `bytes=${range.start}-${range.end}` }) }
      const request = await signer.data({ method: 'GET', key, query: { versionid: versionId }, headers }, 'r')
      return { request: { ...request, accepts: READ } }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/put-blob */
    async put({ key, bytes, attributes, condition }) {
      const headers = {
        'content-length': String(bytes),
        'x-ms-blob-type': 'BlockBlob',
        ...writeHeaders(attributes, facts),
        ...conditionHeaders(condition),
      }
      const permission = attributes.tags?.length ? 'cwt' : 'cw'
      const request = await signer.data({ method: 'PUT', key, headers }, permission)
      return { request: { ...request, accepts: WRITE_BLOB } }
    },

    /** https://learn.microsoft.com/rest/api/storageservices/put-block */
    async part({ key, uploadId, partNumber, bytes }) {
      const tag = newBlockId(readUploadId(uploadId), partNumber, randomBytes)
      const headers = { 'content-length': String(bytes) }
      const query = { comp: 'block', blockid: tag }
      const request = await signer.data({ method: 'PUT', key, query, headers }, 'w')
      return { request: { ...request, accepts: WRITE_BLOCK }, tag }
    },

    signsAnew({ headers }, dateMs) {
      if (dateMs !== undefined) learnTime(dateMs)
      const signed = kind === 'sharedKey' || kind === 'token'
      const signedMs = Date.parse(headers['x-ms-date'] ?? '')
      return signed && Math.abs(now() - signedMs) > SIGNED_LONG_AGO_MS
    },

    ...(kind !== 'sas' && { lend: object => signedUrl(object) }),

    async presign({ key, versionId, lifeMs }) {
      if (kind === 'sas') {
        const text = 'A SAS cannot sign another one, and yours may be good for more than this blob.'
        const advice = 'Use the key of the account or Microsoft Entra ID, or append your SAS to the address yourself.'
        throw usage(text, advice)
      }
      if (kind === 'anonymous') {
        throw usage('Requests are not signed, and so no URL is.', 'Leave out --source-no-sign-request.')
      }
      if (kind === 'token' && lifeMs > MOST_DELEGATED_MS) {
        const text = 'A SAS by Microsoft Entra ID is good for 7 days at most.'
        throw usage(text, 'Give --expires 7d or less, or use the key of the account.')
      }
      const endsMs = now() + lifeMs
      return { url: await signedUrl({ key, versionId }, lifeMs), endsMs }
    },
  }
}

module.exports = { openAzureStore }
