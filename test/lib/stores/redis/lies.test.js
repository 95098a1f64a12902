'use strict'

/** A server that speaks for Redis, and lies: each answer is bounded, and has the shape that was asked for. */

const { existsSync } = require('node:fs')
const net = require('node:net')
const { join } = require('node:path')
const { copy } = require('../../../../lib')
const { openStore, parsePlace, resolveSettings } = require('../../../../lib/stores')
const { makeHome } = require('../../../support/home')
const { listen } = require('../../../support/listen')
const { bareEnv } = require('../../../support/run-xfer')

const ETAG = `"${'0a'.repeat(20)}"`
const MiB = 1024 ** 2
/** @param {string} text */
const bulk = text => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
/** @param {string[]} entries */
const array = (...entries) => `*${entries.length}\r\n${entries.join('')}`
const look = (size, etag, ...rest) => array(bulk('OK'), size, etag, ...rest)
const GOOD = look(':3\r\n', bulk(ETAG), ':-1\r\n', array())

/** @param {(command: string, socket: net.Socket) => string} answer in lower case, one a piece */
async function serve(answer) {
  const server = net.createServer(socket =>
    socket.on('data', piece => {
      const text = piece.toString('latin1').toLowerCase()
      socket.write(/\r\n(?:select|watch|multi|unlink)\r\n/.test(text) ? '+OK\r\n' : answer(text, socket))
    }),
  )
  return `redis://127.0.0.1:${(await listen(server)).port}/0/key`
}

/** What a store says of the key, asked once. @param {string} url */
async function head(url) {
  const place = parsePlace(url, 'source')
  return await openStore(place, await resolveSettings(place, 'source', {}, bareEnv)).head('key')
}

test('an answer as it should be is taken, without a time that is none', async () => {
  expect(await head(await serve(() => GOOD))).toMatchObject({ bytes: 3, etag: ETAG })
  const about = array(...['etag', ETAG, 'modified', '1e300'].map(bulk))
  const url = await serve(() => look(':3\r\n', bulk(ETAG), ':-1\r\n', about))
  expect((await head(url)).lastModifiedMs).toBeUndefined()
})

test('of what is beside the value, each byte is a character, and what no header can hold is left out', async () => {
  const written = { 'user:b': '日本', 'user:line': 'a\nb', 'user:a b': 'x', 'user:ü': 'x' }
  const about = array(...['etag', ETAG, ...Object.entries(written).flat()].map(bulk))
  const found = await head(await serve(() => look(':3\r\n', bulk(ETAG), ':-1\r\n', about)))
  const user = { b: Buffer.from('日本').toString('latin1') }
  expect(found).toMatchObject({ metadata: { headers: {}, user }, unkept: ['metadata that no header can hold'] })
})

test.each([
  ['no list', '+OK\r\n'],
  ['nothing', '*-1\r\n'],
  ['an empty list', '*0\r\n'],
  ['a word with a line break', array(bulk('NONE\nxfer: Copied'))],
  ['a number in place of a word', array(':1\r\n')],
  ['too few entries', array(bulk('OK'))],
  ['a size that is a text', look(bulk('3'), bulk(ETAG), ':-1\r\n', array())],
  ['a negative size', look(':-3\r\n', bulk(ETAG), ':-1\r\n', array())],
  ['no ETag', look(':3\r\n', '$-1\r\n', ':-1\r\n', array())],
  ['an ETag with a line break', look(':3\r\n', bulk('"a\r\nx: y"'), ':-1\r\n', array())],
  ['metadata that is a text', look(':3\r\n', bulk(ETAG), ':-1\r\n', bulk('x'))],
  ['a name without a value', look(':3\r\n', bulk(ETAG), ':-1\r\n', array(bulk('x')))],
  ['names that are numbers', look(':3\r\n', bulk(ETAG), ':-1\r\n', array(':1\r\n', ':2\r\n'))],
  ['a text of 2 GB', '$2000000000\r\n'],
  ['a list with room for 32 million', '*33000000\r\n'],
  ['lists in lists', '*4000000\r\n'.repeat(3)],
  ['a list behind a lone CR', ':1\rX*33000000\r\n'],
  ['a map of RESP3', '%1000000\r\n'],
  ['a line that does not end', `+${'x'.repeat(100_000)}`],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
])('a look is answered with %s', async (_, answer) => {
  const message = expect.stringContaining('an answer is none that Redis gives, or is too large')
  await expect(head(await serve(() => answer))).rejects.toMatchObject({ code: 'BAD_ANSWER', message })
})

test('an answer that never ends is left after some MiB', async () => {
  let sent = 0
  const url = await serve((_, socket) => {
    const more = () => {
      while (!socket.destroyed && sent < 200 * MiB) {
        sent += MiB
        if (!socket.write(bulk('x'.repeat(MiB)))) return
      }
    }
    socket.on('drain', more)
    more()
    return ''
  })
  await expect(head(url)).rejects.toMatchObject({ code: 'BAD_ANSWER' })
  expect(sent).toBeLessThan(100 * MiB)
})

test.each([
  ['a number', ':3\r\n'],
  ['nothing', '$-1\r\n'],
  ['a list', array(':1\r\n', ':1\r\n', ':1\r\n')],
])('a piece of the value is %s', async (_, piece) => {
  const url = await serve(command => (command.includes('getrange\r\n$3\r\nkey') ? piece : GOOD))
  const HOME = makeHome({})
  const to = join(HOME, 'copy')
  const copied = copy(url, to, { env: { ...bareEnv, HOME, XDG_STATE_HOME: HOME }, engine: 'local' })
  await expect(copied).rejects.toMatchObject({ code: 'SOURCE_CHANGED' })
  expect(existsSync(to)).toBe(false)
})
