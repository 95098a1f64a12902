'use strict'

/**
 * Lists blobs and containers, and makes containers. A list that contradicts itself or the request is an error.
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs
 */

const { XferError, throwIfAborted } = require('../../errors')
const { containersOf, foldersOf, quoted, readCount, readTime } = require('../common')
const { FOLDER_MARKS, folderMark, sumsOf } = require('./answers')

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} Control */

/** The first one that begins a list where it is asked to. */
const STARTING_VERSION = '2026-02-06'

/**
 * @param {Control} control
 * @returns {{ list: import('../../types').ListObjects, isHierarchical: () => boolean }} isHierarchical: as far as lists have shown
 */
function createList({ call, facts }) {
  let starts = true
  let hierarchical = false

  /** @param {Parameters<import('../../types').ListObjects>[0]} list @param {AbortSignal | undefined} signal */
  async function page({ prefix, marker, after, most, delimiter }, signal) {
    const startFrom = starts && marker === undefined && after ? after : undefined
    const query = {
      // Marks of folders are told by their metadata.
      include: 'metadata',
      prefix: prefix || undefined,
      marker,
      delimiter,
      maxresults: most === undefined ? undefined : String(most),
      startFrom,
    }
    /** @type {Record<string, string>} */
    const headers = startFrom === undefined ? {} : { 'x-ms-version': STARTING_VERSION }
    return (await call('List Blobs', { query, headers }, signal)).values
  }

  /** @type {import('../../types').ListObjects} */
  async function listObjects(list, { signal } = {}) {
    const values = await page(list, signal).catch(error => {
      // An older service does not know that version: the list begins at the beginning, which its reader copes with.
      if (!(starts && list.after && error.facts.storeCode === 'InvalidHeaderValue')) throw error
      starts = false
      return page(list, signal)
    })
    hierarchical ||= values.Blobs?.Blob.some((/** @type {any} */ { Properties }) => Properties?.ResourceType) ?? false
    return readList(values, list, facts)
  }
  return { list: listObjects, isHierarchical: () => hierarchical }
}

/**
 * Lists the blobs that were never committed: they have neither a type of content nor an ETag (Azurite gives them one).
 *
 * @param {Control} control
 * @param {{ prefix: string, marker?: string }} list
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ keys: string[], next?: string }>} one page
 */
async function listUncommitted({ call, facts }, { prefix, marker }, signal) {
  const query = { include: 'uncommittedblobs', prefix: prefix || undefined, marker }
  const { values } = await call('List Blobs', { query }, signal)
  const blobs = values.Blobs?.Blob ?? []
  const keys = blobs.flatMap((/** @type {any} */ { Name, Properties }) => {
    if (!Name) throw new XferError('BAD_ANSWER', { ...facts, reason: 'it lists a blob without its name' })
    const committed = Properties?.Etag && Properties['Content-Type']
    return committed || !Name.startsWith(prefix) ? [] : [Name]
  })
  return { keys, ...(values.NextMarker && { next: values.NextMarker }) }
}

/**
 * @param {Record<string, any>} values of the document
 * @param {{ prefix: string, marker?: string, after?: string, delimiter?: string }} asked
 * @param {Record<string, any>} facts of the store
 * @returns {Awaited<ReturnType<import('../../types').ListObjects>>}
 * @throws {XferError} BAD_ANSWER, NOT_A_STORE
 */
function readList({ Prefix, NextMarker, Blobs }, { prefix, marker, after, delimiter }, facts) {
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  if (Blobs === undefined)
    throw new XferError('NOT_A_STORE', { ...facts, reason: 'a list is answered with something else' })
  if (Prefix && Prefix !== prefix)
    throw wrong(`it answers a list for the prefix ${quoted(prefix)} with one for ${quoted(Prefix)}`)
  const next = NextMarker || undefined
  if (next !== undefined && next === marker) throw wrong('it continues a list where it began')
  /** @type {ListedObject[]} */
  const objects = []
  for (const blob of Blobs.Blob) {
    const object = readEntry(blob, wrong)
    // The list begins with the name that it was to begin behind.
    if (object && object.key !== after) objects.push(object)
  }
  const folders = Blobs.BlobPrefix.map((/** @type {{ Name?: string }} */ { Name = '' }) => Name)
  // The element is always there, empty at the end.
  return {
    objects,
    ...foldersOf(folders, { prefix, delimiter }, wrong),
    next,
    ...(NextMarker === undefined && { lacks: ['NextMarker'] }),
  }
}

