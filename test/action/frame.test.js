'use strict'

const zlib = require('node:zlib')
const fc = require('fast-check')
const { crc32, tableCrc32 } = require('../../actions/copy-range/crc32')
const { framedLength, framePrefix, frameSuffix } = require('../../actions/copy-range/frame')
const { TRAILER } = require('./stores')

describe('the CRC-32', () => {
  test('of the check string is the published one, natively and by table', () => {
    const check = Buffer.from('123456789')
    expect([crc32(check), tableCrc32()(check)]).toEqual([0xcbf43926, 0xcbf43926])
  })

  test('by table is that of zlib, however the bytes are cut', () => {
    const byTable = tableCrc32()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (data, cut) => {
        const whole = byTable(data)
        expect(byTable(data.subarray(cut), byTable(data.subarray(0, cut)))).toBe(whole)
        if (zlib.crc32) expect(whole).toBe(zlib.crc32(data))
      }),
    )
  })
})

describe('an aws-chunked frame', () => {
  test.each([
    [0, '', '0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
    [10, 'a\r\n', '\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
    [65536, '10000\r\n', '\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
  ])('of %d bytes has a size line, the data and the trailer', (bytes, prefix, suffix) => {
    expect([framePrefix(bytes, TRAILER), frameSuffix(bytes, TRAILER, 0)]).toEqual([prefix, suffix])
    expect(framedLength(bytes, TRAILER)).toBe(prefix.length + bytes + suffix.length)
  })

  test('carries the checksum big-endian, in base64', () => {
    expect(frameSuffix(0, TRAILER, 0xcbf43926)).toContain(`:${Buffer.from('cbf43926', 'hex').toString('base64')}\r\n`)
  })

  test('is not there without a trailer', () => {
    expect([framedLength(7), framePrefix(7), frameSuffix(7, undefined, 1)]).toEqual([7, '', ''])
  })
})
