'use strict'

/** What an address means, what of it is shown, and what names its object. */

const { inspect } = require('node:util')
const { completeDestination, identify, parsePlace, placeText } = require('../../../../lib/stores')
const { digest, expiryOf, isWideSas } = require('../../../../lib/stores/https/query')

const place = text => parsePlace(text, 'source')
const settingsOf = ({ scheme, container }) => ({ endpoint: `${scheme}://${container}` })
const idOf = text => identify(place(text), settingsOf(place(text))).id

test.each([
  ['https://host/path', 'host', 'path', ''],
  ['HTTPS://Host.Example:443/a/b', 'host.example', 'a/b', ''],
  ['http://[::1]:8080/x', '[::1]:8080', 'x', ''],
  ['https://bücher.example/x', 'xn--bcher-kva.example', 'x', ''],
  ['https://host/a/../b/./c//d', 'host', 'a/../b/./c//d', ''],
  ['https://host/a%2Fb%7e', 'host', 'a%2Fb%7e', ''],
  ['https://host/ä b%', 'host', '%C3%A4%20b%25', ''],
  ['https://host/a\\b', 'host', 'a%5Cb', ''],
  ['https://host/path?a=b c&d=ü#fragment', 'host', 'path', '?a=b%20c&d=%C3%BC'],
  ['https://host/path?', 'host', 'path', ''],
  ['https://host/path#?no=query', 'host', 'path', ''],
  ['https://host/path?a?b/c@d', 'host', 'path', '?a?b/c@d'],
])('%s', (text, container, key, query) => {
  expect(place(text)).toMatchObject({ scheme: expect.stringMatching(/^https?$/), container, key })
  expect(place(text).query()).toBe(query)
  expect(placeText(place(text))).toBe(`${place(text).scheme}://${container}/${key}`)
  expect(inspect(place(text), { depth: null, showHidden: true })).not.toContain('d=')
})

test.each([
  ['https://user:SECRET@host/path', /user name or password.*--source-header/],
  ['https://SECRET@host/path', /user name or password/],
  ['https:///path', /no host/],
  ['https://', /no host/],
  ['https://ho st/path', /no host/],
  ['https://host:99999/path', /no host/],
  ['https://host:port/path', /no host/],
  ['https://host/a\nb', /characters/],
  ['https://host/?sig=SECRET', /names no key/],
  ['https://host', /names no key/],
  ['https://host/\ud800', /characters/],
])('%j is refused with its reason, and without what may be a secret', (text, reason) => {
  let error
  try {
    place(text)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ code: 'BAD_LOCATION', exitCode: 2, message: expect.stringMatching(reason) })
  expect(inspect(error, { depth: null })).not.toContain('SECRET')
})

test.each(['https://host/path', 'http://host/path?X-Amz-Signature=SECRET'])('%s is no destination', text => {
  const refused = expect.objectContaining({
    code: 'BAD_LOCATION',
    message: expect.stringMatching(/for sources only, with a presigned URL too/),
    hint: expect.stringContaining('s3://bucket/key'),
  })
  expect(() => parsePlace(text, 'destination')).toThrow(refused)
  expect(() => parsePlace(text, 'destination')).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/SECRET/) }),
  )
})

test.each([
  ['https://host/a/b.tar?x=y', 'b.tar'],
  ['https://host/a%20b.tar', 'a b.tar'],
  ['https://host/%E2%82%AC', '€'],
  ['https://host/100%', '100%'],
  ['https://host/a%2Fb', 'a%2Fb'],
  ['https://host/a%5Cb', 'a%5Cb'],
  ['https://host/a%0Ab', 'a%0Ab'],
  ['https://host/%2e%2e', '%2e%2e'],
  ['https://host/%ff', '%ff'],
])('the name of the copy of %s is %s', (text, name) => {
  expect(completeDestination(parsePlace('s3://bucket/x/', 'destination'), place(text), false).key).toBe(`x/${name}`)
})

test('two signed addresses of one object are the same object; other queries, hosts and schemes are not', () => {
  const signed = 'https://host/path?versionId=7&X-Amz-Date=1&X-Amz-Signature=a'
  expect(idOf(signed)).toBe(idOf('https://host/path?X-Amz-Date=2&X-Amz-Signature=b&versionId=7'))
  expect(idOf('https://host/path?sv=1&sig=a&se=2')).toBe(idOf('https://host/path'))
  const others = [
    'https://host/path',
    'https://host/path?versionId=8',
    'https://other/path?versionId=7',
    'http://host/path',
  ]
  expect(new Set([signed, ...others].map(idOf)).size).toBe(5)
  expect(idOf(signed)).not.toContain('versionId')
})

test('a digest tells nothing of its text', () => {
  expect(digest('a')).toMatch(/^[0-9a-f]{32}$/)
})

test.each([
  ['?X-Amz-Date=20261123T100000Z&X-Amz-Expires=900', '2026-11-23T10:15:00Z'],
  ['?X-Goog-Date=20261123T100000Z&X-Goog-Expires=60', '2026-11-23T10:01:00Z'],
  ['?sv=1&se=2026-11-23T11%3A00%3A00Z&sig=x', '2026-11-23T11:00:00Z'],
  ['?Expires=1795431600&Signature=x', '2026-11-23T11:00:00Z'],
])('%s ends at %s', (query, time) => {
  expect(expiryOf(`https://host/path${query}`)).toBe(Date.parse(time))
})

test.each(['', '?Expires=soon', '?X-Amz-Date=x&X-Amz-Expires=1', '?se=2026-11-23', '?sig=a&se=never'])(
  '%s tells no end',
  query => {
    expect(expiryOf(`https://host/path${query}`)).toBeUndefined()
  },
)

test.each([
  ['?sv=1&sr=b&sig=a', false],
  ['?sv=1&sr=c&sig=a', true],
  ['?sv=1&ss=b&srt=sco&sig=a', true],
  ['?sr=c', false],
])('%s is good for more than one blob: %s', (query, wide) => {
  expect(isWideSas(`https://host/path${query}`)).toBe(wide)
})
