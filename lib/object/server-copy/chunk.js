'use strict'

/** How much of an object one request copies when its store copies it: the whole object, or a part. */

const { chooseChunk } = require('../plan')
const { isConditional } = require('../../destination')
const { asXferError } = require('../../errors')
const { MiB } = require('../../options')
const { md5EtagOf } = require('../../integrity')

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {import('../plan').Chunk & { whole: boolean }} ServerChunk */
/** @typedef {Pick<import('../../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} Situation */

/** The most bytes that one request copies: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const MOST_BYTES = 5 * 1024 * MiB

/**
 * One request keeps the ETag of an object that was uploaded in one piece. The ETag of an object that was uploaded in parts
 * is kept only by copying the same parts.
 *
 * @param {Situation} job
 * @param {ObjectHead} object
 * @returns {Promise<ServerChunk>} whole: copied by one request
 */
async function chooseServerChunk(job, object) {
  const { settings } = job
  const usual = { bytes: settings.chunkBytes, matched: false, notices: [] }
  if (copiesWholeOnly(job)) return { ...usual, bytes: Math.max(usual.bytes, object.bytes), whole: true }
  if (settings.matchChunk) {
    const matched = await chooseChunk(job, object, neverAsked)
    if (matched.matched) return { ...matched, whole: false }
  }
  if (fitsOneRequest(job, object)) return { ...usual, bytes: Math.max(usual.bytes, object.bytes), whole: true }
  const own = settings.usualChunk ? await ownParts(job, object) : undefined
  return { ...usual, ...own, whole: false }
}

/** A store has no fixed cost to weigh against. @returns {Promise<never>} */
async function neverAsked() {
  throw new TypeError('a store has no limits as an engine has')
}

/**
 * Whether one request copies the object, judged by its size and ETag: the result of `chooseServerChunk`, without a request.
 *
 * @param {Pick<Situation, 'destination' | 'settings'>} job
 * @param {{ bytes: number, etag: string }} object
 */
function copiesWhole(job, object) {
  if (copiesWholeOnly(job)) return true
  const ofParts = md5EtagOf(object)?.parts !== undefined
  return !(job.settings.matchChunk && ofParts) && fitsOneRequest(job, object)
}

/** @param {Pick<Situation, 'destination'>} job */
function copiesWholeOnly({ destination }) {
  return destination.store.serverCopy?.wholeOnly === true
}

/** @param {Pick<Situation, 'destination' | 'settings'>} job @param {Pick<ObjectHead, 'bytes' | 'etag' | 'encrypted'>} object */
function fitsOneRequest({ destination, settings }, object) {
  const { bytes } = object
  if (bytes === 0) return true
  // More stores support conditions on a completion than on a copy.
  if (isConditional(settings.condition) && !destination.store.serverCopy?.conditional) return false
  if (bytes > MOST_BYTES) return false
  const etag = md5EtagOf(object)
  return bytes <= settings.chunkBytes || (settings.usualChunk && etag !== undefined && etag.parts === undefined)
}

/**
 * The size of the source's own parts, if the store reports it and they are equal. The copy then gets the source's ETag,
 * which proves it.
 *
 * @param {Situation} job
 * @param {ObjectHead} object
 * @returns {Promise<{ bytes: number, why: string } | undefined>}
 */
async function ownParts({ source, destination, run: { cancel: signal } }, object) {
  if ((md5EtagOf(object)?.parts ?? 0) < 2) return undefined
  const { store, key, versionId } = source
  const found = await store.partSize?.(key, { signal, versionId }).catch(cause => {
    if (signal?.aborted || asXferError(cause).code !== 'STORE_REFUSED') throw cause
  })
  if (!found) return undefined
  const { bytes, parts } = found
  const { minBytes, maxBytes, maxParts } = destination.store.limits
  const fits = bytes >= minBytes && bytes <= maxBytes && parts <= maxParts
  if (!fits || parts !== Math.ceil(object.bytes / bytes)) return undefined
  return { bytes, why: "The parts are the source's own, so that the copy gets its ETag." }
}

module.exports = { chooseServerChunk, copiesWhole }
