'use strict'

/** Places in S3: their syntax, and when two of them are the same. Pure. */

const { XferError } = require('../../errors')
const { isLoopback } = require('../../http')
const { isAws } = require('../../aws')
const { brief, nameAdvice } = require('../common')
const { NAMES } = require('./names')
const { FORMS } = require('./options')

/** @typedef {import('../contract').Place} Place */

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const MOST_KEY_BYTES = 1024
/** Partitions of AWS, which are separate from each other: https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html */
const PARTITION = /^(?:cn|us-gov|us-iso[a-z]?|eu-isoe|eusc)-/i

const SYNTAX = { scheme: 's3', forms: FORMS, bucketName: /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/ }

/**
 * Parses a place. As in the AWS CLI the key is everything after the bucket's slash, without percent-decoding, query or fragment.
 *
 * @param {string} text `s3://bucket/key`, `s3://profile@bucket/key`
 * @param {'source' | 'destination'} side
 * @param {{ scheme: string, forms: string, bucketName: RegExp, names?: import('../common/names').NameRule[] }} [syntax] of a dialect; names: why
 *   `bucketName` does not fit
 * @returns {Place} key is '' if none was given
 * @throws {XferError} BAD_LOCATION
 */
function parse(text, side, { scheme, forms, bucketName, names = NAMES } = SYNTAX) {
  const rest = text.slice(`${scheme}://`.length)
  const slash = rest.indexOf('/')
  const authority = slash < 0 ? rest : rest.slice(0, slash)
  const key = slash < 0 ? '' : rest.slice(slash + 1)
  const at = authority.lastIndexOf('@')
  const container = authority.slice(at + 1)
  const profile = at < 0 ? undefined : authority.slice(0, at)

  /** @param {string} reason @param {string} [location] */
  const bad = (reason, location = brief(text)) => new XferError('BAD_LOCATION', { side, location, reason, forms })
  // A bucket's name has no colon: this is an access key with its secret, in which a slash was found.
  if (at < 0 && authority.includes(':')) {
    const location = `${scheme}://${brief(authority.slice(0, authority.indexOf(':')))}:…`
    throw bad('what stands before the : cannot be the name of a bucket', location)
  }
  if (profile === '') throw bad('the profile before the @ is empty')
  // An access key and secret typed here must not appear in a log.
  if (profile?.includes(':')) {
    throw bad('what stands before the @ is not the name of a profile', brief(`${scheme}://${container}/${key}`))
  }
  if (container === '') throw bad('it names no bucket')
  if (!bucketName.test(container)) {
    throw bad(`"${brief(container)}" cannot be the name of a bucket${nameAdvice(container, names)}`)
  }
  return { scheme, container, key, ...(profile && { typed: authority, options: { profile } }) }
}

/**
 * A place whose buckets are to be listed.
 *
 * @param {string} text `s3://`, `s3://profile@`
 * @param {string} [scheme] of a dialect
 * @returns {Place | undefined}
 */
function parseAccount(text, scheme = 's3') {
  // An access key with its secret has a colon.
  const [, profile] = /^[a-z0-9]+:\/\/(?:([^/@:]+)@)?\/?$/i.exec(text) ?? [undefined, null]
  if (profile === null) return undefined
  return { scheme, container: '', key: '', ...(profile && { typed: `${profile}@`, options: { profile } }) }
}

/** @param {string} key @returns {string | undefined} the reason why it is invalid, to follow "the key" */
function keyFault(key) {
  if (!key.isWellFormed()) return 'is no valid Unicode'
  return Buffer.byteLength(key) > MOST_KEY_BYTES ? 'is longer than 1,024 bytes' : undefined
}

/**
 * @param {Place} place
 * @param {{ endpoint?: string, region?: string }} settings
 * @returns {import('../contract').Identity}
 */
function identify({ container }, { endpoint, region = '' }) {
  const url = endpoint === undefined ? undefined : new URL(endpoint)
  const local = url !== undefined && isLoopback(url.hostname)
  return {
    host: url && (local ? `loopback:${url.port}` : url.host),
    // AWS answers for each bucket separately.
    server: url ? (local ? `loopback:${url.port}` : `//${url.host}`) : container,
    copies: !url || isAws(url.hostname) ? partitionOf(region) : serverOf(url, local),
    name: endpoint ?? 'AWS',
    lends: true,
  }
}

/** @param {string} region */
function partitionOf(region) {
  return `aws:${PARTITION.exec(region)?.[0].toLowerCase() ?? ''}`
}

/** @param {URL} url @param {boolean} local */
function serverOf({ hostname, port, protocol, pathname }, local) {
  return `${local ? 'loopback' : hostname}:${port || (protocol === 'https:' ? '443' : '80')}${pathname}`
}

module.exports = { identify, keyFault, parse, parseAccount }
