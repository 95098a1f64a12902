'use strict'

/**
 * Who sent a request, and whether it may do what it asks.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Identity} Identity
 * @typedef {import('./server').Operation} Operation
 */

const { createHmac, randomBytes } = require('node:crypto')
const { AzureError, unauthenticated } = require('./errors')
const { receiveDocument } = require('./payload')
const { childText, readXml, writeAzureXml } = require('../common/xml')

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

/**
 * Shared access signatures of a service, with the account's key or a user delegation key.
 * https://learn.microsoft.com/rest/api/storageservices/delegate-access-with-shared-access-signature
 */

/** @param {Context} ctx @returns {Identity} @throws {AzureError} */
function verifySas(ctx) {
  const field = (/** @type {string} */ name) => ctx.query.get(name) ?? ''
  if (!/^\d{4}-\d\d-\d\d$/.test(field('sv'))) throw unauthenticated('sv is mandatory. Cannot be empty')
  const delegated = field('skoid') !== ''
  const text = serviceText(ctx, field, delegated)
  const { key, principal } = delegated
    ? delegationKey(ctx, field)
    : { key: ctx.state.options.key, principal: undefined }
  if (sign(key, text) !== field('sig')) {
    throw unauthenticated(`Signature did not match. String to sign used was ${text}`)
  }
  checkTimes(ctx, field)
  if (field('spr') === 'https' && !ctx.state.secure) throw new AzureError('AuthorizationProtocolMismatch')
  return { kind: 'sas', permissions: field('sp'), principal, scope: scopeOf(ctx, field) }
}

/** @param {Context} ctx @param {(name: string) => string} field @param {boolean} delegated */
function serviceText(ctx, field, delegated) {
  const version = field('sv')
  const who = delegated ? ['skoid', 'sktid', 'skt', 'ske', 'sks', 'skv', 'saoid', 'suoid', 'scid'] : ['si']
  if (delegated && version >= '2025-07-05') who.push('skdutid', 'sduoid')
  const fields = [
    ...['sp', 'st', 'se'].map(field),
    canonicalName(ctx, field),
    ...[...who, 'sip', 'spr', 'sv', 'sr'].map(field),
    // Of a version its time is signed.
    field('sr') === 'bv' ? field('versionid') : '',
  ]
  if (version >= '2020-12-06') fields.push(field('ses'))
  if (delegated && version >= '2026-04-06') {
    fields.push(
      bound(field('srh'), name => `${name}:${ctx.header(name.toLowerCase()) ?? ''}\n`),
      bound(field('srq'), name => `\n${name}:${ctx.query.get(name.toLowerCase()) ?? ''}`),
    )
  }
  fields.push(...['rscc', 'rscd', 'rsce', 'rscl', 'rsct'].map(field))
  return fields.join('\n')
}

/** Headers or parameters that a SAS binds, as they were sent. @param {string} names @param {(name: string) => string} lineOf */
function bound(names, lineOf) {
  const list = names === '' ? [] : names.split(',')
  return list.map(lineOf).join('')
}

/** @param {Context} ctx @param {(name: string) => string} field */
function canonicalName({ account, bucketName, key = '' }, field) {
  const container = `/blob/${account}/${bucketName}`
  if (field('sr') === 'c') return container
  return `${container}/${key}`
}

/** @param {Context} ctx @param {(name: string) => string} field @returns {NonNullable<Identity['scope']>} */
function scopeOf({ bucketName, key = '' }, field) {
  const kind = field('sr')
  if (kind === 'c') return { container: bucketName }
  if (kind === 'b' || kind === 'bv') return { container: bucketName, name: key }
  throw unauthenticated('sr is not a valid resource')
}

/** @param {Context} ctx @param {(name: string) => string} field */
function checkTimes({ state }, field) {
  const [start, end] = [Date.parse(field('st')), Date.parse(field('se'))]
  if (Number.isNaN(end)) throw unauthenticated('se is mandatory. Cannot be empty')
  if (field('st') !== '' && !(start <= state.now()))
    throw unauthenticated(`Signature not valid in the specified time frame: Start [${field('st')}]`)
  if (end <= state.now())
    throw unauthenticated(`Signature not valid in the specified time frame: Expiry [${field('se')}]`)
}

/**
 * Shared Key: a signature over the method, the standard headers, every `x-ms-` header, the path and the query.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */

const CLOCK_LIMIT_MS = 15 * 60_000

/** In the order in which they are signed. The length and the date come out differently, see below. */
const SIGNED = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
]

/** @param {string} key base64 @param {string} text @returns {string} base64 */
function sign(key, text) {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')
}

/** @param {Context} ctx @param {string} signature base64 @throws {AzureError} AuthenticationFailed */
function verifySharedKey(ctx, signature) {
  checkDate(ctx)
  const text = stringToSign(ctx)
  if (sign(ctx.state.options.key, text) === signature) return
  throw unauthenticated(`The MAC signature is not the same as any computed signature. String to sign: '${text}'.`)
}

/** @param {Context} ctx @throws {AzureError} where the date is missing, or 15 minutes away */
function checkDate(ctx) {
  const date = ctx.header('x-ms-date') ?? ctx.header('date')
  const ms = Date.parse(date ?? '')
  if (Number.isNaN(ms)) throw unauthenticated('No valid date in the x-ms-date or Date header.')
  if (Math.abs(ms - ctx.state.now()) > CLOCK_LIMIT_MS) throw unauthenticated(`Request date header too old: '${date}'`)
}

/** @param {Context} ctx */
function stringToSign(ctx) {
  const values = SIGNED.map(name => {
    const value = ctx.header(name) ?? ''
    if (name === 'content-length') return value === '0' ? '' : value
    return name === 'date' && ctx.headers.has('x-ms-date') ? '' : value
  })
  return [ctx.method, ...values, canonicalHeaders(ctx) + canonicalResource(ctx)].join('\n')
}

/** @param {Context} ctx */
function canonicalHeaders({ headers }) {
  return [...headers]
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, values]) => `${name}:${values.join(',').replace(/\s+/g, ' ').trim()}\n`)
    .join('')
}

/** @param {Context} ctx */
function canonicalResource({ account, rawPath, queryList }) {
  /** @type {Map<string, string[]>} */
  const query = new Map()
  for (const [name, value] of queryList) {
    const lower = name.toLowerCase()
    query.set(lower, [...(query.get(lower) ?? []), value])
  }
  const lines = [...query]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, values]) => `\n${name}:${values.sort().join(',')}`)
  return `/${account}${rawPath}${lines.join('')}`
}

/**
 * Tokens of the directory, and the keys for user delegation SAS that they get.
 *
 * @typedef {import('../common/types').Answer} Answer
 * @typedef {import('./types').Principal} Principal
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

module.exports = { authenticate, authorise, giveToken, getUserDelegationKey }
