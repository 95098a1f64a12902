'use strict'

const { randomUUID } = require('node:crypto')
const { authenticate, authorise } = require('./auth')
const { giveToken } = require('./auth/tokens')
const { AzureError } = require('./errors')
const { operationOf } = require('./operations')
const { readPath } = require('./request')
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
