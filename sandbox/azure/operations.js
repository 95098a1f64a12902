'use strict'

const attributes = require('./attributes')
const { getUserDelegationKey } = require('./auth/tokens')
const blobs = require('./blobs')
const blocks = require('./blocks')
const containers = require('./containers')
const { AzureError } = require('./errors')
const { listBlobs, listContainers } = require('./listing')

/**
 * Finds the operation of a request: by its method, by what its path names, and by `restype` and `comp`.
 *
 * `needs`: the letters of a SAS, one of which is enough; `level`: what it works on, a service, a container or an object;
 * `anonymous`: the least public access with which anyone may do it.
 *
 * @typedef {import('./types').Handler} Handler
 * @typedef {{ operation: string, handle: Handler, level: 's' | 'c' | 'o', needs: string, anonymous?: 'blob' | 'container' }} Operation
 */

/** @param {string} operation @param {Handler} handle @param {string} needs @param {Operation['anonymous']} [anonymous] */
const named = (operation, handle, needs, anonymous) => ({ operation, handle, needs, anonymous })

/** @type {Record<string, Omit<Operation, 'level'>>} `level method restype comp` */
const OPERATIONS = {
  's GET  list': named('ListContainers', listContainers, 'l'),
  's POST service userdelegationkey': named('GetUserDelegationKey', getUserDelegationKey, ''),

  'c PUT container ': named('CreateContainer', containers.createContainer, 'cw'),
  'c GET container ': named('GetContainerProperties', containers.getContainer, 'r', 'container'),
  'c HEAD container ': named('GetContainerProperties', containers.getContainer, 'r', 'container'),
  'c DELETE container ': named('DeleteContainer', containers.deleteContainer, 'd'),
  'c GET container list': named('ListBlobs', listBlobs, 'l', 'container'),

  'o PUT  ': named('PutBlob', blobs.putWholeBlob, 'cw'),
  'o GET  ': named('GetBlob', blobs.getBlob, 'r', 'blob'),
  'o HEAD  ': named('GetBlobProperties', blobs.getProperties, 'r', 'blob'),
  'o DELETE  ': named('DeleteBlob', blobs.deleteBlob, 'd'),
  'o PUT  appendblock': named('AppendBlock', blobs.appendBlock, 'aw'),
  'o PUT  block': named('PutBlock', blocks.putBlock, 'cw'),
  'o PUT  blocklist': named('PutBlockList', blocks.putBlockList, 'cw'),
  'o GET  blocklist': named('GetBlockList', blocks.getBlockList, 'r', 'blob'),
  'o GET  tags': named('GetBlobTags', attributes.getTags, 't'),
  'o PUT  tags': named('SetBlobTags', attributes.setTags, 't'),
}

/** A block whose bytes come from a URL, which a header tells apart. */
const FROM_URL = named('PutBlockFromURL', blocks.putBlockFromUrl, 'cw')

/**
 * @param {Pick<import('./types').Context, 'method' | 'bucketName' | 'key' | 'query' | 'headers'>} request
 * @returns {Operation}
 */
function operationOf({ method, bucketName, key, query, headers }) {
  const level = key !== undefined ? 'o' : bucketName !== undefined ? 'c' : 's'
  const [restype, comp] = ['restype', 'comp'].map(name => (query.get(name) ?? '').toLowerCase())
  if (level === 'o' && method === 'PUT' && headers.has('x-ms-copy-source') && comp === 'block')
    return { ...FROM_URL, level }
  const found = OPERATIONS[`${level} ${method} ${restype} ${comp}`]
  if (found) return { ...found, level }
  return {
    ...named(
      'Unknown',
      refuse(comp === '' && restype === '' ? 'UnsupportedHttpVerb' : 'InvalidQueryParameterValue'),
      '',
    ),
    level,
  }
}

/** @param {string} code @returns {Handler} */
function refuse(code) {
  return () => {
    throw new AzureError(code)
  }
}

module.exports = { operationOf }
