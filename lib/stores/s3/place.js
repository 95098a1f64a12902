'use strict'

/**
 * Places in S3: their syntax, the names that a bucket may have, the address of a bucket, and when two places are the same. Pure.
 */

const { isIP } = require('node:net')
const { dnsSuffix, isAws } = require('../../aws')
const { isLoopback } = require('../../http')
const { brief, keyFault, nameAdvice, termsOfSide, usage } = require('../common')
const { isKnownHost } = require('../servers')

/** @typedef {import('../common/objects').NameRule} NameRule */

/** @type {Array<[breaks: RegExp, says: string, whose: string]>} */
const RESERVED = [
  [/^xn--/, 'begins with xn--', 'host names in other scripts'],
  [/^sthree-/, 'begins with sthree-', 'S3 itself'],
  [/^amzn-s3-demo-/, 'begins with amzn-s3-demo-', 'the examples of its documentation'],
  [/-s3alias$/, 'ends with -s3alias', 'the aliases of access points'],
  [/--ol-s3$/, 'ends with --ol-s3', 'the aliases of access points with functions'],
  [/\.mrap$/, 'ends with .mrap', 'Multi-Region Access Points'],
  [/--x-s3$/, 'ends with --x-s3', 'directory buckets'],
  [/--table-s3$/, 'ends with --table-s3', 'table buckets'],
]

/** What is no host name cannot stand in one. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
const PATH_ALONE = 'such a bucket has no host name of its own, and is reached by path style alone'
const WILDCARD =
  "the store's wildcard certificate does not cover them in a host name: over TLS such a bucket is reached by path style alone, and has no Transfer Acceleration"

/** @type {NameRule[]} */
const NAMES = [
  { breaks: /^.{0,2}$|^.{64}/, says: 'is not 3 to 63 characters long' },
  { breaks: /[A-Z]/, says: 'has upper case letters', follows: PATH_ALONE },
  { breaks: /_/, says: 'has underscores', follows: PATH_ALONE },
  { breaks: /[^A-Za-z0-9._-]/, says: 'has characters other than letters, digits, dots and hyphens' },
  { breaks: /^[^A-Za-z0-9]|[^A-Za-z0-9]$/, says: 'does not begin and end with a letter or a digit' },
  { breaks: /\.\./, says: 'has two dots side by side', follows: PATH_ALONE },
  { breaks: /^\d+(?:\.\d+){3}$/, says: 'looks like an IP address', follows: PATH_ALONE },
  ...RESERVED.map(([breaks, says, whose]) => ({ breaks, says, follows: `which is reserved for ${whose}` })),
  { breaks: /\./, says: 'has dots', follows: WILDCARD, allowed: true },
]

/** @typedef {import('../contract').Place} Place */

/** Partitions of AWS, which are separate from each other: https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html */
const PARTITION = /^(?:cn|us-gov|us-iso[a-z]?|eu-isoe|eusc)-/i

const SYNTAX = { scheme: 's3', bucketName: /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/ }

/**
 * Parses a place. As in the AWS CLI the key is everything after the bucket's slash, without percent-decoding, query or fragment.
 *
 * @param {string} text `s3://bucket/key`, `s3://profile@bucket/key`
 * @param {{ refuse: import('../contract').RefusePlace }} how
 * @param {{ scheme: string, bucketName: RegExp, names?: NameRule[] }} [syntax] of a dialect; names: why `bucketName` does not fit
 * @returns {Place} key is '' if none was given
 * @throws {XferError} BAD_LOCATION
 */
