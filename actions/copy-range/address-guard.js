'use strict'

const net = require('node:net')

/** @typedef {import('../../lib/types').Access} Access */

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

/** Loopback addresses, and the unspecified ones, which also connect to this machine (RFC 6890, RFC 4291). */
const HERE_RANGES = ['127.0.0.0/8', '0.0.0.0', '::', '::1']

const NOT_HERE = 'it is this machine, to which no redirect leads'
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
  if (Object.keys(more).length > 0) return 'The parameter access holds something else than hosts and metadata.'
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
  /** @type {Range[]} */
  const ranges = []
  /** @type {string[]} */
  const names = []
  for (const text of hosts) {
    const range = rangeOf(text)
    if (range) ranges.push(range)
    else names.push(plain(text))
  }

  /** @param {string} host */
  const isNamed = host =>
    names.some(name => name === '*' || name === host || (name.startsWith('*.') && host.endsWith(name.slice(1))))

  /** @type {AccessRules['judge']} */
  const judge = (host, address) => {
    const bytes = bytesOf(address)
    if (!bytes) return NOT_LISTED
    if (!metadata) {
      for (const meaning of meaningsOf(bytes)) if (isInOne(meaning, METADATA)) return NOT_METADATA
    }
    return isInOne(bytes, ranges) || isNamed(plain(host)) ? undefined : NOT_LISTED
  }
  return {
    key: JSON.stringify([hosts, metadata]),
    judge,
    judgeNamed: host => (net.isIP(host) ? judge(host, host) : isNamed(plain(host)) ? undefined : NOT_LISTED),
  }
}

/** Ranges are compared bit by bit. @typedef {{ bytes: number[], bits: number }} Range */

/** Where IPv6 puts an IPv4 address (RFC 4291 section 2.5.5.2). */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/**
 * IPv6 addresses in which an IPv4 one stands, and which some router may turn into it. Of each prefix the places of the
 * four bytes: compatible (RFC 4291 section 2.5.5.1), translated (RFC 2765), 6to4 (RFC 3056), Teredo's server, and its client,
 * each of whose bits is inverted (RFC 4380 section 4).
 * @type {[prefix: string, at: number[], inverted?: number][]}
 */
const EMBEDDED = [
  ['::/96', [12, 13, 14, 15]],
  ['::ffff:0:0:0/96', [12, 13, 14, 15]],
  ['2002::/16', [2, 3, 4, 5]],
  ['2001::/32', [4, 5, 6, 7]],
  ['2001::/32', [12, 13, 14, 15], 0xff],
]

/**
 * NAT64 (RFC 6052 section 2.2): by the length of the prefix the places of the IPv4 address. The prefix may be any that the
 * network has, so these are tried for each address; 64:ff9b::/96 and 64:ff9b:1::/48 (RFC 8215) are two of them.
 */
const NAT64 = [
  { bits: 32, at: [4, 5, 6, 7] },
  { bits: 40, at: [5, 6, 7, 9] },
  { bits: 48, at: [6, 7, 9, 10] },
  { bits: 56, at: [7, 9, 10, 11] },
  { bits: 64, at: [9, 10, 11, 12] },
  { bits: 96, at: [12, 13, 14, 15] },
].map(row => ({ ...row, inverted: 0 }))
/** Byte 8 is zero in each of the shorter ones. */
const NAT64_ZERO = 8
/** Prefixes for nothing but NAT64: there byte 8 is not looked at. */
const NAT64_ONLY = ['64:ff9b::/96', '64:ff9b:1::/48']

/**
 * @param {string} text an IPv4 or IPv6 address, an IPv6 one without brackets
 * @returns {number[] | undefined} 16 bytes, an IPv4 address as IPv6 maps it; undefined where it is no address
 */
function bytesOf(text) {
  const address = text.replace(/%.*$/s, '')
  // The expression that Node.js compiles for IPv6 takes three milliseconds, and most addresses need none.
  const isAddress = address.includes(':') ? net.isIPv6(address) : net.isIPv4(address)
  return isAddress ? partsOf(address) : undefined
}

