'use strict'

/** Builds the data requests, which signing.js signs and a function sends. */

const { randomBytes } = require('node:crypto')
const { conditionHeaders } = require('../common')
const { READ, WRITE_BLOB, WRITE_BLOCK, writeHeaders } = require('./attributes')
const { newBlockId, readUploadId } = require('./block-ids')

/** @typedef {import('../contract').Store} Store */

/** The age of a signature, by the store's clock, from which signing again may help. The store refuses 15 minutes. */
const SIGNED_LONG_AGO_MS = 5 * 60_000

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {ReturnType<typeof import('./signing').createSigner>} of.signer
 * @param {import('./types').AzureSettings} of.settings
 * @returns {Pick<Store, 'read' | 'put' | 'signsAnew'> & Pick<Store['upload'], 'part'>}
 */
function createRequests({ control, signer, settings: { credentials } }) {
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
        ...writeHeaders(attributes, control.facts),
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
      if (dateMs !== undefined) control.learnTime(dateMs)
      const signed = credentials.kind === 'sharedKey' || credentials.kind === 'token'
      const signedMs = Date.parse(headers['x-ms-date'] ?? '')
      return signed && Math.abs(control.now() - signedMs) > SIGNED_LONG_AGO_MS
    },
  }
}

module.exports = { createRequests }
