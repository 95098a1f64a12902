'use strict'

const { CHUNK_BYTES, framedLength, frameBody } = require('../../actions/copy-range/stores/s3/frame')
const { TRAILER } = require('./stores')

describe('an aws-chunked body', () => {
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

  /** @param {Buffer} body @returns {{ sizes: number[], data: Buffer, end: string }} read as the specification says */
  function unframed(body) {
    const sizes = []
    const data = []
    let at = 0
    for (;;) {
      const eol = body.indexOf('\r\n', at)
      const size = Number.parseInt(body.toString('latin1', at, eol), 16)
      if (size === 0) return { sizes, data: Buffer.concat(data), end: body.toString('latin1', eol + 2) }
      sizes.push(size)
      data.push(body.subarray(eol + 2, eol + 2 + size))
      at = eol + 2 + size
      expect(body.toString('latin1', at, at + 2)).toBe('\r\n')
      at += 2
    }
  }

  const END = `${TRAILER}:y/Q5Jg==\r\n\r\n`

  test.each([
    [0, [], []],
    [10, [10], [10]],
    [CHUNK_BYTES, [CHUNK_BYTES], [CHUNK_BYTES]],
    [CHUNK_BYTES + 1, [CHUNK_BYTES - 1, 2], [CHUNK_BYTES, 1]],
    [3 * CHUNK_BYTES, [100, 3 * CHUNK_BYTES - 100], [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES]],
  ])('of %d bytes, which come in pieces of %j, has chunks of %j and the checksum', (bytes, pieces, sizes) => {
    const body = framed(bytes, pieces)
    const { data, ...rest } = unframed(body)
    expect(rest).toEqual({ sizes, end: END })
    // Not toEqual: it looks at each byte, for minutes.
    expect(data.equals(Buffer.alloc(bytes, 'x'))).toBe(true)
    expect(framedLength(bytes, BEHIND)).toBe(body.length)
  })

  test('ends with any checksum that it names', () => {
    const behind = { trailer: 'a', sum: 'crc64nvme' }
    const body = framed(1, [1], behind, { crc64nvme: '0000000000000001' })
    expect(body.toString()).toBe('1\r\nx\r\n0\r\na:AAAAAAAAAAE=\r\n\r\n')
    expect(framedLength(1, behind)).toBe(body.length)
  })
})
