'use strict'

/**
 * Copies within one store: the store copies objects or parts itself, so that no byte passes a function or this machine. If
 * it refuses, the bytes go through the engine, and a notice says why.
 */

const { createServerEngine } = require('../../engines')
const { XferError, asXferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { chooseServerChunk, copiesWhole } = require('./chunk')
const { choosePullChunk, lentBy, proofsOfPulled, pullEngineFor, whyNotPulled } = require('./pull')
const { bothReader } = require('./read')

/** @typedef {import('../../job/open').Job} Job */
/** @typedef {import('../../types').XferError} Failure */

/** Errors which show that only the copying fails, not the store. */
const FALLS_BACK = new Set(['COPY_REFUSED', 'BAD_ANSWER', 'STORE_ERROR'])

/**
 * Only for a job whose route is `server`: both sides are then in one store that copies by itself.
 *
 * @param {import('../../types').Store} store
 * @returns {import('../../types').ServerCopy}
 */
function serverCopyOf({ serverCopy }) {
  return /** @type {import('../../types').ServerCopy} */ (serverCopy)
}

/** @param {import('../../job/open').Side} source @param {string} etag @returns {import('../../types').CopySource} */
function copySourceOf({ store, key, versionId }, etag) {
  return serverCopyOf(store).source({ key, etag, versionId })
}

/** The engine of such a job. @param {import('../../types').Store} store the destination's */
function serverEngineFor(store) {
  return createServerEngine(serverCopyOf(store), store.endpoint)
}

/**
 * Whether an engine may succeed. The store may have judged the source with the destination's credentials, which may see
 * less than the source's.
 *
 * @param {Pick<Job, 'source' | 'run'>} job
 * @param {{ etag: string, bytes: number }} object
 * @param {Failure} error
 * @returns {Promise<string | undefined>} why the store did not copy it, one sentence; undefined when an engine would fail too
 */
async function whyNot({ source, run: { cancel } }, object, error) {
  if (cancel?.aborted) return undefined
  const { cause } = error
  const root = error.code === 'PART_FAILED' && cause instanceof XferError ? cause : error
  if (FALLS_BACK.has(root.code)) return root.message
  if (root.code !== 'SOURCE_CHANGED') return undefined
  const { store, key, versionId } = source
  const now = await store.head(key, { signal: cancel, versionId }).catch(() => undefined)
  const same = now && sameEtag(now.etag, object.etag) && now.bytes === object.bytes
  return same ? "The destination's credentials see another source than the source's own." : undefined
}

/**
 * Lets the store copy an object. If it refuses, the bytes go through the engine, unless the user insists on a copy within one
 * store.
 *
 * @template T
 * @param {Pick<Job, 'source' | 'settings' | 'run'> & Partial<Pick<Job, 'asksServer'>>} job
 * @param {{ etag: string, bytes: number }} object
 * @param {object} ways
 * @param {() => Promise<T>} ways.byStore
 * @param {() => Promise<T>} ways.throughEngine
 * @param {(reason: string) => void} ways.onRefusal reason: one sentence
 * @returns {Promise<T>}
 * @throws {Failure} of the store if an engine would fail too
 */
async function withEngineFallback(job, object, { byStore, throughEngine, onRefusal }) {
  try {
    return await byStore()
  } catch (cause) {
    const error = asXferError(cause)
    const reason = await whyNot(job, object, error)
    if (reason === undefined || (job.settings.route === 'server' && job.asksServer !== 'pulls')) throw error
    onRefusal(reason)
  }
  return await throughEngine()
}

module.exports = {
  bothReader,
  choosePullChunk,
  chooseServerChunk,
  copiesWhole,
  copySourceOf,
  lentBy,
  proofsOfPulled,
  pullEngineFor,
  serverEngineFor,
  whyNotPulled,
  withEngineFallback,
}
