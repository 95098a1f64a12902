'use strict'

/** Control calls about one blob: its properties, its tags, and its deletion. */

const { createHash } = require('node:crypto')
const { XferError } = require('../../errors')
const { readCount, readTime, removeEach } = require('../common')
const { VERSION_ID, readDescription } = require('./attributes')
const { writeXml } = require('../xml')

/** @typedef {import('../../types').Store} Store */
/** @typedef {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} Control */

/** The version to delete is the blob itself. */
const CURRENT = 'OperationNotAllowedOnRootBlob'

/**
 * https://learn.microsoft.com/rest/api/storageservices/get-blob-properties
 *
 * @param {Control} control
 * @returns {Store['head']}
 */
function createHead({ call, facts }) {
  return async (key, { signal, versionId } = {}) => {
    const { headers } = await call('Get Blob Properties', { key, query: { versionid: versionId } }, signal)
    /** @param {string} reason */
    const strange = reason => new XferError('NOT_A_STORE', { ...facts, key, reason })
    /** @param {string} reason */
    const refused = reason => new XferError('STORE_REFUSED', { ...facts, key, status: 200, reason })
    const { etag, [VERSION_ID]: version } = headers
    const bytes = readCount(headers['content-length'])
    if (bytes === undefined) throw strange("a HEAD is answered without the blob's size")
    if (!etag) throw strange('a HEAD is answered without an ETag')
    if (headers['x-ms-resource-type'] === 'directory') throw refused('it is a folder of the hierarchical namespace')
    if (headers['x-ms-copy-status'] === 'pending') throw refused('a copy into it has not ended')
    return {
      ...{ bytes, etag },
      ...(version !== undefined && { versionId: version }),
      lastModifiedMs: readTime(headers['last-modified']),
      ...readDescription(headers),
    }
  }
}

/**
 * @param {Control} control
 * @returns {NonNullable<Store['tags']>}
 */
function createTags({ call, facts }) {
  return {
    /** https://learn.microsoft.com/rest/api/storageservices/get-blob-tags */
    async read(key, { signal, versionId } = {}) {
      const { values } = await call('Get Blob Tags', { key, query: { versionid: versionId } }, signal)
      return (values.TagSet?.Tag ?? []).map((/** @type {{ Key?: string, Value?: string }} */ { Key, Value }) => {
        if (Key === undefined)
          throw new XferError('BAD_ANSWER', { ...facts, key, reason: 'it tells a tag without its name' })
        return [Key, Value ?? '']
      })
    },

    /** https://learn.microsoft.com/rest/api/storageservices/set-blob-tags */
    async write({ key, tags, versionId }, { signal } = {}) {
      const set = tags.map(([Key, Value]) => ({ Key, Value }))
      const body = /** @type {Buffer} */ (writeXml({ Tags: { TagSet: { Tag: set } } }))
      const headers = { 'content-type': 'application/xml; charset=UTF-8', ...digestOf(body) }
      await call('Set Blob Tags', { key, query: { versionid: versionId }, headers, body }, signal)
    },
  }
}

/** The store checks what it received. @param {Buffer} body @returns {{ 'content-md5': string }} */
function digestOf(body) {
  return { 'content-md5': createHash('md5').update(body).digest('base64') }
}

/**
 * https://learn.microsoft.com/rest/api/storageservices/delete-blob
 *
 * @param {Control} control
 * @returns {Pick<Store, 'remove' | 'removeAll'>}
 */
function createRemoval({ call, facts }) {
  const head = createHead({ call, facts })

  /** @param {{ key: string, etag?: string, versionId?: string }} blob @param {AbortSignal} [signal] */
  async function remove({ key, etag, versionId }, signal) {
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
    await remove({ key, etag }, signal).catch(error => {
      // Somebody else has written or deleted the blob since.
      if (error.code !== 'DESTINATION_EXISTS' && error.code !== 'NO_SUCH_KEY') throw error
    })
  }

  return {
    remove: async (blob, { signal } = {}) => await remove(blob, signal),
    removeAll: async (keys, { signal } = {}) => await removeEach(keys, key => remove({ key }, signal), signal),
  }
}

module.exports = { createHead, createRemoval, createTags, digestOf }
