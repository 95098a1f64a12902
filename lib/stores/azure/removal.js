'use strict'

/** Deletes blobs: many per request if the store and the credentials allow that, else one by one. */

const { randomUUID } = require('node:crypto')
const { XferError, asXferError } = require('../../errors')
const { MOST, readBatch, writeBatch } = require('./batch')
const { createHead } = require('./head')
const { classifyAnswer, meaningOf } = require('./explain')
const { versionQuery } = require('./place')
const { rolesOf } = require('./roles')

/** How many single requests run at the same time. */
const ONE_BY_ONE = 16
/** Errors of a batch that say nothing of its blobs: a SAS may not make batches, a firewall does not know them. */
const NO_BATCHES = new Set([
  'ACCESS_DENIED',
  'CREDENTIALS_REFUSED',
  'STORE_REFUSED',
  'NOT_A_STORE',
  'BAD_ANSWER',
  'NO_SUCH_BUCKET',
])

/** The version to delete is the blob itself. */
const CURRENT = 'OperationNotAllowedOnRootBlob'

/** @typedef {import('../../types').Store} Store */
/** @typedef {Awaited<ReturnType<Store['removeAll']>>[number]} Refused */
/** @typedef {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'batched' | 'facts'>} Control */

/**
 * https://learn.microsoft.com/rest/api/storageservices/delete-blob
 *
 * @param {Control} control
 * @returns {Pick<Store, 'remove' | 'removeAll'>}
 */
function createRemoval({ call, batched, facts }) {
  const head = createHead({ call, facts })
  let batches = true

  /** @param {{ key: string, etag?: string, versionId?: string }} blob @param {AbortSignal} [signal] */
  async function remove({ key, etag, versionId }, signal) {
    /** @type {Record<string, string>} */
    const headers = etag === undefined ? {} : { 'if-match': etag }
    const query = versionQuery(versionId)
    const request = { method: /** @type {const} */ ('DELETE'), key, query, headers, statuses: [202] }
    const deletion = { operation: 'Delete Blob', kind: /** @type {const} */ ('remove'), ...request }
    await call(deletion, signal)
      .catch(async error => {
        if (versionId === undefined || error.facts.storeCode !== CURRENT) throw error
        await makePrevious({ key, versionId }, signal)
        return await call(deletion, signal)
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

  /** @param {string} key @param {AbortSignal} [signal] @returns {Promise<Refused[]>} */
  async function one(key, signal) {
    try {
      await remove({ key }, signal)
      return []
    } catch (cause) {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      return [{ key, code, message }]
    }
  }

  /**
   * @param {string[]} keys
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ refused: Refused[], unanswered: string[] }>} unanswered: to be deleted one by one
   */
  async function together(keys, signal) {
    const boundary = `batch_${randomUUID()}`
    const query = { restype: 'container', comp: 'batch' }
    const none = { 'content-length': '0' }
    const deletions = await Promise.all(keys.map(key => batched({ method: 'DELETE', key, headers: none })))
    const body = writeBatch(deletions, boundary)
    const headers = { 'content-type': `multipart/mixed; boundary=${boundary}` }
    const answer = await call(
      {
        ...{ operation: 'Blob Batch', kind: 'remove', method: 'POST', query, headers, body },
        ...{ statuses: [202], most: 4 * 1024 ** 2, long: true },
      },
      signal,
    )
    const answers = readBatch(answer.body, answer.headers['content-type'] ?? '')
    /** @type {Refused[]} */
    const refused = []
    const unanswered = keys.filter((key, i) => {
      const said = answers.get(i)
      if (!said) return true
      if (said.status === 202 || said.storeCode === 'BlobNotFound') return false
      const code = classifyAnswer(said)
      const error = new XferError(code, {
        ...facts,
        key,
        ...said,
        ...meaningOf(said),
        ...rolesOf('remove', facts.side),
      })
      // Each can be tried again alone, as often as others are.
      if (error.retryable || error.throttled) return true
      refused.push({ key, code, message: error.message })
      return false
    })
    return { refused, unanswered }
  }

  return {
    remove: async (blob, { signal } = {}) => await remove(blob, signal),

    async removeAll(keys, { signal } = {}) {
      /** @type {Refused[]} */
      const refused = []
      const single = []
      for (let at = 0; at < keys.length; at += MOST) {
        const some = keys.slice(at, at + MOST)
        if (!batches || some.length === 1) {
          single.push(...some)
          continue
        }
        try {
          const answer = await together(some, signal)
          refused.push(...answer.refused)
          single.push(...answer.unanswered)
          if (answer.unanswered.length === some.length) batches = false
        } catch (cause) {
          if (!NO_BATCHES.has(asXferError(cause).code) || signal?.aborted) throw cause
          batches = false
          single.push(...some)
        }
      }
      for (let at = 0; at < single.length; at += ONE_BY_ONE) {
        const some = single.slice(at, at + ONE_BY_ONE)
        refused.push(...(await Promise.all(some.map(key => one(key, signal)))).flat())
      }
      return refused
    },
  }
}

module.exports = { createRemoval }
