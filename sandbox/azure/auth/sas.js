'use strict'

const { isIPv4 } = require('node:net')
const { AzureError } = require('../errors')
const { sameSignature, sign } = require('./shared-key')
const { delegationKey } = require('./tokens')

/**
 * Shared access signatures: of an account, of a service, and with a user delegation key.
 * https://learn.microsoft.com/rest/api/storageservices/delegate-access-with-shared-access-signature
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../types').Identity} Identity
 */

/** @param {string} detail */
const refused = detail => new AzureError('AuthenticationFailed', { AuthenticationErrorDetail: detail })

/** @param {Context} ctx @returns {Identity} @throws {AzureError} */
function verifySas(ctx) {
  const field = (/** @type {string} */ name) => ctx.query.get(name) ?? ''
  if (!/^\d{4}-\d\d-\d\d$/.test(field('sv'))) throw refused('sv is mandatory. Cannot be empty')
  const delegated = field('skoid') !== ''
  const ofAccount = field('ss') !== ''
  if (!delegated && !ctx.state.options.sharedKeyAccess) throw new AzureError('KeyBasedAuthenticationNotPermitted')
  const text = ofAccount ? accountText(ctx, field) : serviceText(ctx, field, delegated)
  const { key, principal } = delegated
    ? delegationKey(ctx, field)
    : { key: ctx.state.options.key, principal: undefined }
  if (!sameSignature(sign(key, text), field('sig'))) {
    throw refused(`Signature did not match. String to sign used was ${text}`)
  }
  checkTimes(ctx, field)
  checkPlace(ctx, field)
  if (ofAccount && !field('ss').includes('b')) throw new AzureError('AuthorizationServiceMismatch')
  const scope = ofAccount ? { levels: field('srt') } : scopeOf(ctx, field)
  return { kind: 'sas', permissions: field('sp'), principal, scope }
}

/** @param {Context} ctx @param {(name: string) => string} field */
function accountText({ account }, field) {
  const fields = [account, ...['sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv'].map(field)]
  if (field('sv') >= '2020-12-06') fields.push(field('ses'))
  return `${fields.join('\n')}\n`
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
    // Of a version or a snapshot its time is signed.
    field('sr') === 'bs' ? field('snapshot') : field('sr') === 'bv' ? field('versionid') : '',
  ]
  if (version >= '2020-12-06') fields.push(field('ses'))
  if (delegated && version >= '2026-04-06')
    fields.push(signedHeaders(ctx, field('srh')), signedQuery(ctx, field('srq')))
  fields.push(...['rscc', 'rscd', 'rsce', 'rscl', 'rsct'].map(field))
  return fields.join('\n')
}

/** The headers that a SAS binds, as they were sent. @param {Context} ctx @param {string} names */
function signedHeaders(ctx, names) {
  return list(names)
    .map(name => `${name}:${ctx.header(name.toLowerCase()) ?? ''}\n`)
    .join('')
}

/** The parameters that a SAS binds, as they were sent. @param {Context} ctx @param {string} names */
function signedQuery(ctx, names) {
  return list(names)
    .map(name => `\n${name}:${ctx.query.get(name.toLowerCase()) ?? ''}`)
    .join('')
}

/** @param {string} names */
function list(names) {
  return names === '' ? [] : names.split(',')
}

/** @param {Context} ctx @param {(name: string) => string} field */
function canonicalName({ account, bucketName, key = '' }, field) {
  const container = `/blob/${account}/${bucketName}`
  if (field('sr') === 'c') return container
  if (field('sr') === 'd') return `${container}/${folderOf(key, field)}`
  return `${container}/${key}`
}

/** @param {string} key @param {(name: string) => string} field */
function folderOf(key, field) {
  return key
    .split('/')
    .slice(0, Number(field('sdd')))
    .join('/')
}

/** @param {Context} ctx @param {(name: string) => string} field @returns {NonNullable<Identity['scope']>} */
function scopeOf({ bucketName, key = '' }, field) {
  const kind = field('sr')
  if (kind === 'c') return { container: bucketName }
  if (kind === 'd') return { container: bucketName, below: folderOf(key, field) }
  if (['b', 'bs', 'bv'].includes(kind)) return { container: bucketName, name: key }
  throw refused('sr is not a valid resource')
}

/** @param {Context} ctx @param {(name: string) => string} field */
function checkTimes({ state }, field) {
  const [start, end] = [Date.parse(field('st')), Date.parse(field('se'))]
  if (Number.isNaN(end)) throw refused('se is mandatory. Cannot be empty')
  if (field('st') !== '' && !(start <= state.now()))
    throw refused(`Signature not valid in the specified time frame: Start [${field('st')}]`)
  if (end <= state.now()) throw refused(`Signature not valid in the specified time frame: Expiry [${field('se')}]`)
}

/** From where and over what it came. @param {Context} ctx @param {(name: string) => string} field */
function checkPlace({ req, state }, field) {
  if (field('spr') === 'https' && !state.secure) throw new AzureError('AuthorizationProtocolMismatch')
  if (field('sip') === '') return
  const from = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const [first, last = first] = field('sip').split('-')
  const inside = isIPv4(from) && isIPv4(first) && number(first) <= number(from) && number(from) <= number(last)
  if (inside) return
  throw new AzureError('AuthorizationSourceIPMismatch', {
    message: `This request is not authorized to perform this operation using this source IP ${from}.`,
    SourceIP: from,
  })
}

/** @param {string} address IPv4 */
function number(address) {
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
}

module.exports = { verifySas }
