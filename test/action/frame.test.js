'use strict'

const { CHUNK_BYTES, framedLength, frameBody } = require('../../actions/copy-range/stores/s3/frame')
const { TRAILER } = require('./stores')

describe('an aws-chunked body', () => {
  /** @param {number} bytes @param {number[]} pieces their sizes; together `bytes` @param {string} [trailer] */
  function framed(bytes, pieces, trailer) {
    /** @type {Array<string | Buffer>} */
    const written = []
    const sink = { write: data => written.push(data) > 0 }
    const body = frameBody(bytes, trailer)
    for (const size of pieces) body.write(sink, Buffer.alloc(size, 'x'))
    return Buffer.concat([...written, body.end(0xcbf43926)].map(each => Buffer.from(each)))
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
    const body = framed(bytes, pieces, TRAILER)
    const { data, ...rest } = unframed(body)
    expect(rest).toEqual({ sizes, end: END })
    // Not toEqual: it looks at each byte, for minutes.
    expect(data.equals(Buffer.alloc(bytes, 'x'))).toBe(true)
    expect(framedLength(bytes, TRAILER)).toBe(body.length)
  })

  test('is not there without a trailer', () => {
    expect(framed(7, [3, 4]).toString()).toBe('xxxxxxx')
    expect(framedLength(7)).toBe(7)
  })
})
