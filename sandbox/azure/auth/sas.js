'use strict'

const { AzureError, unauthenticated } = require('../errors')
const { sign } = require('./shared-key')
const { delegationKey } = require('./tokens')

/**
 * Shared access signatures of a service, with the account's key or a user delegation key.
 * https://learn.microsoft.com/rest/api/storageservices/delegate-access-with-shared-access-signature
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../types').Identity} Identity
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

module.exports = { verifySas }
