'use strict'

const net = require('node:net')
const { bytesOf, isWithin, meaningsOf, rangeOf } = require('./address')

/** @typedef {import('../../../lib/types').Access} Access */

/**
 * Which hosts may be connected to. Each judgement is the reason why not, as half a sentence, or undefined.
 * @typedef {object} AccessRules
 * @property {string} key equal for equal rules
 * @property {(host: string, address: string) => string | undefined} judge a host, by its name and the address
 *   to connect to
 * @property {(host: string) => string | undefined} judgeNamed a host whose address a proxy looks up
 */

/**
 * Addresses at which clouds give a machine its own secrets, and which no object store has: link-local ones (RFC 3927, RFC
 * 4291 section 2.5.6), where nearly all clouds have their metadata, and those of the clouds that have it elsewhere.
 */
const METADATA_RANGES = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32', // Amazon EC2 and EKS
  'fd20:ce::254', // Google Cloud
  'fd00:c1::a9fe:a9fe', // Oracle Cloud
  '192.0.0.192', // Oracle Cloud Classic
  '168.63.129.16', // Azure, the host's own agent
  '100.100.100.200', // Alibaba Cloud
  'fd00:100::100:200',
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Akamai
]
const METADATA = METADATA_RANGES.map(text => /** @type {import('./address').Range} */ (rangeOf(text)))

const NOT_METADATA = 'it is a link-local or metadata address'
const NOT_LISTED = 'it is none of the hosts that the deployment allows'

/** `*`, a host's name, or `*.` and the end of one, in ASCII. */
const NAME =
  /^(?:\*|(?:\*\.)?(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*(?!\d+$|0x[\da-f]*$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)$/

/**
 * Checks the rules. Returns why they cannot be used.
 * @param {unknown} access
 * @returns {string | undefined} one sentence
 */
function accessError(access) {
  if (access === undefined) return undefined
  if (typeof access !== 'object' || access === null || Array.isArray(access))
    return 'The parameter access is no object.'
  const { hosts, metadata, ...more } = /** @type {Record<string, unknown>} */ (access)
  // A misspelled rule would not hold.
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) return 'The parameter access holds something else than hosts and metadata.'
  if (metadata !== undefined && typeof metadata !== 'boolean')
    return 'The parameter access.metadata is neither true nor false.'
  if (hosts === undefined) return undefined
  const fits = Array.isArray(hosts) && hosts.every(host => typeof host === 'string' && isHostRule(host))
  return fits ? undefined : 'The parameter access.hosts is no array of host names, addresses and ranges of addresses.'
}

/** @param {string} text */
function isHostRule(text) {
  return rangeOf(text) !== undefined || NAME.test(plain(text))
}

/** A name as names are compared. @param {string} name */
function plain(name) {
  return name.toLowerCase().replace(/\.$/, '')
}

/**
 * @param {Access} [access] checked; without `hosts` any host is allowed
 * @returns {AccessRules}
 */
function accessRules({ hosts = ['*'], metadata = false } = {}) {
  const ranges = hosts.flatMap(text => rangeOf(text) ?? [])
  const names = hosts.filter(text => rangeOf(text) === undefined).map(plain)

  /** @param {string} host */
  const isNamed = host =>
    names.some(name => name === '*' || name === host || (name.startsWith('*.') && host.endsWith(name.slice(1))))

  /** @type {AccessRules['judge']} */
  const judge = (host, address) => {
    const bytes = bytesOf(address)
    if (!bytes) return NOT_LISTED
    const secret = meaningsOf(bytes).some(meaning => METADATA.some(range => isWithin(meaning, range)))
    if (secret && !metadata) return NOT_METADATA
    return ranges.some(range => isWithin(bytes, range)) || isNamed(plain(host)) ? undefined : NOT_LISTED
  }
  return {
    key: JSON.stringify([hosts, metadata]),
    judge,
    judgeNamed: host => (net.isIP(host) ? judge(host, host) : isNamed(plain(host)) ? undefined : NOT_LISTED),
  }
}

module.exports = { METADATA_RANGES, accessRules, isHostRule, accessError }
