'use strict'

const { typeHeaders } = require('../../../../lib/stores/file/files')

test.each([
  ['a/b.html', 'text/html'],
  ['a.b/c.JPG', 'image/jpeg'],
  ['x.tar.gz', 'application/gzip'],
  ['x.txt', 'text/plain'],
  ['app.webmanifest', 'application/manifest+json'],
  ['html', undefined],
  ['a.proto', undefined],
  ['.json', undefined],
  ['a.json/b', undefined],
  ['a.constructor', undefined],
  ['none', undefined],
])('%s has the type %s', (key, type) => {
  expect(typeHeaders(key)).toEqual(type === undefined ? {} : { 'content-type': type })
})
