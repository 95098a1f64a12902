'use strict'

const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const fc = require('fast-check')
const { childText, readXml, writeXml } = require('../../../sandbox/store/xml')
const { takeEntries } = require('../../../lib/stores/s3/list-answer')
const { anyName } = require('../listing/names')

const DATE = '2026-01-02T03:04:05.000Z'
const entry = (Key, more = {}) => ({ Key, LastModified: DATE, ETag: '"e"', Size: 1, StorageClass: 'STANDARD', ...more })
const documentOf = (entries, more = {}) =>
  writeXml('ListBucketResult', { Name: 'b', ...more, Contents: entries, KeyCount: 1 })
const wrapped = contents =>
  `<ListBucketResult><Name>b</Name>${contents}<IsTruncated>false</IsTruncated></ListBucketResult>`
const take = text => takeEntries(Buffer.from(text))

test('entries are what a reader of XML finds, and the rest is the document without them', () => {
  const anyEntry = fc.record({
    Key: anyName({ minLength: 1 }).filter(key => key.trim() === key && !key.includes('\r')),
    LastModified: fc.constant(DATE),
    ETag: fc.constantFrom('"e"', 'e', '"&<>"'),
    Size: fc.nat(),
    Owner: fc.constantFrom(undefined, { ID: 'x', DisplayName: '<me>' }),
    StorageClass: fc.constantFrom(undefined, 'STANDARD', 'GLACIER'),
  })
  fc.assert(
    fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 5 }), contents => {
      const text = documentOf(contents)
      const { entries, rest } = take(text)
      const expected = readXml(text).children.filter(({ name }) => name === 'Contents')
      const told = entries.map(one => ({ ...one, LastModified: one.LastModified.toISOString() }))
      const names = ['Key', 'LastModified', 'ETag', 'Size', 'StorageClass']
      expect(told).toEqual(expected.map(one => Object.fromEntries(names.map(name => [name, childText(one, name)]))))
      expect(rest.toString()).toBe(documentOf([]))
    }),
  )
})

test.each([
  [
    'white space between them',
    wrapped(
      '\n  <Contents><Key>a</Key><Size>1</Size></Contents>\r\n\t<Contents><Size>2</Size><Key>b</Key></Contents>\n',
    ),
  ],
  [
    'white space in them',
    wrapped('<Contents>\n <Key>a</Key>\n <Size>1</Size>\n</Contents><Contents><Key>b</Key><Size>2</Size></Contents>'),
  ],
])('%s is as good', (_, text) => {
  expect(take(text).entries).toMatchObject([
    { Key: 'a', Size: '1' },
    { Key: 'b', Size: '2' },
  ])
})

test('references are resolved, those above U+FFFF as well', () => {
  const [{ Key, ETag }] = take(
    wrapped('<Contents><Key>&#x1F600;&#10;&amp;lt;</Key><ETag>&quot;&apos;&lt;&gt;</ETag><Size>1</Size></Contents>'),
  ).entries
  expect([Key, ETag]).toEqual(['😀\n&lt;', '"\'<>'])
})

test.each([
  ['without entries', wrapped('')],
  ['of something else', '<html>Contents</html>'],
  ['with attributes', wrapped('<Contents xmlns="x"><Key>a</Key><Size>1</Size></Contents>')],
  [
    'with one of them that has attributes',
    wrapped(
      '<Contents><Key>a</Key><Size>1</Size></Contents><Contents x="y"><Key>b</Key></Contents><Contents><Key>c</Key><Size>1</Size></Contents>',
    ),
  ],
  ['with a name space', wrapped('<s3:Contents><s3:Key>a</s3:Key></s3:Contents>')],
  ['with characters that are no markup', wrapped('<Contents><Key><![CDATA[a]]></Key><Size>1</Size></Contents>')],
  ['with comments', wrapped('<Contents><Key>a</Key><Size>1</Size></Contents><!-- <Contents> -->')],
  [
    'with something between its entries',
    wrapped('<Contents><Key>a</Key><Size>1</Size></Contents><X/><Contents><Key>b</Key><Size>1</Size></Contents>'),
  ],
  ['with an entry without a key', wrapped('<Contents><Size>1</Size></Contents>')],
  ['with an entry without a size', wrapped('<Contents><Key>a</Key></Contents>')],
  [
    'with a date that is none',
    wrapped('<Contents><Key>a</Key><Size>1</Size><LastModified>now</LastModified></Contents>'),
  ],
  ['that breaks off', '<ListBucketResult><Contents><Key>a</Key>'],
])('a document %s is left to others', (_, text) => {
  expect(take(text)).toBeUndefined()
})

test('what breaks off behind an entry is not a whole document without it', () => {
  const { entries, rest } = take('<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents><Contents><Key>b')
  expect(entries).toHaveLength(1)
  expect(rest.toString()).toBe('<ListBucketResult><Contents><Key>b')
})

test('a key that is kept holds no page in memory', () => {
  const text = documentOf(Array.from({ length: 1_000 }, (_, i) => entry(`some/long/key/of/a/list/${i}`)))
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const kept = []
  const before = heap()
  for (let page = 0; page < 60; page++) kept.push(take(text).entries[page].Key)
  // Each page has more than 150 KB.
  expect(heap() - before).toBeLessThan(3e6)
  expect(kept).toHaveLength(60)
})