function parse(text, { refuse }, { scheme, bucketName, names = NAMES } = SYNTAX) {
  const rest = text.slice(`${scheme}://`.length)
  refuseArn(rest, scheme, refuse)
  const slash = rest.indexOf('/')
  const authority = slash < 0 ? rest : rest.slice(0, slash)
  const key = slash < 0 ? '' : rest.slice(slash + 1)
  const at = authority.lastIndexOf('@')
  const container = authority.slice(at + 1)
  const profile = at < 0 ? undefined : authority.slice(0, at)
  // A bucket's name has no colon: this is an access key with its secret, in which a slash was found.
  if (at < 0 && authority.includes(':')) {
    const location = `${scheme}://${brief(authority.slice(0, authority.indexOf(':')))}:…`
    throw refuse('what stands before the : cannot be the name of a bucket', location)
  }
  if (profile === '') throw refuse('the profile before the @ is empty')
  // An access key and secret typed here must not appear in a log.
  if (profile?.includes(':')) {
    throw refuse('what stands before the @ is not the name of a profile', brief(`${scheme}://${container}/${key}`))
  }
  if (container === '') throw refuse('it names no bucket')
  if (!bucketName.test(container)) {
    throw refuse(`"${brief(container)}" cannot be the name of a bucket${nameAdvice(container, names)}`)
  }
  return { scheme, container, key, ...(profile && { typed: authority, options: { profile } }) }
}

/**
 * Aliases are names of buckets for every request of objects:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html#access-points-alias
 *
 * @param {string} rest what follows the scheme
 * @param {string} scheme
 * @param {import('../contract').RefusePlace} refuse
 */
