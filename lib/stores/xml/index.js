'use strict'

/**
 * The documents in the answers to control calls: a store says by operation which elements are read, and how large a document may
 * be. The values are checked where they are used. And the documents of requests. Pure.
 */

const { XferError } = require('../../errors')
const { readXml, valuesOf } = require('./read')

/** @typedef {import('./read').XmlShape} XmlShape */

/**
 * @typedef {object} XmlKind
 * @property {string} [what] names the answer in errors, with an article
 * @property {string} [root] root element of a success; undefined for an operation that answers without a document
 * @property {true} [anyRoot] stores name the root differently: only its content is checked
 * @property {XmlShape} [shape]
 * @property {number} [most] bytes
 * @property {string} [longer] what a longer answer means; absent: BAD_ANSWER
 * @property {true} [late] the store may answer before the work is done, and keep the connection alive with white space
 * @property {true} [silent] an answer without a document is accepted, and tells nothing
 *
 * @typedef {object} ReadDocument
 * @property {number} status
 * @property {string} [type] Content-Type
 * @property {Buffer | undefined} body undefined if it is larger than the limit of its kind
 *
 * @typedef {{ code?: string, message?: string, region?: string, details?: string }} XmlRefusal content of an Error document
 */

const KIB = 1024
const USUAL_BYTES = 256 * KIB

/** Some stores say in details, and not in their message, what was refused to whom. */
const FAILURE = texts('Code', 'Message', 'Region', 'Details', 'AuthenticationErrorDetail')
const ERRORS = { Error: FAILURE, ErrorResponse: { Error: FAILURE } }

/**
 * Elements whose text is read.
 *
 * @param {...string} names
 * @returns {Record<string, 'text'>}
 */
function texts(...names) {
  return Object.fromEntries(names.map(name => [name, 'text']))
}

/**
 * @param {XmlKind[]} kinds all of a store
 */
function createDocuments(kinds) {
  /** Roots of documents that answer something else. @type {Record<string, XmlShape>} */
  const others = {
    html: {},
    ...Object.fromEntries(kinds.flatMap(({ root }) => (root === undefined ? [] : [[root, {}]]))),
  }

  /**
   * @param {Buffer} body
   * @param {Record<string, XmlShape>} shapes
   * @param {{ page?: string, lenient?: boolean }} [how]
   * @returns {{ root: string, values?: Record<string, any> } | { broken: string }}
   */
  function readAny(body, shapes, { page, lenient = false } = {}) {
    try {
      return readXml(body, shapes, { lenient })
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      // Some stores repeat the request in an error, without escaping it.
      if (page === undefined && !lenient) {
        const refusal = readAny(body, ERRORS, { lenient: true })
        if ('values' in refusal && refusal.values) return refusal
      }
      return { broken: cause.message }
    }
  }

  return {
    /**
     * Reads the document of a success.
     *
     * @param {XmlKind} kind
     * @param {ReadDocument} answer with a status from 200 to 299
     * @param {Record<string, any>} facts of the store
     * @returns {{ values: Record<string, any> } | { refusal: XmlRefusal }} refusal: the status is a success, the document is
     *   an error
     * @throws {XferError} NOT_A_STORE, BAD_ANSWER
     */
    read(kind, { status, type = '', body }, facts) {
      const { what, root, anyRoot, shape = {}, most = USUAL_BYTES, longer = 'BAD_ANSWER', late, silent } = kind
      /** @param {string} code @param {string} fault */
      const failure = (code, fault) =>
        new XferError(code, { ...facts, status, reason: `it answers ${what} with ${fault}` })
      // The work of a long call may be done: BAD_ANSWER makes xfer ask again.
      const strange = late ? 'BAD_ANSWER' : 'NOT_A_STORE'
      if (body === undefined) throw failure(longer, `more than ${most / KIB} KiB`)
      if (/^\s*$/.test(body.toString('latin1'))) {
        if (root === undefined) return { values: {} }
        if (silent) return { values: valuesOf(shape) }
        throw failure(strange, 'nothing')
      }
      const page = foreignType(type)
      if (page !== undefined && !looksLikeXml(body)) throw failure(strange, page)
      const own = root === undefined ? {} : { [root]: shape }
      const found = readAny(body, { ...own, ...ERRORS, ...(anyRoot && { ...others, '*': shape, ...own }) }, { page })
      if ('broken' in found) {
        const meant = page === undefined && /\bxml\b/i.test(type) && looksLikeXml(body)
        throw failure(meant ? 'BAD_ANSWER' : strange, page ?? `XML that cannot be read: ${found.broken}`)
      }
      if (Object.hasOwn(ERRORS, found.root)) return { refusal: refusalOf(found.values) }
      if (found.values === undefined || (found.root !== root && Object.hasOwn(others, found.root))) {
        throw failure(strange, 'something else')
      }
      if (status !== 200) throw failure('BAD_ANSWER', `the status ${status}`)
      return { values: found.values }
    },

    /**
     * Reads the document of a failure.
     *
     * @param {Buffer | undefined} body
     * @returns {XmlRefusal | undefined} undefined if it is no Error document
     */
    readRefusal(body) {
      if (body === undefined) return undefined
      const found = readAny(body, ERRORS)
      return 'root' in found && found.values ? refusalOf(found.values) : undefined
    },
  }
}

/** @param {Record<string, any> | undefined} values @returns {XmlRefusal} */
function refusalOf(values) {
  const { Code, Message, Region, Details, AuthenticationErrorDetail } = values?.Error ?? values ?? {}
  const details = Details ?? AuthenticationErrorDetail
  return { code: Code?.trim(), message: Message?.trim(), region: Region?.trim(), details: details?.trim() }
}

/** @param {Buffer} body */
function looksLikeXml(body) {
  return /^(?:\xef\xbb\xbf)?\s*<(?!!doctype|html)/i.test(body.toString('latin1', 0, 1024))
}

/** @param {string} type Content-Type @returns {string | undefined} for messages: a type of content that object stores do not answer with */
function foreignType(type) {
  const page = /^(text\/html|application\/json)/i.exec(type)?.[1].toLowerCase()
  return page && (page === 'text/html' ? 'a web page' : 'JSON')
}

/** Line ends too: a reader of XML would change them. @type {Record<string, string>} */
const REFERENCES = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#xA;',
  '\r': '&#xD;',
  '\u0085': '&#x85;',
  '\u2028': '&#x2028;',
}

/**
 * @param {Record<string, unknown>} document its root, and the content of it; elements in order
 * @param {string} [namespace]
 * @returns {Buffer | undefined} undefined if the root is
 */
function writeXml(document, namespace) {
  const text = content(document, namespace === undefined ? '' : ` xmlns="${namespace}"`)
  return text === '' ? undefined : Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

/** @param {object} value @param {string} [attribute] of its elements */
function content(value, attribute) {
  let text = ''
  for (const [name, each] of Object.entries(value)) text += element(name, each, attribute)
  return text
}

/**
 * @param {string} name
 * @param {unknown} value an object: its members are elements; an array: the element is repeated; undefined: it is left out
 * @param {string} [attribute]
 * @returns {string}
 */
function element(name, value, attribute = '') {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(each => element(name, each)).join('')
  const inner =
    typeof value === 'object' && value !== null
      ? content(value)
      : String(value).replace(/[&<>"'\n\r\u0085\u2028]/g, char => REFERENCES[char])
  return `<${name}${attribute}>${inner}</${name}>`
}

module.exports = { USUAL_BYTES, createDocuments, foreignType, texts, writeXml }
