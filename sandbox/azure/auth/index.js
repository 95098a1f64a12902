'use strict'

const { AzureError } = require('../errors')
const { verifySas } = require('./sas')
const { verifySharedKey } = require('./shared-key')
const { verifyToken } = require('./tokens')

/**
 * Who sent a request, and whether it may do what it asks.
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../types').Identity} Identity
 * @typedef {import('../server').Operation} Operation
 */

/** @param {Context} ctx @returns {Identity} @throws {AzureError} */
function authenticate(ctx) {
  const authorization = ctx.header('authorization')
  if (authorization === undefined) {
    if (!ctx.query.has('sig')) throw new AzureError('NoAuthenticationInformation')
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
  const granted = needs === '' || [...needs].some(letter => letters.includes(letter))
  const tagged = !ctx.headers.has('x-ms-tags') || letters.includes('t')
  if (!granted || !tagged) throw new AzureError('AuthorizationPermissionMismatch')
}

module.exports = { authenticate, authorise }
