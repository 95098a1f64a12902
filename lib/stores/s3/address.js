'use strict'

/** The address of a bucket. Pure. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */

const { isIP } = require('node:net')
const { dnsSuffix } = require('../../aws')
const { usage } = require('../common')

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

module.exports = { addressOf, isRegion }
