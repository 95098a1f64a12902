'use strict'

const { childText, readXml, writeXml } = require('../../../sandbox/store/xml')

test('what is written is read back', () => {
  const text = `<&>"' ä 🦊 \u0001 end`
  const root = readXml(writeXml('Root', { Text: text, Many: [1, 2], None: undefined, Nested: { Empty: '' } }))
  expect(root.name).toBe('Root')
  expect(root.children.map(child => child.name)).toEqual(['Text', 'Many', 'Many', 'Nested'])
  expect(childText(root, 'Text')).toBe(text)
  expect(root.children[3].children[0]).toEqual({ name: 'Empty', children: [], text: '' })
})

test('attributes, prefixes, comments, references and white space are understood', () => {
  const root = readXml(
    '\ufeff<?xml version="1.0"?>\n<!-- a -->\n<s3:A xmlns:s3=\'x\'>\n <s3:B a="1>2" >&#65;&#x42;&quot;</s3:B><C/></s3:A >\n',
  )
  expect(root).toMatchObject({ name: 'A', children: [{ name: 'B', text: 'AB"' }, { name: 'C' }] })
})

test.each([
  [''],
  ['text'],
  ['<A>'],
  ['<A></B>'],
  ['<A/><B/>'],
  ['<A>&nbsp;</A>'],
  ['<A>a & b</A>'],
  ['<A b=c/>'],
  ['</A>'],
  ['<!DOCTYPE A [<!ENTITY x "y">]><A>&x;</A>'],
  ['<A><![CDATA[x]]></A>'],
  ['<A>&#x110000;</A>'],
])('%j is malformed', text => {
  expect(() => readXml(text)).toThrow(expect.objectContaining({ code: 'MalformedXML' }))
})
