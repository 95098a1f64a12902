'use strict'

const { createHmac } = require('node:crypto')
const { unauthenticated } = require('../errors')

/**
 * Shared Key: a signature over the method, the standard headers, every `x-ms-` header, the path and the query.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 *
 * @typedef {import('../types').Context} Context
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

module.exports = { verifySharedKey, sign }