/** @param {string} address that is one @returns {number[]} as `bytesOf` */
function partsOf(address) {
  if (!address.includes(':')) return [...MAPPED, ...address.split('.').map(Number)]
  // The last two groups may be an IPv4 address.
  const [head, tail] = address.split('::').map(text => {
    const groups = text.split(':').filter(Boolean)
    return groups.flatMap(group =>
      group.includes('.') ? group.split('.').map(Number) : [...Buffer.from(group.padStart(4, '0'), 'hex')],
    )
  })
  const zeros = tail === undefined ? 0 : 16 - head.length - tail.length
  return [...head, ...new Array(zeros).fill(0), ...(tail ?? [])]
}

/**
 * @param {string} text `10.0.0.0/8`, `fd00::/8`, or a single address
 * @returns {Range | undefined} undefined where it is neither
 */
function rangeOf(text) {
  const [, address] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (address === undefined || address.includes('%') || !bytesOf(address)) return undefined
  const range = known(text)
  return range.bits <= 128 ? range : undefined
}

/** @param {number[]} bytes @param {Range} range */
function isWithin(bytes, { bytes: first, bits }) {
  for (let i = 0; i < 16; i++) {
    const bitsHere = Math.min(8, Math.max(0, bits - 8 * i))
    if ((bytes[i] ^ first[i]) >> (8 - bitsHere)) return false
  }
  return true
}

/** @param {number[]} bytes @param {Range[]} ranges */
function isInOne(bytes, ranges) {
  for (const range of ranges) if (isWithin(bytes, range)) return true
  return false
}

/** @param {string} text that has the form of a range @returns {Range} */
function known(text) {
  const [address, length] = text.split('/')
  const most = address.includes(':') ? 128 : 32
  return { bytes: partsOf(address), bits: Number(length ?? most) + 128 - most }
}
const METADATA = METADATA_RANGES.map(known)
const EMBEDDING = EMBEDDED.map(([prefix, at, inverted = 0]) => ({ range: known(prefix), at, inverted }))
const HERE = HERE_RANGES.map(known)
const NAT64_RANGES = NAT64_ONLY.map(known)
const COMPATIBLE_RANGE = known('::/96')
const MAPPED_RANGE = known('::ffff:0:0/96')

/** Whether who connects to an address reaches this machine, in each of its spellings. @param {string} address */
function isHere(address) {
  const bytes = bytesOf(address)
  // Of IPv6 addresses with an IPv4 one in them these are the compatible and the mapped ones.
  const inner = bytes && isWithin(bytes, COMPATIBLE_RANGE) ? [[...MAPPED, ...bytes.slice(12)]] : []
  return bytes !== undefined && [bytes, ...inner].some(one => isInOne(one, HERE))
}

/**
 * The rules for what a redirect leads to: no address of this machine, whatever its name is.
 * @param {AccessRules} rules
 * @returns {AccessRules}
 */
function elsewhere({ key, judge, judgeNamed }) {
  /** @param {string} host */
  const named = host => (net.isIP(host) && isHere(host) ? NOT_HERE : undefined)
  return {
    key: `${key} elsewhere`,
    judge: (host, address) => (isHere(address) ? NOT_HERE : judge(host, address)),
    judgeNamed: host => named(host) ?? judgeNamed(host),
  }
}

/**
 * An address, and what a router may make of it.
 * @param {number[]} bytes
 * @returns {number[][]}
 */
function meaningsOf(bytes) {
  if (isWithin(bytes, MAPPED_RANGE)) return [bytes]
  const anyZero = bytes[NAT64_ZERO] === 0 || isInOne(bytes, NAT64_RANGES)
  const inner = [
    ...EMBEDDING.filter(({ range }) => isWithin(bytes, range)),
    ...NAT64.filter(({ bits }) => anyZero || bits === 96),
  ]
  return [bytes, ...inner.map(({ at, inverted }) => [...MAPPED, ...at.map(i => bytes[i] ^ inverted)])]
}

/** The rules where none were given. */
const ANY_HOST = accessRules()

module.exports = {
  ANY_HOST,
  METADATA_RANGES,
  accessError,
  accessRules,
  bytesOf,
  elsewhere,
  isHere,
  isHostRule,
  isWithin,
  rangeOf,
}
