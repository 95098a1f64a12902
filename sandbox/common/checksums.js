'use strict'

const zlib = require('node:zlib')

/**
 * The checksums of S3 that are CRCs, and how the checksums of parts are combined into the object's.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 *
 * @typedef {'CRC32' | 'CRC32C' | 'CRC64NVME'} Algorithm
 * @typedef {{ update(bytes: Buffer): void, digest(): Buffer }} Hasher
 */

/** Reflected polynomials. */
const CRC32_POLYNOMIAL = 0xedb88320
const CRC32C_POLYNOMIAL = 0x82f63b78
const CRC64NVME_POLYNOMIAL = 0x9a6c9329ac4bc9b5n

/** @returns {Hasher} */
function crc32Hasher() {
  let crc = 0
  return {
    update(bytes) {
      crc = zlib.crc32(bytes, crc)
    },
    digest: () => uint32(crc),
  }
}

/** @type {Uint32Array | undefined} */
let crc32cTable

/** @returns {Hasher} */
function crc32cHasher() {
  crc32cTable ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ CRC32C_POLYNOMIAL : crc >>> 1
    return crc
  })
  const table = crc32cTable
  let crc = ~0
  return {
    update(bytes) {
      let value = crc
      for (let i = 0; i < bytes.length; i++) value = table[(value ^ bytes[i]) & 0xff] ^ (value >>> 8)
      crc = value
    },
    digest: () => uint32(~crc >>> 0),
  }
}

/**
 * At `256 n + b` the CRC of the byte `b` followed by `n` zeros, in two halves of 32 bits. With eight such tables eight bytes
 * take one step, whose lookups do not wait for each other.
 *
 * @type {{ high: Uint32Array, low: Uint32Array } | undefined}
 */
let crc64Tables

function makeCrc64Tables() {
  const tables = { high: new Uint32Array(8 * 256), low: new Uint32Array(8 * 256) }
  for (let byte = 0; byte < 256; byte++) {
    let crc = BigInt(byte)
    for (let zeros = 0; zeros < 8; zeros++) {
      for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ CRC64NVME_POLYNOMIAL : crc >> 1n
      tables.high[zeros * 256 + byte] = Number(crc >> 32n)
      tables.low[zeros * 256 + byte] = Number(crc & 0xffffffffn)
    }
  }
  return tables
}

/** In two halves: BigInt would be twenty times slower. @returns {Hasher} */
function crc64nvmeHasher() {
  crc64Tables ??= makeCrc64Tables()
  const { high: H, low: L } = crc64Tables
  let high = ~0
  let low = ~0
  return {
    update(bytes) {
      let [h, l] = [high, low]
      let i = 0
      for (const end = bytes.length - 7; i < end; i += 8) {
        const a = l ^ bytes.readInt32LE(i)
        const b = h ^ bytes.readInt32LE(i + 4)
        l = h = 0
        for (let shift = 0, zeros = 1792; shift < 32; shift += 8, zeros -= 256) {
          const [x, y] = [zeros + ((a >>> shift) & 255), zeros - 1024 + ((b >>> shift) & 255)]
          l ^= L[x] ^ L[y]
          h ^= H[x] ^ H[y]
        }
      }
      for (; i < bytes.length; i++) {
        const index = (l ^ bytes[i]) & 0xff
        l = ((l >>> 8) | (h << 24)) ^ L[index]
        h = (h >>> 8) ^ H[index]
      }
      high = h
      low = l
    },
    digest: () => Buffer.concat([uint32(~high >>> 0), uint32(~low >>> 0)]),
  }
}

/** @type {Record<Algorithm, { create: () => Hasher, bytes: number, combine: Combine }>} */
const ALGORITHMS = {
  CRC32: { create: crc32Hasher, bytes: 4, combine: combiner(32n, BigInt(CRC32_POLYNOMIAL)) },
  CRC32C: { create: crc32cHasher, bytes: 4, combine: combiner(32n, BigInt(CRC32C_POLYNOMIAL)) },
  CRC64NVME: { create: crc64nvmeHasher, bytes: 8, combine: combiner(64n, CRC64NVME_POLYNOMIAL) },
}

/**
 * @param {string} name
 * @returns {name is Algorithm}
 */
function isAlgorithm(name) {
  return Object.hasOwn(ALGORITHMS, name)
}

/** @typedef {(first: Buffer, second: Buffer, secondBytes: number) => Buffer} Combine */

/**
 * Combines the CRCs of two byte sequences into that of their concatenation: appending n bytes multiplies
 * the first CRC by x^8n, modulo the polynomial. Bits are reflected: the highest is x^0.
 *
 * @param {bigint} width
 * @param {bigint} polynomial
 * @returns {Combine}
 */
function combiner(width, polynomial) {
  const one = 1n << (width - 1n)
  /** x^(2^i) @type {bigint[]} */
  const squares = []
  /** @param {bigint} a @param {bigint} b */
  function multiply(a, b) {
    let product = 0n
    for (let bit = one; bit > 0n; bit >>= 1n) {
      if (a & bit) product ^= b
      b = b & 1n ? (b >> 1n) ^ polynomial : b >> 1n
    }
    return product
  }

  /** @param {number} bytes */
  function shiftOf(bytes) {
    let shift = one
    for (let rest = BigInt(bytes) * 8n, i = 0; rest > 0n; rest >>= 1n, i++) {
      if (squares.length === i) squares.push(i === 0 ? one >> 1n : multiply(squares[i - 1], squares[i - 1]))
      if (rest & 1n) shift = multiply(shift, squares[i])
    }
    return shift
  }

  return (first, second, secondBytes) => {
    const crc = multiply(shiftOf(secondBytes), toBigInt(first)) ^ toBigInt(second)
    return Buffer.from(crc.toString(16).padStart(first.length * 2, '0'), 'hex')
  }
}

/**
 * The checksum of an object from those of its parts: of all bytes (FULL_OBJECT), or of the parts' checksums,
 * with their number (COMPOSITE).
 *
 * @param {Algorithm} algorithm
 * @param {'FULL_OBJECT' | 'COMPOSITE'} type
 * @param {{ bytes: number, value: string }[]} parts values in base64
 * @returns {string} base64, followed by `-N` if composite
 */
function combineParts(algorithm, type, parts) {
  const values = parts.map(part => Buffer.from(part.value, 'base64'))
  const { create, combine } = ALGORITHMS[algorithm]
  if (type === 'COMPOSITE') {
    const hasher = create()
    for (const value of values) hasher.update(value)
    return `${hasher.digest().toString('base64')}-${parts.length}`
  }
  /** @type {Buffer} */
  let whole = values[0]
  for (let i = 1; i < values.length; i++) whole = combine(whole, values[i], parts[i].bytes)
  return whole.toString('base64')
}

/** @param {Buffer} bytes */
function toBigInt(bytes) {
  return BigInt(`0x${bytes.toString('hex')}`)
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

module.exports = { ALGORITHMS, isAlgorithm, combineParts }
