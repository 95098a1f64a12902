'use strict'

const { dirname } = require('node:path')
const { fileURLToPath } = require('node:url')
const { asPrefix, completeDestination, parsePlace, placeText } = require('../../../../lib/stores')
const { typeHeaders } = require('../../../../lib/stores/file/list')
const { createPaths, keyFault } = require('../../../../lib/stores/file/place')
const { makeHome } = require('../../../support/home')
const { thrownBy } = require('../../../support/thrown')

const folder = makeHome({ 'there/x': '', file: '' })
const before = process.cwd()
beforeAll(() => process.chdir(folder))
afterAll(() => process.chdir(before))

/** The path of a place, with its slash at the end. */
const pathOf = (text, side = 'source') => placeText(parsePlace(text, side, { containerAlone: true }))

test.each([
  ['/etc//./x/../passwd', '/etc/passwd'],
  ['file:///a%20b/ü', '/a%20b/ü'],
  ['file', `${folder}/file`],
  ['./s3:x', `${folder}/s3:x`],
  ['..', `${dirname(folder)}/`],
])('%s is the path %s', (text, path) => {
  expect(pathOf(text)).toBe(path)
  expect(parsePlace(text, 'source', { containerAlone: true })).toMatchObject({ scheme: 'file', container: '' })
  // What a journal keeps is read as the same place.
  expect(pathOf(path)).toBe(path)
})

test('a destination that is a folder gets the name of the source, and another name is one', () => {
  const source = parsePlace('s3://bucket/a/b.txt', 'source')
  const complete = text => placeText(completeDestination(parsePlace(text, 'destination'), source, false))
  const completed = ['there', 'new', './new/x'].map(text => complete(text))
  expect(completed).toEqual([`${folder}/there/b.txt`, `${folder}/new`, `${folder}/new/x`])
  expect(placeText(asPrefix(parsePlace('there', 'source')))).toBe(`${folder}/there/`)
})

test.each([
  ['file://host/x', 'source', /three slashes, and no host/],
  ...['file:/x', 's3:x', 's3:/bucket/key', 'C:\\x', '-', ''].map(text => [text, 'source', /./]),
  ['a\0b', 'source', /NUL/],
  ...['/dev/stdout', '/dev/fd/63', '/dev/stderr', '/proc/self/fd/1', '/proc/17/fd/1', 'file:///dev/stdout'].map(
    text => [text, 'destination', /what a process has open/],
  ),
  ['bucket/key', 'destination', /read as a path, and there is no folder "bucket" here/],
  [`/${'n'.repeat(256)}`, 'destination', /name of 256 bytes/],
])('%j is refused as a %s', (text, side, reason) => {
  const message = expect.stringMatching(reason)
  expect(thrownBy(() => parsePlace(text, side))).toMatchObject({ code: 'BAD_LOCATION', exitCode: 2, message })
})

test('what a process has open is named as standard output', () => {
  const hint = 'Write it as - for standard output, as in xfer copy SRC - > /dev/stdout.'
  expect(thrownBy(() => parsePlace('/dev/stdout', 'destination'))).toMatchObject({ hint })
  expect(pathOf('/dev/stdin')).toBe('/dev/stdin')
})

test.each([
  ['a/../b', /segment/],
  ['a//b', /empty folder name/],
  ['a\0', /NUL/],
  [`a/${'ü'.repeat(128)}`, /256 bytes/],
  ...[`a/${'ü'.repeat(127)}x`, 'a/..b', 'prefix/', ''].map(key => [key, /^$/]),
])('why no file can have the key %j: %s', (key, reason) => expect(keyFault(key) ?? '').toMatch(reason))

test.each([
  ['a.b/c.JPG', 'image/jpeg'],
  ...['html', 'a.proto', '.json', 'a.json/b', 'a.constructor'].map(key => [key, undefined]),
])('%s has the type %s', (key, type) => {
  expect(typeHeaders(key)).toEqual(type === undefined ? {} : { 'content-type': type })
})

test('a key outside the folder that was named is no file of it, though it could be one', () => {
  const paths = createPaths('home/down/', {})
  expect(paths.locate('home/down/a/b')).toMatchObject({ folder: '/home/down/a', name: 'b' })
  expect(fileURLToPath(paths.url('home/down/a\u0001'))).toBe('/home/down/a\u0001')
  for (const key of ['home/out', 'home/down', 'home/downstairs/a', 'a'])
    expect(() => paths.locate(key)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }))
})
