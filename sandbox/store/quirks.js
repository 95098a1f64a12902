'use strict'

const { randomBytes } = require('node:crypto')
const { S3Error } = require('./errors')

/**
 * Differences of other stores from S3: implements the options of `settings.d.ts` under "quirks". None is on by default.
 * modes.js has combinations.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {Record<string, any>} List as writeXml takes it
 */

const BODIES = ['PutObject', 'UploadPart']
const WRITES = ['PutObject', 'CopyObject', 'CompleteMultipartUpload']

/**
 * Whether the aws-chunked framing of this body is stored as if it were data.
 *
 * @param {Context} ctx
 */
function keepsFraming(ctx) {
  return ctx.state.options.framing === 'kept' && BODIES.includes(ctx.operation)
}

/**
 * @param {Context} ctx
 * @returns {string | undefined} the Content-Encoding that is kept
 */
function encodingOf(ctx) {
  const sent = ctx.header('content-encoding')
  const all = (sent ?? '').split(',').map(one => one.trim())
  const others = all.filter(one => one !== '' && one !== 'aws-chunked')
  const { contentEncoding } = ctx.state.options
  const asSent = contentEncoding === 'kept-aws-chunked' && others.length > 0
  return (asSent ? sent : others.join(',')) || undefined
}

/**
 * The key under which an object is stored, where some characters become others.
 *
 * @param {Context} ctx
 * @param {string} key
 */
function foldedName(ctx, key) {
  const { foldNames } = ctx.state.options
  if (foldNames === 'backslash') return key.replaceAll('\\', '/')
  return foldNames === 'colon' ? key.replaceAll(':', '_') : key
}

/** Call it after a request has done its work. @param {Context} ctx */
function noteWrite(ctx) {
  if (ctx.state.options.headAfterPut === 'wrong-size' && WRITES.includes(ctx.operation)) {
    ctx.state.unsettled.add(nameOf(ctx))
  }
}

/** The fault `keeps`. Call it after a request has done its work. @param {Context} ctx @param {StoredObject} [before] what its key had */
function forgetWrite(ctx, before) {
  const { keeps } = ctx.effects
  if (keeps === undefined || !WRITES.includes(ctx.operation)) return
  const { catalog, now } = ctx.state
  const bucket = ctx.bucket()
  const written = /** @type {StoredObject} */ (bucket.objects.get(/** @type {string} */ (ctx.key)))
  if (keeps === 'nothing') {
    if (before) catalog.putObject(bucket.name, before)
    else catalog.removeObject(bucket.name, written.key, now())
    return
  }
  const size = keeps === 'half' ? Math.floor(written.size / 2) : written.size
  const etag = randomBytes(16).toString('hex')
  const { checksum, parts, ...rest } = written
  catalog.putObject(bucket.name, { ...rest, size, etag, segments: [{ size, phase: 7 }] })
}

/** The answer to the first HEAD after a write. @param {Context} ctx @param {StoredObject} object @returns {StoredObject} */
function asHeadSees(ctx, object) {
  if (ctx.method !== 'HEAD' || !ctx.state.unsettled.delete(nameOf(ctx))) return object
  return { ...object, size: Math.max(0, object.size - 1), segments: [] }
}

/** @param {Context} ctx */
function nameOf({ bucketName, key }) {
  return `${bucketName}/${key}`
}

/**
 * @param {Context} ctx
 * @returns {string | undefined} the part number that a GET or HEAD is for
 * @throws {S3Error} NotImplemented
 */
function partWanted(ctx) {
  const { partNumberHead } = ctx.state.options
  const wanted = ctx.query.get('partNumber')
  if (wanted !== undefined && partNumberHead === 501) throw new S3Error('NotImplemented')
  return partNumberHead === 'ignored' ? undefined : wanted
}

/** The keys that lists show, in order. @param {Context} ctx @returns {readonly string[]} */
function shownKeys(ctx) {
  const { objects } = ctx.bucket()
  const isBelow = (/** @type {string} */ key) =>
    [...key.matchAll(/\//g)].some(({ index }) => objects.has(key.slice(0, index)))
  const keys = objects.sortedKeys()
  return ctx.state.options.hidesBelow ? keys.filter(key => !isBelow(key)) : keys
}

/** Changes to a page of a list. @type {Record<string, (list: List) => List>} */
const LISTS = {
  // The key count is that of the whole page.
  overcounted: list => ({ ...list, Contents: list.Contents.slice(0, Math.floor(list.Contents.length / 2)) }),
  // Makes each page of a long list look like the last one.
  'no-truncated': list => ({ ...list, IsTruncated: undefined, NextContinuationToken: undefined, KeyCount: undefined }),
  'no-count': list => ({ ...list, KeyCount: undefined }),
  'no-start': list => ({ ...list, KeyCount: undefined, StartAfter: undefined }),
  'foreign-name': list => ({ ...list, Name: 'somebody-elses', Contents: [], KeyCount: 0 }),
}

/** @param {Context} ctx @param {List} list @returns {List} as the store tells it */
function listTold(ctx, list) {
  return LISTS[ctx.state.options.lists]?.(list) ?? list
}

/** @param {Context} ctx @param {{ Code: string, Message: string }} error @returns {{ Code: string, Message: string }} as it is sent */
function errorTold(ctx, error) {
  const { repeats } = ctx.state.options
  const token = ctx.header('x-amz-security-token')
  if (repeats === 'nothing' || token === undefined) return error
  if (repeats === 'code') return { ...error, Code: token }
  return { ...error, Message: `You sent ${token}\n    at ${token} (${token}:1:1)` }
}

module.exports = {
  asHeadSees,
  encodingOf,
  errorTold,
  foldedName,
  forgetWrite,
  keepsFraming,
  listTold,
  noteWrite,
  partWanted,
  shownKeys,
}
