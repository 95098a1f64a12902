'use strict'

const fc = require('fast-check')
const { childText, readXml: readTree, writeS3Xml } = require('../../../sandbox/common/xml')
const { readXml } = require('../../../lib/stores/xml/read')
const { thrownBy } = require('../../support/thrown')
const { anyName } = require('../listing/names')

const TEXT = 'text'
const LIST = { List: { Name: TEXT, Entry: [{ Key: TEXT, Size: TEXT, Owner: { Id: TEXT } }] } }
const S3 = 'http://s3.amazonaws.com/doc/2006-03-01/'

const read = (text, how) => readXml(Buffer.from(text), LIST, how)
const keysIn = text => read(text).values.Entry.map(({ Key }) => Key)
const list = (inner, attributes = '') => `<List${attributes}>${inner}</List>`
const entry = key => `<Entry><Key>${key}</Key></Entry>`

test('what it finds is what another reader finds, in documents of all shapes', () => {
  const anyText = anyName({ minLength: 1 }).filter(text => text.trim() === text)
  const anyEntry = fc.record({
    Key: anyText,
    Size: fc.option(fc.nat(), { nil: undefined }),
    Other: fc.option(anyText, { nil: undefined }),
    Owner: fc.option(fc.record({ Id: anyText, DisplayName: anyText }), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyText, fc.array(anyEntry, { maxLength: 5 }), (Name, Entry) => {
      const text = writeS3Xml('List', { Name, Entry })
      const tree = readTree(text)
      const entries = tree.children.filter(({ name }) => name === 'Entry')
      expect(read(text)).toEqual({
        root: 'List',
        values: {
          Name: childText(tree, 'Name'),
          Entry: entries.map(one => {
            const [Key, Size] = [childText(one, 'Key'), childText(one, 'Size')]
            const owner = one.children.find(({ name }) => name === 'Owner')
            return { Key, ...(Size && { Size }), ...(owner && { Owner: { Id: childText(owner, 'Id') } }) }
          }),
        },
      })
    }),
  )
})

test.each([
  ['a byte order mark', `\ufeff${list(entry('a'))}`],
  ['CDATA', list(entry('<![CDATA[a]]>'))],
  ['S3’s namespace', list(entry('a'), ` xmlns="${S3}"`)],
  ['others of another namespace', list(`<x:Other xmlns:x="urn:x"><x:Entry/></x:Other>${entry('a')}`)],
])('a document with %s is read', (_, text) => expect(keysIn(text)).toEqual(['a']))

test('texts are what was written, with all references resolved', () => {
  expect(keysIn(list(entry('&#x1F600;&#10;&amp;lt;&#x1;')))).toEqual(['😀\n&lt;\u0001'])
  expect(keysIn(list(entry('<![CDATA[&amp;<a>]]>&lt;')))).toEqual(['&amp;<a><'])
  expect(keysIn(list(entry('&#55357;&#56832;')))).toEqual(['😀'])
  expect(keysIn(list('<Entry><Key></Key></Entry><Entry><Key/></Entry><Entry/>'))).toEqual(['', '', undefined])
})

test('a document with another root is not looked at any further', () => {
  expect(read('<x:html xmlns:x="y"><p>')).toEqual({ root: 'html' })
})

test.each([
  ['nothing', '', 'empty'],
  ['half of it', list(entry('a')).slice(0, -3), 'breaks off'],
  ['elements that overlap', '<List><Entry><Key>a</Entry></Key></List>', 'do not end as they begin'],
  ['something behind it', `${list('')}more`, 'text between'],
  ['an entity of its own', '<!DOCTYPE List [<!ENTITY a "b">]><List/>', 'document type'],
  ['a prefix', '<s:List xmlns:s="urn:x"><s:Entry/></s:List>', 'of another namespace, "s:List"'],
  ['an entry of another namespace', list('<x:Entry xmlns:x="urn:x"/>'), 'of another namespace, "x:Entry"'],
  ['a key twice', list('<Entry><Key>a</Key><Key>b</Key></Entry>'), 'Key twice'],
  ['elements without end in each other', `<List>${'<a>'.repeat(1_000)}`, 'nested too deep'],
])('a document of %s is refused', (_, text, reason) => {
  const message = expect.stringContaining(reason)
  expect(thrownBy(() => read(text))).toMatchObject({ name: 'SyntaxError', message })
})

test('whatever it is given, it ends, with a document or with a SyntaxError', () => {
  const pieces =
    '< > </ /> <List <Entry> </Entry> <Key> </Key> </List> <!-- --> <![CDATA[ ]]> <? ?> &amp; & ; " \' = xmlns'
  const anyPiece = fc.constantFrom(...pieces.split(' '), ' ', ':', 'a', '\xe4', '\0')
  fc.assert(
    fc.property(fc.array(anyPiece, { maxLength: 30 }), parts => {
      expect(thrownBy(() => read(parts.join(''))) ?? new SyntaxError()).toBeInstanceOf(SyntaxError)
    }),
    { numRuns: 200 },
  )
})

test('in lenient mode an unknown reference stays as it is', () => {
  expect(read(list('<Name>a & b &c;</Name>'), { lenient: true }).values.Name).toBe('a & b &c;')
})

test('a text with Encoded="true" is percent-decoded, where that is expected', () => {
  const shape = { Blobs: { Name: 'encodable', Other: 'text' } }
  const read = inner => readXml(Buffer.from(`<Blobs>${inner}</Blobs>`), shape).values
  const both = read('<Name Encoded="true">a%2Fb%01</Name><Other Encoded="true">%20</Other>')
  expect(both).toEqual({ Name: 'a/b\u0001', Other: '%20' })
  expect(read('<Name>a%20</Name>')).toEqual({ Name: 'a%20' })
  expect(() => read('<Name Encoded="true">%zz</Name>')).toThrow('is not percent-encoded, "%zz"')
})
