'use strict'

const fc = require('fast-check')
const { createBodyReader, createHeadReader, MAX_BYTES, Misfit } = require('../../../actions/copy-range/http1')

/** The head of an answer that comes in these pieces, and how much of the last was used. */
function readHead(...pieces) {
  const reader = createHeadReader()
  for (const piece of pieces) {
    const found = reader.feed(Buffer.from(piece, 'latin1'))
    if (found) return found
  }
  return undefined
}

const HEAD = 'HTTP/1.1 206 Partial Content\r\nETag: "e"\r\nContent-Length: 5\r\n\r\n'

test('a head is the same wherever it is split', () => {
  const whole = readHead(`${HEAD}body`)
  const head = { status: 206, headers: { etag: '"e"', 'content-length': '5' } }
  expect(whole).toMatchObject({ used: HEAD.length, head })
  for (let at = 0; at <= HEAD.length; at++) {
    const found = readHead(HEAD.slice(0, at), `${HEAD.slice(at)}body`)
    expect(found?.head).toEqual(whole?.head)
    if (at < HEAD.length) expect(found?.used).toBe(HEAD.length - at)
  }
  expect(readHead(...HEAD)?.head).toEqual(whole?.head)
})

test.each([
  ['HTTP/1.1 200 OK\r\n\r\n', true],
  ['HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', false],
  ['HTTP/1.0 200 OK\r\n\r\n', false],
])('a head %j leaves the connection open: %s', (text, persistent) => {
  expect(readHead(text)?.head.persistent).toBe(persistent)
})

test('a head with a field named like what every object has', () => {
  const { head } = readHead('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\n\r\n') ?? {}
  expect(JSON.stringify(head?.headers)).toBe('{"__proto__":"x","constructor":"y"}')
})

test('a head as long as may be is read, and a longer one is not', () => {
  const padding = MAX_BYTES - 'HTTP/1.1 200 OK\r\nX: '.length
  expect(readHead(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(padding)}\r\n\r\n`)?.head.status).toBe(200)
  expect(() => readHead(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(padding + 1)}\r\n\r\n`)).toThrow(Misfit)
  expect(() => readHead(...`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(padding + 5)}`)).toThrow(Misfit)
  // Node.js takes no more than 16 KiB by itself.
  expect(MAX_BYTES).toBeGreaterThan(40_000)
})

test.each([
  ['another protocol', 'SSH-2.0-OpenSSH\r\n'],
  ['a line without a colon', 'HTTP/1.1 200 OK\r\nETag\r\n\r\n'],
  ['a name with a blank', 'HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\n'],
  ['a null in a value', 'HTTP/1.1 200 OK\r\nETag: a\0b\r\n\r\n'],
  ['a carriage return alone', 'HTTP/1.1 200 OK\r\nETag: a\rb: c\r\n\r\n'],
  ['lines that end with a line feed alone', 'HTTP/1.1 200 OK\nETag: "a"\n\n\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n'],
])('a head with %s is none', (_name, text) => expect(() => readHead(text)).toThrow(Misfit))

test('a head of any bytes is either none or says what it says, and never takes long', () => {
  const SIGNS = ['HTTP/1.1 200 OK', '\r\n', '\r', '\n', ' ', ':', 'ETag', ': ', '"e"', '\t', '\0', '\xff']
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.array(fc.constantFrom(...SIGNS)).map(parts => Buffer.from(parts.join(''), 'latin1')),
  )
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(20)), (text, cuts) => {
      const outcome = pieces => {
        try {
          return readHead(...pieces)?.head
        } catch (error) {
          expect(error).toBeInstanceOf(Misfit)
          return 'misfit'
        }
      }
      const all = Buffer.from(text).toString('latin1')
      const pieces = []
      let rest = all
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      expect(outcome([...pieces, rest])).toEqual(outcome([all]))
    }),
    { numRuns: 200 },
  )
  const started = process.cpuUsage()
  const slow = [`HTTP/1.1 200 ${' '.repeat(16_000)}`, `HTTP/1.1 200 OK\r\nX:${' \t'.repeat(8_000)}`]
  for (const text of slow) expect(() => readHead(`${text}\0\r\n\r\n`)).toThrow(Misfit)
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5)
})

describe('a body', () => {
  /** What a body of these pieces is, and how much of them belongs to it. */
  function readBody(headers, pieces, status = 200) {
    const reader = createBodyReader({ status, persistent: true, headers })
    const texts = []
    let used = 0
    for (const piece of pieces) {
      const data = part => texts.push(part.toString('latin1'))
      used += reader.feed(Buffer.from(piece, 'latin1'), { taker: { data } })
    }
    return { text: texts.join(''), used, ended: reader.ended, good: reader.ended || !reader.delimited }
  }
  const chunked = { 'transfer-encoding': 'chunked' }
  const CHUNKS = '4\r\n0123\r\n00A;x="y z"\r\nabcdefghij\r\n0\r\nTrailer: x\r\n\r\n'

  test('in chunks is not given to a taker that has left', () => {
    const data = jest.fn(() => delete to.taker)
    const to = { taker: { data } }
    createBodyReader({ status: 200, persistent: true, headers: chunked }).feed(Buffer.from(CHUNKS), to)
    expect(data).toHaveBeenCalledTimes(1)
  })

  test('in chunks is the same wherever it is split', () => {
    const whole = { text: '0123abcdefghij', used: CHUNKS.length, ended: true, good: true }
    for (let at = 0; at <= CHUNKS.length; at++)
      expect(readBody(chunked, [CHUNKS.slice(0, at), CHUNKS.slice(at)])).toEqual(whole)
    expect(readBody(chunked, [...CHUNKS])).toEqual(whole)
    expect(readBody(chunked, [`${CHUNKS}HTTP/1.1`])).toEqual(whole)
    for (let at = 0; at < CHUNKS.length; at++)
      expect(readBody(chunked, [CHUNKS.slice(0, at)])).toMatchObject({ ended: false, good: false })
  })

  test.each([
    ['a size beyond all numbers', `${'f'.repeat(17)}\r\n`],
    ['a chunk longer than it says', '4\r\n01234\r\n'],
    ['a line feed alone', '4\n0123'],
    ['an endless line', `4;${'x'.repeat(20_000)}`],
  ])('in chunks with %s is none', (_name, text) => {
    expect(() => readBody(chunked, [text])).toThrow(Misfit)
    expect(() => readBody(chunked, [...text])).toThrow(Misfit)
  })

  test.each([
    ['counted and short', { 'content-length': '4' }, '012', { text: '012', ended: false, good: false }],
    ['counted and empty', { 'content-length': '0' }, 'rest', { text: '', used: 0, ended: true }],
    ['until the end of the connection', {}, '0123', { text: '0123', used: 4, ended: false, good: true }],
    ['of a 204, empty whatever it says', { 'content-length': '4' }, 'rest', { used: 0, ended: true }, 204],
  ])('%s', (_, headers, text, expected, status = 200) => {
    expect(readBody(headers, [text], status)).toMatchObject(expected)
  })

  test.each([
    [{ 'content-length': '4', 'transfer-encoding': 'chunked' }],
    [{ 'transfer-encoding': 'gzip, chunked' }],
    [{ 'content-length': '4, 4' }],
  ])('that says %j is none', headers => expect(() => readBody(headers, [])).toThrow(Misfit))
})
