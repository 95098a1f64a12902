'use strict'

const { randomUUID } = require('node:crypto')
const { authenticate, authorise } = require('./auth')
const { giveToken } = require('./auth/tokens')
const { AzureError } = require('./errors')
const { operationOf } = require('./operations')
const { writeXml } = require('./xml')

/**
 * How requests to the service are read, checked and answered.
 *
 * @typedef {import('./types').Context} Context
 */

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
      return writeXml('Error', { Code: code, Message, ...details })
    },
    head: ctx => ({ 'x-ms-request-id': ctx.requestId, ...(ctx.version !== '' && { 'x-ms-version': ctx.version }) }),
    facts: ctx => ({
      blockId: ctx.query.get('blockid'),
      range: ctx.header('x-ms-range') ?? ctx.header('range') ?? ctx.header('x-ms-source-range'),
      identity: ctx.identity?.kind,
    }),
  }
}

module.exports = { protocolOf }
