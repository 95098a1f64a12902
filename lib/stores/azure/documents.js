'use strict'

/** The documents in the answers to control calls: which elements are read, and how large a document may be. Pure. */

const { XferError, withoutSecrets } = require('../../errors')
const { readXml } = require('../xml')

/** @typedef {import('../xml').Shape} Shape */

const KIB = 1024
const TEXT = 'text'

/** @typedef {{ what: string, root: string, most: number, shape: Shape }} Kind what: names the answer in errors; most: bytes */

/** By the operation. @type {Record<string, Kind>} */
const KINDS = {
  // https://learn.microsoft.com/rest/api/storageservices/list-blobs
  'List Blobs': {
    what: 'a list',
    root: 'EnumerationResults',
    // Five thousand names of 1,024 characters in their longest form.
    most: 48 * KIB * KIB,
    shape: {
      Prefix: 'encodable',
      NextMarker: TEXT,
      Blobs: {
        Blob: [
          {
            Name: 'encodable',
            Properties: {
              'Content-MD5': TEXT,
              'Last-Modified': TEXT,
              Etag: TEXT,
              ResourceType: TEXT,
              'Content-Length': TEXT,
              'Content-Type': TEXT,
              AccessTier: TEXT,
              AccessTierInferred: TEXT,
            },
          },
        ],
        BlobPrefix: [{ Name: 'encodable' }],
      },
    },
  },
  // https://learn.microsoft.com/rest/api/storageservices/list-containers2
  'List Containers': {
    what: 'a list of containers',
    root: 'EnumerationResults',
    most: 8 * KIB * KIB,
    shape: { NextMarker: TEXT, Containers: { Container: [{ Name: TEXT, Properties: { 'Last-Modified': TEXT } }] } },
  },
  // https://learn.microsoft.com/rest/api/storageservices/get-block-list
  'Get Block List': {
    what: 'a list of blocks',
    root: 'BlockList',
    // A hundred thousand blocks.
    most: 32 * KIB * KIB,
    shape: {
      UncommittedBlocks: { Block: [{ Name: TEXT, Size: TEXT }] },
      CommittedBlocks: { Block: [{ Name: TEXT }] },
    },
  },
  // https://learn.microsoft.com/rest/api/storageservices/get-blob-tags
  'Get Blob Tags': {
    what: 'the question for tags',
    root: 'Tags',
    most: 64 * KIB,
    shape: { TagSet: { Tag: [{ Key: TEXT, Value: TEXT }] } },
  },
  // https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
  'Get User Delegation Key': {
    what: 'the question for a user delegation key',
    root: 'UserDelegationKey',
    most: 64 * KIB,
    shape: {
      SignedOid: TEXT,
      SignedTid: TEXT,
      SignedStart: TEXT,
      SignedExpiry: TEXT,
      SignedService: TEXT,
      SignedVersion: TEXT,
      Value: TEXT,
    },
  },
}

const USUAL_BYTES = 256 * KIB

/** @param {string} operation @returns {Kind | undefined} undefined: it is answered without a document */
function kindOf(operation) {
  return Object.hasOwn(KINDS, operation) ? KINDS[operation] : undefined
}

/**
 * Reads the document of a success.
 *
 * @param {Kind} kind
 * @param {{ status: number, type?: string, body: Buffer | undefined }} answer body: undefined if it is too large
 * @param {Record<string, any>} facts of the store
 * @returns {Record<string, any>}
 * @throws {XferError} NOT_A_STORE, BAD_ANSWER
 */
function readDocument({ what, root, most, shape }, { status, type = '', body }, facts) {
  /** @param {string} code @param {string} reason */
  const failure = (code, reason) =>
    new XferError(code, { ...facts, status, reason: `it answers ${what} with ${reason}` })
  if (body === undefined) throw failure('BAD_ANSWER', `more than ${most / KIB} KiB`)
  if (body.toString('latin1').trim() === '') throw failure('NOT_A_STORE', 'nothing')
  const page = foreignType(type)
  if (page) throw failure('NOT_A_STORE', page)
  try {
    const { values } = readXml(body, { [root]: shape })
    if (values) return values
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw failure(/\bxml\b/i.test(type) ? 'BAD_ANSWER' : 'NOT_A_STORE', `XML that cannot be read: ${cause.message}`)
  }
  throw failure('NOT_A_STORE', 'something else')
}

/**
 * Reads the document of an error.
 *
 * @param {Buffer | undefined} body
 * @param {readonly string[]} secrets that no message may repeat
 * @returns {{ code?: string, reason?: string, detail?: string }} reason: the first line, as a clause; detail: of a refused signature
 */
function readRefusal(body, secrets) {
  if (body === undefined) return {}
  try {
    const shape = { Code: TEXT, Message: TEXT, AuthenticationErrorDetail: TEXT }
    const { values } = readXml(body, { Error: /** @type {Shape} */ (shape) }, { lenient: true })
    const { Code: code, Message = '', AuthenticationErrorDetail: detail } = values ?? {}
    const [first] = withoutSecrets(Message.trim(), secrets).split(/(?<=[.!?])\s|[\r\n]/)
    const reason = first.slice(0, 200).replace(/\.$/, '')
    return { code: code?.trim(), ...(reason && { reason }), ...(detail && { detail: withoutSecrets(detail, secrets) }) }
  } catch (cause) {
    if (cause instanceof SyntaxError) return {}
    throw cause
  }
}

/** @param {string} type Content-Type @returns {string | undefined} for messages: content that the store does not answer with */
function foreignType(type) {
  const page = /^(text\/html|application\/json)/i.exec(type)?.[1].toLowerCase()
  return page && (page === 'text/html' ? 'a web page' : 'JSON')
}

/** @param {string} text @returns {string} for the text of an element or an attribute */
function escapeXml(text) {
  return text.replace(/[&<>"\t\r\n]/g, character => `&#${character.charCodeAt(0)};`)
}

module.exports = { KINDS, USUAL_BYTES, escapeXml, foreignType, kindOf, readDocument, readRefusal }
