'use strict'

const { createHash } = require('node:crypto')
const zlib = require('node:zlib')
const fc = require('fast-check')
const { crc32, tableCrc32 } = require('../../actions/copy-range/copy/crc32')
const { BLOCK, SHORTEST, foldingCrc32 } = require('../../actions/copy-range/copy/crc32-fold')

const byTable = tableCrc32()
const folding = foldingCrc32(byTable)

/** Bytes that look like chance and are always the same. @param {number} bytes @param {number} [seed] */
function noise(bytes, seed = 0) {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, n) =>
    createHash('sha512').update(`${seed} ${n}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, bytes)
}

const registers = fc.integer({ min: 0, max: 0xffffffff })

test('of the check string is the published one, natively and by table', () => {
  const check = Buffer.from('123456789')
  expect([crc32(check), byTable(check)]).toEqual([0xcbf43926, 0xcbf43926])
})

test('by table is that of zlib, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (data, cut) => {
      const whole = byTable(data)
      expect(byTable(data.subarray(cut), byTable(data.subarray(0, cut)))).toBe(whole)
      if (zlib.crc32) expect(whole).toBe(zlib.crc32(data))
    }),
  )
})

describe('folded', () => {
  const much = noise(3 * BLOCK + SHORTEST)

  test('this machine can', () => expect(folding).toBeDefined())

  test.each([
    ['nothing', [0]],
    ['a byte', [1]],
    ['what is just too short, and just long enough', [-1, 0, 1, 15, 16, 17, 63, 64, 65].map(more => SHORTEST + more)],
    ['a block, and what is a little less and more', [-65, -64, -1, 0, 1, 64].map(more => BLOCK + more)],
    ['two blocks, and three', [2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 1]],
  ])('of %s it is the table’s', (_, lengths) => {
    for (const length of lengths) {
      for (const value of [0, 1, 0xffffffff, 0xcbf43926]) {
        const data = much.subarray(0, length)
        expect([length, folding(data, value)]).toEqual([length, byTable(data, value)])
      }
    }
  })

  test('of any bytes from anywhere, continued from anything, it is the table’s', () => {
    const bytes = fc.integer({ min: 0, max: 2 * BLOCK })
    fc.assert(
      fc.property(bytes, fc.nat(SHORTEST), registers, (length, from, value) => {
        const data = much.subarray(from, from + length)
        expect(folding(data, value)).toBe(byTable(data, value))
      }),
      { numRuns: 300 },
    )
  })

  test('it sees every bit, wherever it is', () => {
    const data = Buffer.from(much.subarray(0, BLOCK + SHORTEST))
    const sum = folding(data)
    fc.assert(
      fc.property(fc.nat(data.length - 1), fc.nat(7), (at, bit) => {
        data[at] ^= 1 << bit
        const other = folding(data)
        data[at] ^= 1 << bit
        expect(other).not.toBe(sum)
        expect(folding(data)).toBe(sum)
      }),
    )
  })

  test('all bits clear and all bits set are no special cases', () => {
    for (const byte of [0, 0xff]) {
      const data = Buffer.alloc(BLOCK + SHORTEST, byte)
      for (const value of [0, 0xffffffff]) expect(folding(data, value)).toBe(byTable(data, value))
    }
  })

  test('bytes are left as they were, and may be those of any array', () => {
    const data = noise(SHORTEST * 5, 1)
    const before = Buffer.from(data)
    const array = new Uint8Array(data)
    expect(folding(array)).toBe(folding(data))
    expect(data.equals(before)).toBe(true)
  })

  test('what comes in pieces of every size sums up to the same', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: BLOCK }), { maxLength: 8 }), lengths => {
        let at = 0
        let value = 0
        for (const length of lengths) {
          value = crc32(much.subarray(at, at + length), value)
          at += Math.min(length, much.length - at)
        }
        expect(value).toBe(byTable(much.subarray(0, at)))
      }),
      { numRuns: 50 },
    )
  })

  test('where WebAssembly may not be used there is none, and nothing else changes', () => {
    const script = `
      const { crc32 } = require('./actions/copy-range/copy/crc32')
      const { foldingCrc32 } = require('./actions/copy-range/copy/crc32-fold')
      console.log(typeof foldingCrc32(crc32), crc32(Buffer.alloc(${BLOCK}, 'x')))`
    const { execFileSync } = require('node:child_process')
    const root = require('node:path').join(__dirname, '../..')
    const [kind, sum] = execFileSync(process.execPath, ['--jitless', '-e', script], {
      cwd: root,
      encoding: 'utf8',
      // Node.js warns on standard error of what the flag turns off.
      stdio: 'pipe',
    }).split(/\s/)
    expect(kind).toBe('undefined')
    expect(Number(sum)).toBe(byTable(Buffer.alloc(BLOCK, 'x')))
  })
})
