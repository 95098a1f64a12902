'use strict'

const { createHmac, randomBytes } = require('node:crypto')
const { receiveDocument } = require('../payload')
const { AzureError, unauthenticated } = require('../errors')
const { childText, readXml, writeAzureXml } = require('../../common/xml')

/**
 * Tokens of the directory, and the keys for user delegation SAS that they get.
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../../common/types').Answer} Answer
 * @typedef {import('../types').Principal} Principal
 */

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

/**
 * Gives a token: with a client secret, as the directory does at `/TENANT/oauth2/v2.0/token`.
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function giveToken(ctx) {
  const tenant = ctx.rawPath.split('/')[1]
  const fields = new URLSearchParams((await receiveDocument(ctx)).text)
  const [id, secret] = [fields.get('client_id'), fields.get('client_secret')]
  const principal = ctx.state.options.principals.find(
    one => one.tenantId === tenant && one.clientId === id && one.clientSecret === secret,
  )
  if (!principal)
    return json(401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' })
  const token = randomBytes(40).toString('base64url')
  ctx.state.tokens.set(token, { principal, expiresMs: ctx.state.now() + HOUR_MS })
  return json(200, { token_type: 'Bearer', expires_in: HOUR_MS / 1000, access_token: token })
}

/** @param {number} status @param {object} document @returns {Answer} */
function json(status, document) {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(document) }
}

/** @param {Context} ctx @param {string} token @returns {Principal} @throws {AzureError} */
function verifyToken(ctx, token) {
  const found = ctx.state.tokens.get(token)
  if (found && found.expiresMs > ctx.state.now()) return found.principal
  throw new AzureError('InvalidAuthenticationInfo', {
    AuthenticationErrorDetail: `The token is ${found ? 'expired' : 'not known'}.`,
  })
}

/**
 * https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function getUserDelegationKey(ctx) {
  const principal = ctx.identity?.kind === 'token' ? ctx.identity.principal : undefined
  if (!principal) throw unauthenticated('Only authentication scheme Bearer is supported')
  if (principal.delegates === false) throw new AzureError('AuthorizationPermissionMismatch')
  const document = readXml((await receiveDocument(ctx)).text)
  const [start, expiry] = [childText(document, 'Start') ?? '', childText(document, 'Expiry') ?? '']
  const [startMs, endMs, now] = [Date.parse(start || new Date(0).toISOString()), Date.parse(expiry), ctx.state.now()]
  if (document.name !== 'KeyInfo' || Number.isNaN(startMs) || !(endMs > now)) throw new AzureError('InvalidXmlDocument')
  if (endMs > now + WEEK_MS || startMs > now + WEEK_MS) throw new AzureError('OutOfRangeQueryParameterValue')
  const facts = {
    SignedOid: principal.objectId,
    SignedTid: principal.tenantId,
    SignedStart: start,
    SignedExpiry: expiry,
    SignedService: 'b',
    SignedVersion: ctx.version,
  }
  return {
    status: 200,
    body: writeAzureXml('UserDelegationKey', { ...facts, Value: keyOf(ctx, Object.values(facts)) }),
  }
}

/** @param {Context} ctx @param {string[]} facts @returns {string} base64 */
function keyOf({ state }, facts) {
  return createHmac('sha256', `user delegation ${state.options.key}`).update(facts.join('\n')).digest('base64')
}

/**
 * The key with which a user delegation SAS must have been signed.
 *
 * @param {Context} ctx
 * @param {(name: string) => string} field of the SAS
 * @returns {{ key: string, principal: Principal }}
 * @throws {AzureError} AuthenticationFailed
 */
function delegationKey(ctx, field) {
  const now = ctx.state.now()
  const principal = ctx.state.options.principals.find(
    one => one.objectId === field('skoid') && one.tenantId === field('sktid'),
  )
  const inTime = Date.parse(field('skt')) <= now && now < Date.parse(field('ske'))
  if (!principal || !inTime || field('sks') !== 'b' || field('suoid') + field('saoid') + field('sduoid') !== '') {
    throw unauthenticated('The user delegation key is not valid.')
  }
  return { principal, key: keyOf(ctx, ['skoid', 'sktid', 'skt', 'ske', 'sks', 'skv'].map(field)) }
}

module.exports = { giveToken, verifyToken, getUserDelegationKey, delegationKey }