function refuseArn(rest, scheme, refuse) {
  const [, region, resource] = /^(?:[^/@:]+@)?arn:[a-z-]+:[a-z0-9-]+:([^:]*):[^:]*:(.*)$/is.exec(rest) ?? []
  if (resource === undefined) return
  const location = brief(`${scheme}://${rest}`)
  if (!/^accesspoint[:/]/.test(resource)) throw refuse('an ARN is no name of a bucket', location)
  // Its requests are signed for all regions, by SigV4A.
  if (region === '')
    throw refuse('it is the ARN of a Multi-Region Access Point, for which xfer makes no signatures', location)
  throw refuse('it is the ARN of an access point', location, {
    forms: 's3://NAME-…-s3alias/KEY, with the alias that aws s3control get-access-point prints',
  })
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

/** @typedef {import('../../types').SideSettings} SideSettings */

/** A label of a host name. */
const LABEL = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/

/**
 * @param {string} bucket '' for the account
 * @param {string} region
 * @param {Pick<SideSettings, 'endpoint' | 'addressing' | 'side' | 'fips' | 'dualStack'>} settings
 * @returns {{ origin: string, path: string }} the path is '' or begins with a slash, and does not end with one
 * @throws {XferError} USAGE if AWS has no host for the region
 */
function addressOf(bucket, region, settings) {
  const { protocol, host, hostname, pathname } = new URL(settings.endpoint ?? `https://${awsHost(region, settings)}`)
  const base = pathname.replace(/\/+$/, '')
  if (bucket === '') return { origin: `${protocol}//${host}`, path: base }
  const inHost =
    !usesPathStyle(settings, bucket) && isHostPart(bucket, protocol) && isIP(hostname.replace(/[[\]]/g, '')) === 0
  return inHost
    ? { origin: `${protocol}//${bucket}.${host}`, path: base }
    : { origin: `${protocol}//${host}`, path: `${base}/${bucket}` }
}

/**
 * Refuses an endpoint that names the bucket, as the consoles of DigitalOcean and Cloudflare print it: the server would take the bucket
 * of the path for the beginning of the key, and answer well. A server's own name may begin like the bucket (minio.example.com), so of
 * servers that no row names the user may say so, by `addressing_style`. Virtual-host style writes no such key.
 *
 * @param {string} bucket '' for the account
 * @param {Pick<SideSettings, 'endpoint' | 'endpointFrom' | 'addressing' | 'side'>} settings
 * @throws {XferError} USAGE
 */
function checkEndpoint(bucket, { side, endpoint, endpointFrom, addressing }) {
  if (endpoint === undefined || bucket === '' || addressing === 'virtual') return
  const { hostname, pathname } = new URL(endpoint)
  const inPath = pathname.endsWith(`/${bucket}`)
  if (!inPath && (!hostname.startsWith(`${bucket}.`) || isIP(hostname) !== 0)) return
  const rest = inPath ? hostname : hostname.slice(bucket.length + 1)
  const known = isKnownHost(rest)
  // One label alone serves no buckets below it, and a host of a row is the server's own.
  const ownName = !inPath && (isKnownHost(hostname) || !rest.includes('.'))
  if (!known && (ownName || addressing === 'path')) return
  const plain = inPath ? endpoint.slice(0, -bucket.length - 1) : endpoint.replace(`//${bucket}.`, '//')
  const from = endpointFrom ? ` (set by ${endpointFrom})` : ''
  const wayOut = known
    ? ''
    : ` If "${bucket}" there is part of the server's own address, set addressing_style = path in the s3 settings of the profile.`
  throw usage(
    `The ${side}'s endpoint "${endpoint}"${from} names the bucket "${bucket}", as the location does: keys would begin with "${bucket}/".`,
    `Give the endpoint without the bucket: ${plain}.${wayOut}`,
  )
}

/**
 * https://docs.aws.amazon.com/general/latest/gr/s3.html
 *
 * @param {string} region
 * @param {Pick<SideSettings, 'side' | 'fips' | 'dualStack'>} settings
 * @returns {string} the host of S3 in a region of AWS
 * @throws {XferError} USAGE
 */
function awsHost(region, { side, fips, dualStack }) {
  if (!isRegion(region))
    throw usage(`No address of the ${side} can be made for region "${region}".`, 'Check the region.')
  const suffix = dnsSuffix(region.toLowerCase())
  if (fips && suffix === dnsSuffix('cn-')) {
    const advice = 'Unset AWS_USE_FIPS_ENDPOINT, and use_fips_endpoint of the profile.'
    throw usage(`The ${side}'s region ${region} has no FIPS endpoints.`, advice)
  }
  return `${fips ? 's3-fips' : 's3'}${dualStack ? '.dualstack' : ''}.${region}.${suffix}`
}

/** Whether a region can be part of a host's name and of a signature. @param {string} region */
function isRegion(region) {
  return LABEL.test(region)
}

/** Path style for custom endpoints, and for buckets with dots, which wildcard certificates do not cover. @param {Pick<SideSettings, 'endpoint' | 'addressing'>} settings @param {string} bucket */
function usesPathStyle({ endpoint, addressing }, bucket) {
  if (addressing !== 'auto') return addressing === 'path'
  return endpoint !== undefined || bucket.includes('.')
}

/** Whether a host name may begin with the bucket's: with dots over HTTP only, because of the certificates. @param {string} bucket @param {string} protocol */
function isHostPart(bucket, protocol) {
  const labels = bucket.split('.')
  if (bucket !== bucket.toLowerCase() || isIP(bucket) !== 0) return false
  return labels.every(label => LABEL.test(label)) && (labels.length === 1 || protocol === 'http:')
}

/**
 * S3's words in sentences about any store (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null} [endpointFrom] what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {{ unsigned?: boolean }} [how] unsigned: requests are not signed, because the options say so
 * @returns {import('../contract').StoreTerms}
 */
function termsOf(side, endpointFrom, { unsigned = false } = {}) {
  const [option, variable] = side === 'source' ? ['--source', 'XFER_SOURCE'] : ['--dest', 'XFER_DEST']
  const ways = `Name a profile with ${option}-profile or as s3://PROFILE@BUCKET/KEY, or set ${variable}_ACCESS_KEY_ID and ${variable}_SECRET_ACCESS_KEY`
  const checks = 'AWS_* and the profiles'
  const common = termsOfSide(side, endpointFrom, { ways, checks, usual: 'AWS', unsigned })
  return {
    container: 'bucket',
    ...common,
    address: endpointFrom ? common.endpointInUse : `${common.endpointInUse}, the region`,
    credentials: 'the access key, the secret key',
    encryption: '--sse and --sse-kms-key-id',
    storageClass: 'STANDARD',
  }
}

module.exports = { NAMES, addressOf, checkEndpoint, identify, isRegion, keyFault, parse, parseAccount, termsOf }
