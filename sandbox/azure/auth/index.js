'use strict'

const { AzureError } = require('../errors')
const { verifySas } = require('./sas')
const { verifySharedKey } = require('./shared-key')
const { challenge, verifyToken } = require('./tokens')

/**
 * Who sent a request, and whether it may do what it asks.
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../types').Identity} Identity
 * @typedef {import('../operations').Operation} Operation
 */

/** @param {Context} ctx @returns {Identity} @throws {AzureError} */
function authenticate(ctx) {
  const authorization = ctx.header('authorization')
  if (authorization === undefined) {
    if (!ctx.query.has('sig')) throw new AzureError('NoAuthenticationInformation', { headers: challenge() })
    const identity = verifySas(ctx)
    if (ctx.version === '') ctx.version = ctx.query.get('sv') ?? ''
    return identity
  }
  if (ctx.version === '') throw new AzureError('MissingRequiredHeader', { HeaderName: 'x-ms-version' })
  const [, account, signature] = /^SharedKey ([a-z0-9]+):([A-Za-z0-9+/=]+)$/.exec(authorization) ?? []
  if (signature !== undefined) {
    if (account !== ctx.account) throw new AzureError('AuthenticationFailed')
    verifySharedKey(ctx, signature)
    return { kind: 'sharedKey' }
  }
  const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
  if (token === undefined) throw new AzureError('InvalidAuthenticationInfo')
  const principal = verifyToken(ctx, token)
  return { kind: 'token', principal }
}

/**
 * @param {Context} ctx with its identity
 * @param {Operation} operation
 * @throws {AzureError}
 */
function authorise(ctx, { level, needs }) {
  const { permissions, principal, scope } = /** @type {Identity} */ (ctx.identity)
  if (scope && (level === 's' || scope.container !== ctx.bucketName || (scope.name !== undefined && level !== 'o'))) {
    throw new AzureError('AuthorizationResourceTypeMismatch')
  }
  for (const letters of [permissions, principal?.permissions]) {
    if (letters !== undefined) checkLetters(ctx, letters, needs)
  }
}

/**
 * @param {Context} ctx
 * @param {string} letters that are granted
 * @param {string} needs letters, one of which is enough; empty: none is needed
 */
function checkLetters(ctx, letters, needs) {
  const exists =
    ctx.state.catalog.containers.get(ctx.bucketName ?? '')?.entries.get(ctx.key ?? '')?.current !== undefined
  const granted = [...needs].filter(letter => letters.includes(letter))
  if (needs !== '' && granted.length === 0) throw new AzureError('AuthorizationPermissionMismatch')
  // Who may only create does not overwrite.
  if (exists && granted.join('') === 'c' && ctx.operation !== 'PutBlock') {
    throw new AzureError('UnauthorizedBlobOverwrite', {
      status: 403,
      message: 'This request is not authorized to perform blob overwrites.',
    })
  }
  if (ctx.headers.has('x-ms-tags') && !letters.includes('t')) throw new AzureError('AuthorizationPermissionMismatch')
}

module.exports = { authenticate, authorise }
