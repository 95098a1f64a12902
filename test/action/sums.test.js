'use strict'

const { execFileSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const path = require('node:path')
const fc = require('fast-check')
const { createSums, decodeSum, isSum, isSumName, isSums } = require('../../actions/copy-range/sums')
const { CHUNK_BYTES, framedLength, frameBody } = require('../../actions/copy-range/dialects')
const { TRAILER } = require('./stores')

/** The reversed polynomials. All begin with all bits set, and are complemented at the end. */
const CRCS = {
  crc32: { bits: 32, polynomial: 0xedb88320n },
  crc32c: { bits: 32, polynomial: 0x82f63b78n },
  crc64nvme: { bits: 64, polynomial: 0x9a6c9329ac4bc9b5n },
}
const KINDS = [...Object.keys(CRCS), 'md5']

/** @param {string} kind @param {Uint8Array} data @returns {string[]} bit by bit, the CRC of each beginning of the data */
function crcsByDefinition(kind, data) {
  const { bits, polynomial } = CRCS[kind]
  const step = (/** @type {bigint} */ register) => (register & 1n ? (register >> 1n) ^ polynomial : register >> 1n)
  const steps = Array.from({ length: 256 }, (_, byte) => {
    let register = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) register = step(register)
    return register
  })
  const ones = (1n << BigInt(bits)) - 1n
  const hex = (/** @type {bigint} */ register) => (register ^ ones).toString(16).padStart(bits / 4, '0')
  const crcs = [hex(ones)]
  let register = ones
  for (const byte of data) {
    register = steps[Number((register ^ BigInt(byte)) & 0xffn)] ^ (register >> 8n)
    crcs.push(hex(register))
  }
  return crcs
}

/** Bytes that look random and are always the same. @param {number} bytes */
function noise(bytes) {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, n) => createHash('sha512').update(`${n}`).digest())
  return Buffer.concat(blocks).subarray(0, bytes)
}

/** @param {string[]} kinds @param {Uint8Array[]} pieces @param {number} [bytes] if their number is known */
function sumsOf(kinds, pieces, bytes) {
  const sums = createSums(kinds, bytes)
  for (const piece of pieces) sums.update(piece)
  return sums.digest()
}

/** @param {Buffer} data @param {number[]} lengths of the pieces but the last */
function cut(data, lengths) {
  const pieces = []
  let at = 0
  for (const length of lengths) {
    pieces.push(data.subarray(at, at + length))
    at += length
  }
  return [...pieces, data.subarray(at)]
}

test.each([
  ['123456789', 'cbf43926', 'e3069283', 'ae8b14860a799888', '25f9e794323b453885f5181f1b624d0b'],
  ['', '00000000', '00000000', '0000000000000000', 'd41d8cd98f00b204e9800998ecf8427e'],
])('of %j they are the published ones', (text, crc32, crc32c, crc64nvme, md5) => {
  expect(sumsOf(KINDS, [Buffer.from(text)])).toEqual({ crc32, crc32c, crc64nvme, md5 })
})

