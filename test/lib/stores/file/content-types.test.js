'use strict'

const { typeHeaders } = require('../../../../lib/stores/file/content-types')

test.each([
  ['a/b.html', 'text/html'],
  ['a.b/c.JPG', 'image/jpeg'],
  ['x.tar.gz', 'application/gzip'],
  ['.json', undefined],
  ['a.json/b', undefined],
  ['a.constructor', undefined],
  ['none', undefined],
])('%s has the type %s', (key, type) => {
  expect(typeHeaders(key)).toEqual(type === undefined ? {} : { 'content-type': type })
})
