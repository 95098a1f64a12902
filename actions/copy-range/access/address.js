'use strict'

const net = require('node:net')

/** Ranges are compared bit by bit. @typedef {{ bytes: number[], bits: number }} Range */

/** Where IPv6 puts an IPv4 address (RFC 4291 section 2.5.5.2). */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/**
 * IPv6 addresses in which an IPv4 one stands, and which some router may turn into it. Of each prefix the places of the
 * four bytes: compatible (RFC 4291 section 2.5.5.1), translated (RFC 2765), 6to4 (RFC 3056), Teredo's server (RFC 4380
 * section 4).
 * @type {[prefix: string, at: number[]][]}
 */
const EMBEDDED = [
  ['::/96', [12, 13, 14, 15]],
  ['::ffff:0:0:0/96', [12, 13, 14, 15]],
  ['2002::/16', [2, 3, 4, 5]],
  ['2001::/32', [4, 5, 6, 7]],
]

/** Teredo's client, each of whose bits is inverted (RFC 4380 section 4). */
const TEREDO = { prefix: '2001::/32', at: [12, 13, 14, 15] }

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
]
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
  if (net.isIPv4(address)) return [...MAPPED, ...address.split('.').map(Number)]
  if (!net.isIPv6(address)) return undefined
  const [head, tail] = address.split('::').map(groupsOf)
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  return [...head, ...new Array(zeros).fill(0), ...(tail ?? [])].flatMap(group => [group >> 8, group & 0xff])
}

/** @param {string} text groups of an IPv6 address, of which the last may be an IPv4 one */
function groupsOf(text) {
  return text
    .split(':')
    .filter(Boolean)
    .flatMap(group => {
      if (!group.includes('.')) return Number.parseInt(group, 16)
      const [a, b, c, d] = group.split('.').map(Number)
      return [(a << 8) | b, (c << 8) | d]
    })
}

/**
 * @param {string} text `10.0.0.0/8`, `fd00::/8`, or a single address
 * @returns {Range | undefined} undefined where it is neither
 */
function rangeOf(text) {
  const [, address, length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bytes = address === undefined || address.includes('%') ? undefined : bytesOf(address)
  if (!bytes) return undefined
  const most = net.isIPv4(address) ? 32 : 128
  const bits = length === undefined ? most : Number(length)
  return bits <= most ? { bytes, bits: bits + 128 - most } : undefined
}

/** @param {number[]} bytes @param {Range} range */
function isWithin(bytes, { bytes: first, bits }) {
  for (let i = 0; i < 16; i++) {
    const bitsHere = Math.min(8, Math.max(0, bits - 8 * i))
    if ((bytes[i] ^ first[i]) >> (8 - bitsHere)) return false
  }
  return true
}

/** @param {string} prefix of those above */
const known = prefix => /** @type {Range} */ (rangeOf(prefix))
const EMBEDDING = EMBEDDED.map(([prefix, at]) => ({ range: known(prefix), at }))
const TEREDO_RANGE = known(TEREDO.prefix)
const NAT64_RANGES = NAT64_ONLY.map(known)
const MAPPED_RANGE = { bytes: [...MAPPED, 0, 0, 0, 0], bits: 96 }

/**
 * An address, and what a router may make of it.
 * @param {number[]} bytes
 * @returns {number[][]}
 */
function meaningsOf(bytes) {
  if (isWithin(bytes, MAPPED_RANGE)) return [bytes]
  const inner = EMBEDDING.filter(({ range }) => isWithin(bytes, range)).map(({ at }) => at.map(i => bytes[i]))
  if (isWithin(bytes, TEREDO_RANGE)) inner.push(TEREDO.at.map(i => bytes[i] ^ 0xff))
  const anyZero = bytes[NAT64_ZERO] === 0 || NAT64_RANGES.some(range => isWithin(bytes, range))
  for (const { bits, at } of NAT64) if (anyZero || bits === 96) inner.push(at.map(i => bytes[i]))
  return [bytes, ...inner.map(ipv4 => [...MAPPED, ...ipv4])]
}

module.exports = { bytesOf, isWithin, meaningsOf, rangeOf }
