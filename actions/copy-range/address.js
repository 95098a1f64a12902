'use strict'

const net = require('node:net')

/** Ranges are compared bit by bit. @typedef {{ bytes: number[], bits: number }} Range */

/** Where IPv6 puts an IPv4 address (RFC 4291 section 2.5.5.2). */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/**
 * Other IPv6 addresses in which an IPv4 one stands, and which some router may turn into it: compatible (RFC 4291 section
 * 2.5.5.1), translated (RFC 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056).
 * @type {[prefix: string, at: number][]} at: of its first byte
 */
const EMBEDDED = [
  ['::/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/96', 12],
  ['2002::/16', 2],
]

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

const EMBEDDING = EMBEDDED.map(([prefix, at]) => ({ range: /** @type {Range} */ (rangeOf(prefix)), at }))

/**
 * An address, and what a router may make of it.
 * @param {number[]} bytes
 * @returns {number[][]}
 */
function meaningsOf(bytes) {
  const inner = EMBEDDING.filter(({ range }) => isWithin(bytes, range))
  return [bytes, ...inner.map(({ at }) => [...MAPPED, ...bytes.slice(at, at + 4)])]
}

module.exports = { bytesOf, isWithin, meaningsOf, rangeOf }
