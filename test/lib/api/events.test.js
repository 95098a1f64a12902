'use strict'

/** The types of the events have the fields that docs/reference/events.md explains. test/e2e/events.test.js holds the page. */

const { declarationsOf } = require('../../../docs/make/declarations')
const { OF_A_PREFIX, OF_ONE_OBJECT, OF_VERIFY } = require('../../../docs/make/events')

const DECLARED = Object.fromEntries(
  ['comparisons', 'events', 'summaries'].flatMap(file =>
    declarationsOf(`api/${file}.d.ts`).map(({ name, code }) => [name, code]),
  ),
)

/** @param {string} name of an interface @returns {string[]} its fields and those of its bases, optional ones with a `?` */
function fieldsOf(name) {
  const [, bases = ''] = /extends ([\w, ]+) \{/.exec(DECLARED[name]) ?? []
  const own = [...DECLARED[name].matchAll(/^ {2}(\w+\??):/gm)].map(match => match[1])
  return [...new Set([...bases.split(', ').filter(Boolean).flatMap(fieldsOf), ...own])]
}

/** @param {string} union @returns {string[]} the interfaces in it */
function membersOf(union) {
  const names = DECLARED[union].slice(DECLARED[union].indexOf('=')).match(/\w+/g) ?? []
  return names.flatMap(name => (DECLARED[name].startsWith('type ') ? membersOf(name) : [name]))
}

/** @param {string} union @returns {Record<string, string[]>} by type of event, the fields of all of its interfaces */
function typesOf(union) {
  /** @type {Record<string, string[][]>} */
  const byType = {}
  for (const name of membersOf(union)) {
    const [, type] = /^ {2}type: '(\w+)'$/m.exec(DECLARED[name]) ?? []
    byType[type] = [...(byType[type] ?? []), fieldsOf(name)]
  }
  return Object.fromEntries(Object.entries(byType).map(([type, all]) => [type, merge(all).sort()]))
}

/** A field that one of them lacks is there sometimes. @param {string[][]} all */
function merge(all) {
  const names = [...new Set(all.flat().map(name => name.replace('?', '')))].filter(name => !/^(type|time)$/.test(name))
  return names.map(name => (all.every(fields => fields.includes(name)) ? name : `${name}?`))
}

/** @param {Record<string, { fields: Record<string, string> }>} kinds @param {string[]} types */
function pageOf(kinds, types) {
  const names = type => Object.keys(kinds[type]?.fields ?? {})
  return Object.fromEntries(types.map(type => [type, names(type).sort()]))
}

test.each([
  ['CopyEvent', OF_ONE_OBJECT],
  ['PrefixEvent', { ...OF_ONE_OBJECT, ...OF_A_PREFIX }],
  ['VerifyEvent', { ...OF_ONE_OBJECT, ...OF_VERIFY }],
])('%s has the events and the fields of the page', (union, kinds) => {
  const types = typesOf(union)
  expect(types).toEqual(pageOf(kinds, Object.keys(types)))
})

test('every event of the page has a type', () => {
  const known = ['CopyEvent', 'PrefixEvent', 'VerifyEvent'].map(union => Object.keys(typesOf(union)))
  const told = [OF_ONE_OBJECT, OF_A_PREFIX, OF_VERIFY].map(kinds => Object.keys(kinds))
  expect(told.map((types, at) => types.filter(type => !known[at].includes(type)))).toEqual([[], [], []])
})
