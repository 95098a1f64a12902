'use strict'

const { getUserDelegationKey } = require('./auth/tokens')
const blobs = require('./blobs')
const blocks = require('./blocks')
const { createContainer, deleteContainer } = require('./entries')
const { AzureError } = require('./errors')
const { listBlobs, listContainers } = require('./listing')

/**
 * Finds the operation of a request: by its method, by what its path names, and by `restype` and `comp`.
 *
 * `needs`: the letters of a SAS, one of which is enough; `level`: what it works on, a service, a container or an object.
 *
 * @typedef {import('./types').Handler} Handler
 * @typedef {{ operation: string, handle: Handler, level: 's' | 'c' | 'o', needs: string }} Operation
 */

/** @type {Record<string, [operation: string, handle: Handler, needs: string]>} `level method restype comp` */
const OPERATIONS = {
  's GET  list': ['ListContainers', listContainers, 'l'],
  's POST service userdelegationkey': ['GetUserDelegationKey', getUserDelegationKey, ''],

  'c PUT container ': ['CreateContainer', createContainer, 'cw'],
  'c DELETE container ': ['DeleteContainer', deleteContainer, 'd'],
  'c GET container list': ['ListBlobs', listBlobs, 'l'],

  'o PUT  ': ['PutBlob', blobs.putWholeBlob, 'cw'],
  'o GET  ': ['GetBlob', blobs.getBlob, 'r'],
  'o HEAD  ': ['GetBlobProperties', blobs.getProperties, 'r'],
  'o DELETE  ': ['DeleteBlob', blobs.deleteBlob, 'd'],
  'o PUT  block': ['PutBlock', blocks.putBlock, 'cw'],
  'o PUT  blocklist': ['PutBlockList', blocks.putBlockList, 'cw'],
  'o GET  blocklist': ['GetBlockList', blocks.getBlockList, 'r'],
  'o GET  tags': ['GetBlobTags', blobs.getTags, 't'],
  'o PUT  tags': ['SetBlobTags', blobs.setTags, 't'],
}

/** A block whose bytes come from a URL, which a header tells apart. @type {(typeof OPERATIONS)[string]} */
const FROM_URL = ['PutBlockFromURL', blocks.putBlockFromUrl, 'cw']

/**
 * @param {Pick<import('./types').Context, 'method' | 'bucketName' | 'key' | 'query' | 'headers'>} request
 * @returns {Operation}
 */
function operationOf({ method, bucketName, key, query, headers }) {
  const level = key !== undefined ? 'o' : bucketName !== undefined ? 'c' : 's'
  const [restype, comp] = ['restype', 'comp'].map(name => (query.get(name) ?? '').toLowerCase())
  const name = `${level} ${method} ${restype} ${comp}`
  const fromUrl = name === 'o PUT  block' && headers.has('x-ms-copy-source')
  const [operation, handle, needs] = (fromUrl ? FROM_URL : OPERATIONS[name]) ?? [
    'Unknown',
    refuse(comp + restype === '' ? 'UnsupportedHttpVerb' : 'InvalidQueryParameterValue'),
    '',
  ]
  return { operation, handle, needs, level }
}

/** @param {string} code @returns {Handler} */
function refuse(code) {
  return () => {
    throw new AzureError(code)
  }
}

module.exports = { operationOf }