describe.each(Object.keys(CRCS))('%s', kind => {
  /** More than three times what is folded at once. */
  const much = noise(100_000)
  const expected = crcsByDefinition(kind, much)

  test('of few bytes is that of the definition, for every number of them', () => {
    for (let length = 0; length < 300; length++) {
      for (const known of [undefined, length])
        expect([length, sumsOf([kind], [much.subarray(0, length)], known)[kind]]).toEqual([length, expected[length]])
    }
  })

  test('of any number of bytes, in any pieces from anywhere in memory, is that of the definition', () => {
    const lengths = fc.array(fc.oneof(fc.nat(100), fc.nat(10_000), fc.nat(70_000)), { maxLength: 8 })
    fc.assert(
      fc.property(fc.nat(much.length), lengths, fc.nat(64), (length, pieces, offset) => {
        const data = Buffer.alloc(offset + length).subarray(offset)
        much.copy(data)
        expect(sumsOf([kind], cut(data, pieces))[kind]).toBe(expected[length])
        expect(data.equals(much.subarray(0, length))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('is not changed by others that are computed meanwhile', () => {
    const [one, other] = [createSums([kind]), createSums(KINDS)]
    for (const piece of cut(much, [10_000, 1, 50_000])) {
      one.update(piece)
      other.update(noise(20_000))
      other.update(piece.subarray(7))
    }
    expect(one.digest()).toEqual({ [kind]: expected[much.length] })
  })
})

test.each([
  ['crc32', 1024 ** 2, 0],
  ['crc32', 1024 ** 2 + 1, 1],
  ['crc32c', 2048, 0],
  ['crc32c', 2049, 1],
  ['crc64nvme', 2049, 1],
  ['md5', 1e9, 0],
])('the %s of %i bytes is folded, if these are many: with WebAssembly, which is made once', (kind, bytes, folded) => {
  const { Instance } = WebAssembly
  const made = []
  WebAssembly.Instance = class extends Instance {
    constructor(module) {
      super(module)
      made.push(Object.keys(this.exports))
    }
  }
  try {
    let fresh
    jest.isolateModules(() => {
      fresh = require('../../actions/copy-range/sums').createSums
    })
    for (let i = 0; i < 2; i++) fresh([kind], bytes).update(Buffer.alloc(10))
    const names = ['memory', ...Object.keys(CRCS).flatMap(each => [each, `${each}rest`])]
    expect(made.map(each => each.toSorted())).toEqual(Array(folded).fill(names.toSorted()))
  } finally {
    WebAssembly.Instance = Instance
  }
})

test('without WebAssembly they are the same', () => {
  const script = `
    const sums = require('./actions/copy-range/sums').createSums(${JSON.stringify(KINDS)})
    sums.update(Buffer.alloc(50_001, 'x'))
    sums.update(Buffer.alloc(50_002, 'y'))
    console.log(JSON.stringify({ webAssembly: typeof WebAssembly, sums: sums.digest() }))`
  const found = execFileSync(process.execPath, ['--jitless', '-e', script], {
    cwd: path.join(__dirname, '../..'),
    encoding: 'utf8',
    // Node.js warns on standard error of what the flag turns off.
    stdio: 'pipe',
  })
  const sums = sumsOf(KINDS, [Buffer.alloc(50_001, 'x'), Buffer.alloc(50_002, 'y')])
  expect(JSON.parse(found)).toEqual({ webAssembly: 'undefined', sums })
})

const BEHIND = { trailer: TRAILER, sum: 'crc32' }

/** @param {number} bytes @param {number[]} pieces their sizes; together `bytes` */
function framed(bytes, pieces, behind = BEHIND, sums = { crc32: 'cbf43926' }) {
  /** @type {Array<string | Buffer>} */
  const written = []
  const sink = { write: data => written.push(data) > 0 }
  const body = frameBody(bytes, behind)
  for (const size of pieces) body.write(sink, Buffer.alloc(size, 'x'))
  return Buffer.concat([...written, body.end(sums)].map(each => Buffer.from(each)))
}

const END = `${TRAILER}:y/Q5Jg==\r\n\r\n`

test.each([
  [0, [], []],
  [CHUNK_BYTES + 1, [CHUNK_BYTES - 1, 2], [CHUNK_BYTES, 1]],
  [3 * CHUNK_BYTES, [100, 3 * CHUNK_BYTES - 100], [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES]],
])('an aws-chunked body of %d bytes in pieces of %j has chunks of %j and the checksum', (bytes, pieces, sizes) => {
  const body = framed(bytes, pieces)
  const chunks = sizes.map(size => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`)
  // Not toEqual: it looks at each byte, for minutes.
  expect(body.equals(Buffer.from(`${chunks.join('')}0\r\n${END}`))).toBe(true)
  expect(framedLength(bytes, BEHIND)).toBe(body.length)
})

test.each([
  ['crc32', ['00000000', '0f9a0f9a'], ['0000000', '000000000', '0000000F', '0000000g', 'g0000000', 7, null]],
  ['md5', ['0'.repeat(32)], ['0'.repeat(16)]],
  ['crc64nvme', ['0'.repeat(16)], ['0'.repeat(8)]],
])('a checksum %s is lower-case hex of its width', (sum, right, wrong) => {
  expect([...right, ...wrong].filter(text => isSum(sum, text))).toEqual(right)
})

test('a checksum has a name that is known, and a value of its width, also where there are some', () => {
  expect(['crc32', 'sha1', 'constructor', undefined, ['crc32']].filter(isSumName)).toEqual(['crc32'])
  const right = [{}, { crc32: '00000000', md5: '0'.repeat(32) }]
  const wrong = [{ crc32: '00000000', md5: '0' }, { sha1: '0'.repeat(40) }, [], null, '']
  expect([...right, ...wrong].filter(isSums)).toEqual(right)
})

test.each([
  ['hex', '0000000F', '0000000f'],
  ['hex', '0f', undefined],
  ['base64', 'AAAADw==', '0000000f'],
  ['base64le', 'DwAAAA==', '0000000f'],
  ['base64', 'AAAADw', undefined],
  ['base64', 'AAAADw==\n', undefined],
  ['base64', 'AAAAAAA=', undefined],
])('a checksum as a store writes it, in %s, is read: %j', (encoding, text, expected) => {
  expect(decodeSum('crc32', text, encoding)).toBe(expected)
})
