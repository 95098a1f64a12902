'use strict'

const { createHash } = require('node:crypto')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const fc = require('fast-check')
const { createSums } = require('../../actions/copy-range/copy/sums')

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

/** @param {string[]} kinds @param {Uint8Array[]} pieces */
function sumsOf(kinds, pieces) {
  const sums = createSums(kinds)
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

test('only those that were asked for are there', () => {
  expect(sumsOf(['crc64nvme'], [Buffer.from('123456789')])).toEqual({ crc64nvme: 'ae8b14860a799888' })
  expect(sumsOf([], [Buffer.from('123456789')])).toEqual({})
})

test('the MD5 is that of all pieces together', () => {
  const data = noise(1000)
  expect(sumsOf(['md5'], cut(data, [1, 0, 500]))).toEqual({ md5: createHash('md5').update(data).digest('hex') })
})

describe.each(Object.keys(CRCS))('%s', kind => {
  /** More than three times what is folded at once. */
  const much = noise(100_000)
  const expected = crcsByDefinition(kind, much)

  test('of few bytes is that of the definition, for every number of them', () => {
    for (let length = 0; length < 300; length++) {
      expect([length, sumsOf([kind], [much.subarray(0, length)])[kind]]).toEqual([length, expected[length]])
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

  test.each([5_000, 5_321, 5_376, 16_384, 32_768, 65_536, 98_304])('of about %i bytes in one piece too', near => {
    for (let length = near - 65; length <= near + 65; length++) {
      expect([length, sumsOf([kind], [much.subarray(0, length)])[kind]]).toEqual([length, expected[length]])
    }
  })

  test.each([0, 0xff])('of bytes that are all %i too', byte => {
    const same = Buffer.alloc(40_000, byte)
    expect(sumsOf([kind], cut(same, [1, 20_000]))[kind]).toBe(crcsByDefinition(kind, same)[same.length])
  })

  test('sees every bit, wherever it is', () => {
    const data = Buffer.from(much)
    fc.assert(
      fc.property(fc.nat(data.length - 1), fc.nat(7), (at, bit) => {
        data[at] ^= 1 << bit
        expect(sumsOf([kind], [data])[kind]).not.toBe(expected[data.length])
        data[at] ^= 1 << bit
      }),
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

test('without WebAssembly they are the same', () => {
  const script = `
    const sums = require('./actions/copy-range/copy/sums').createSums(${JSON.stringify(KINDS)})
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
