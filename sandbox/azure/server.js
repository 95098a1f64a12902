'use strict'

/**
 * How requests to the service are read, checked and answered.
 *
 * @typedef {import('./types').Context} Context
 */

const { randomUUID } = require('node:crypto')
const { authenticate, authorise, giveToken, getUserDelegationKey } = require('./auth')
const { AzureError } = require('./errors')
const { writeAzureXml } = require('../common/xml')
const blobs = require('./blobs')
const blocks = require('./blocks')
const { createContainer, deleteContainer } = require('./entries')
const { listBlobs, listContainers } = require('./listing')

const TOKEN_PATH = /^\/[^/]+\/oauth2\/v2\.0\/token$/
/** The errors that fault rules mean by a status. */
const USUAL = {
  403: 'AuthorizationFailure',
  404: 'BlobNotFound',
  409: 'BlobAlreadyExists',
  412: 'ConditionNotMet',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServerBusy',
}

/**
 * Finds the account, the container and the blob: the account is in the path, as emulators have it.
 *
 * @param {Context} ctx
 * @throws {AzureError} InvalidUri
 */
function readPath(ctx) {
  const [account, ...segments] = ctx.rawPath.slice(1).split('/')
  ctx.account = account
  const path = decode(segments.join('/'))
  const [container, ...name] = ctx.state.options.resolvesPaths ? resolved(path) : path.split('/')
  ctx.bucketName = container || undefined
  ctx.key = name.join('/') || undefined
  if (ctx.key !== undefined && ctx.key.length > 1024) throw new AzureError('InvalidUri')
}

/** @param {string} path @throws {AzureError} InvalidUri */
function decode(path) {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new AzureError('InvalidUri', { cause })
  }
}

/** As Windows resolves a path. @param {string} path @returns {string[]} segments */
function resolved(path) {
  /** @type {string[]} */
  const segments = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment.replace(/\.+$/, ''))
  }
  return segments
}

/** @param {import('./types').State} state @returns {import('../common/serve').Protocol<Context>} */
function protocolOf(state) {
  return {
    open(received) {
      /** @type {Context} */
      const ctx = {
        ...received,
        state,
        requestId: randomUUID(),
        version: received.headers.get('x-ms-version')?.[0] ?? '',
        account: '',
        query: new Map(received.queryList.map(([name, value]) => [name.toLowerCase(), value])),
        container() {
          const container = state.catalog.containers.get(ctx.bucketName ?? '')
          if (!container) throw new AzureError('ContainerNotFound')
          return container
        },
      }
      return ctx
    },
    read(ctx) {
      readPath(ctx)
      const asksForToken = ctx.method === 'POST' && TOKEN_PATH.test(ctx.rawPath)
      ctx.operation = asksForToken ? 'GetToken' : operationOf(ctx).operation
    },
    async handle(ctx) {
      if (ctx.operation === 'GetToken') return giveToken(ctx)
      if (ctx.account !== state.options.account) throw new AzureError('ResourceNotFound')
      const operation = operationOf(ctx)
      ctx.identity = authenticate(ctx)
      authorise(ctx, operation)
      return operation.handle(ctx)
    },
    failure: (code, facts) => new AzureError(code, facts),
    malformed: 'InvalidXmlDocument',
    usual: USUAL,
    // https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2
    document(ctx, { code, message, details }) {
      const time = new Date(state.now()).toISOString()
      const Message = `${message}\nRequestId:${ctx.requestId}\nTime:${time}`
      return writeAzureXml('Error', { Code: code, Message, ...details })
    },
    head: ctx => ({ 'x-ms-request-id': ctx.requestId, ...(ctx.version !== '' && { 'x-ms-version': ctx.version }) }),
    facts: ctx => ({
      blockId: ctx.query.get('blockid'),
      range: ctx.header('x-ms-range') ?? ctx.header('range') ?? ctx.header('x-ms-source-range'),
      identity: ctx.identity?.kind,
    }),
  }
}

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

module.exports = { protocolOf }
