'use strict'

const { S3Error } = require('./errors')

/**
 * Differences of other stores from S3: implements the options of `settings.d.ts` under "quirks". None is on by default.
 * modes.js has combinations.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {Record<string, any>} List as writeXml takes it
 */

const BODIES = ['PutObject', 'UploadPart']
const WRITES = ['PutObject', 'CopyObject', 'CompleteMultipartUpload']
const CHUNKED = 'aws-chunked'

/** @param {string | undefined} header a Content-Encoding @returns {string[]} all but `aws-chunked` */
function encodingsOf(header) {
  return (header ?? '')
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '' && one !== CHUNKED)
}

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
  const others = encodingsOf(sent)
  const { contentEncoding } = ctx.state.options
  const asSent = contentEncoding === 'kept-always' || (contentEncoding === 'kept-aws-chunked' && others.length > 0)
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

const OTHER = 'somebody-elses'
/** How many entries of a short list are returned. */
const half = (/** @type {any[]} */ entries) => Math.floor(entries.length / 2)

/** Changes to a page of a list, and to its text. @type {Record<string, { list?: (list: List) => List, text?: (body: string) => string, status?: number }>} */
const LISTS = {
  // The key count is that of the whole page.
  overcounted: { list: list => ({ ...list, Contents: list.Contents.slice(0, half(list.Contents)) }) },
  // Makes each page of a long list look like the last one.
  'no-truncated': {
    list: list => ({ ...list, IsTruncated: undefined, NextContinuationToken: undefined, KeyCount: undefined }),
  },
  'no-count': { list: list => ({ ...list, KeyCount: undefined }) },
  'no-start': { list: list => ({ ...list, KeyCount: undefined, StartAfter: undefined }) },
  'no-name': { list: list => ({ ...list, Name: undefined, Prefix: undefined }) },
  'foreign-name': { list: list => ({ ...list, Name: OTHER, Contents: [], KeyCount: 0 }) },
  'foreign-prefix': { list: list => ({ ...list, Prefix: `${OTHER}/`, Contents: [], KeyCount: 0 }) },
  'status-206': { list: list => ({ ...list, Contents: list.Contents.slice(0, 1), KeyCount: 1 }), status: 206 },
  'in-comment': {
    text: body => body.replace('<Contents>', '<!-- <Contents>').replace('</Contents>', '</Contents> -->'),
  },
  'other-namespace': {
    list: list => ({ ...list, KeyCount: undefined }),
    text: body =>
      body.replaceAll('<Contents>', '<x:Contents xmlns:x="urn:other">').replaceAll('</Contents>', '</x:Contents>'),
  },
}

/** @param {Context} ctx @param {List} list @param {(list: List) => string} write @returns {Answer} */
function listAnswer(ctx, list, write) {
  const { list: change, text, status = 200 } = LISTS[ctx.state.options.lists] ?? {}
  const body = write(change ? change(list) : list)
  return { status, body: text ? text(body) : body }
}

/** The answer to DeleteObjects instead of doing it. @param {Context} ctx @returns {Answer | undefined} */
function deletionAnswer({ state: { options } }) {
  if (options.deletions === 'page') {
    return { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html><body>Welcome</body></html>' }
  }
  if (options.deletions === '204') return { status: 204 }
  return options.deletions === 'nothing' ? { status: 200 } : undefined
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
  deletionAnswer,
  encodingOf,
  errorTold,
  foldedName,
  keepsFraming,
  listAnswer,
  noteWrite,
  partWanted,
}