/**
 * @param {{ Name?: string, Properties?: Record<string, string | undefined>, Metadata?: Record<string, string | undefined> }} blob
 * @param {(reason: string) => import('../../types').XferError} wrong
 * @returns {ListedObject | undefined} undefined: it is no object
 */
function readEntry({ Name: key, Properties = {}, Metadata = {} }, wrong) {
  if (!key) throw wrong('it lists a blob without its name')
  // Of the hierarchical namespace: folders are no objects.
  if (Properties.ResourceType === 'directory') return undefined
  const { Etag: etag = '', AccessTier: tier, AccessTierInferred: inferred } = Properties
  const bytes = readCount(Properties['Content-Length'])
  if (bytes === undefined) throw wrong(`it lists ${quoted(key)} without its size`)
  return {
    key,
    bytes,
    // A list leaves out the quotes.
    etag: etag === '' || etag.startsWith('"') ? etag : `"${etag}"`,
    lastModifiedMs: readTime(Properties['Last-Modified']),
    storageClass: tier && inferred !== 'true' ? tier : undefined,
    ...folderMark(bytes, FOLDER_MARKS.map(name => Metadata[name]).find(Boolean)),
    ...sumsOf({ 'content-md5': Properties['Content-MD5'] }),
  }
}

/**
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} control
 * @returns {Required<Pick<import('../contract').Store, 'containers' | 'makeContainer' | 'retention'>>}
 */
function createContainers({ call, facts }) {
  /** Whether a creation was sent, whose answer may have been lost. */
  let sent = false
  return {
    /** https://learn.microsoft.com/rest/api/storageservices/list-containers2 */
    async containers({ marker }, { signal } = {}) {
      const { values } = await call('List Containers', { query: { marker } }, signal)
      const all = values.Containers?.Container ?? []
      const entries = all.map((/** @type {any} */ { Name, Properties }) => [Name, Properties?.['Last-Modified']])
      return containersOf(entries, { next: values.NextMarker, marker }, facts)
    },

    /** https://learn.microsoft.com/rest/api/storageservices/get-container-properties */
    async retention({ signal } = {}) {
      // A signature for the container's blobs alone may not ask.
      const answer = await call('Get Container Properties', {}, signal).catch(() => throwIfAborted(signal))
      return answer?.headers['x-ms-has-immutability-policy'] === 'true' ? 'an immutability policy' : undefined
    },

    /** https://learn.microsoft.com/rest/api/storageservices/create-container */
    async makeContainer({ region }, { signal } = {}) {
      if (region !== undefined) {
        const text = 'A container is in the region of its storage account.'
        throw new XferError('USAGE', { text, advice: 'Leave out --region, or name an account of that region.' })
      }
      const again = sent
      sent = true
      await call('Create Container', {}, signal).catch((/** @type {import('../../types').XferError} */ error) => {
        const { storeCode } = error.facts
        if (storeCode === 'ContainerBeingDeleted') {
          const reason = 'a container of this name is being deleted, which takes half a minute or longer'
          throw new XferError('STORE_REFUSED', { ...error.facts, reason }, { cause: error })
        }
        if (storeCode !== 'ContainerAlreadyExists') throw error
        // The answer to the attempt before was lost.
        if (!again) throw new XferError('DESTINATION_EXISTS', { ...facts, storeCode, others: false }, { cause: error })
      })
    },
  }
}

module.exports = { createContainers, createList, listUncommitted, readList }
