'use strict'

/** The comparison of two prefixes: what is told of each name, what is counted, and which HEADs it takes. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder } = require('../../support/folder')
const { createRig } = require('../../support/rigged-copy')
const { TROUBLES, errorOf } = require('../../support/rigged-store')

const refuses = (code, facts) => () => {
  throw errorOf(code, facts)
}
const gone = refuses('NO_SUCH_KEY', { status: 404 })
/** @param {string} prefix it lists an object below it that cannot be read */
const oddBelow = prefix => store => {
  const { list } = store
  const odd = { key: `${prefix}~`, doubtful: true, bytes: 7, etag: '', cause: errorOf('KEY_UNREADABLE') }
  return { list: (...how) => list(...how).then(page => ({ ...page, objects: [...page.objects, odd] })) }
}
/** ETags that tell nothing. */
const UNKNOWN = { can: { source: { partTag: 'none' } } }
const SUMS = { partTag: 'none', sums: { stored: ['crc32'], checked: ['crc32'], answered: [], computed: ['crc32'] } }
const SUMMED = { can: { source: SUMS, destination: SUMS } }
const SAME = { source: { a: '1', b: '22' }, destination: { a: '1', b: '22' } }
const OTHER = { source: SAME.source, destination: { a: '1', b: '33' } }
const MANY = { source: { a: '1', b: '', c: '12', d: '3' }, destination: { a: '1', b: '', c: '1', e: '3' } }
const UNLIKE = ['c differs size', 'd missing', 'e extra']
const ODD = {
  source: { ...SAME, more: { source: oddBelow('from/') } },
  destination: { ...SAME, more: { destination: oddBelow('to/') } },
}
const HEADS = ['from/a', 'from/b', 'to/a', 'to/b']
/** @param {object} source what happens to its HEAD of a @param {object} [other] to that of the destination */
const atHead = (source, other) => ({
  ...{ ...SAME, ...UNKNOWN },
  trouble: { source: source && { 'head from/a': [source] }, destination: other && { 'head to/a': [other] } },
})

const shown = ({ type, name, method, found, why = '', code }) =>
  ({ equal: `${name} = ${method}`, difference: `${name} ${found} ${why}`.trim(), failure: `${name} ${code}` })[type] ??
  []
/** What such a line counts as. @param {string} line */
const kindOf = line => / (=|differs|missing|extra)/.exec(line)?.[1] ?? 'failed'

test.each([
  ['lists', MANY, {}, ['a = etag', 'b = empty', ...UNLIKE], []],
  ['all that is read', MANY, { read: true }, ['a = read', 'b = read', ...UNLIKE], HEADS],
  ['one way', MANY, { oneWay: true }, ['a = etag', 'b = empty', ...UNLIKE.slice(0, 2)], []],
  ['bytes', { ...OTHER, ...UNKNOWN }, {}, ['a = read', 'b differs bytes'], HEADS],
  ['checksums', { ...OTHER, ...SUMMED }, {}, ['a = stored-crc32', 'b differs checksum'], ['from/b', 'to/b']],
  ['what is gone since it was listed', atHead(gone, gone), {}, ['b = read'], HEADS],
  ['a source that is gone', atHead(gone), {}, ['a extra', 'b = read'], HEADS],
  ['a source that is gone, one way', atHead(gone), { oneWay: true }, ['b = read'], HEADS],
  ['a copy that is gone', atHead(undefined, gone), {}, ['a missing', 'b = read'], HEADS],
  ['what may not be looked at', atHead(TROUBLES.denied), {}, ['a ACCESS_DENIED', 'b = read'], HEADS],
  ['unreadable keys', ODD.source, { oneWay: true }, ['a = etag', 'b = etag', '~ KEY_UNREADABLE'], []],
  ['unreadable keys of copies', ODD.destination, {}, ['a = etag', 'b = etag', '~ KEY_UNREADABLE'], []],
  ['no unreadable keys of copies, one way', ODD.destination, { oneWay: true }, ['a = etag', 'b = etag'], []],
  ['nothing that is left out', ODD.destination, { filters: [{ exclude: '~' }, { exclude: 'a' }] }, ['b = etag'], []],
])('a comparison tells %s', async (_, ends, options, lines, heads) => {
  const rig = createRig(ends)
  const { events, error, summary } = await rig.go(options, { verify: true })
  expect(events.flatMap(shown).sort()).toEqual(lines)
  const { pairs, methods } = summary ?? error.facts
  const [equal, differing, missing, extra, failed] = ['=', 'differs', 'missing', 'extra', 'failed'].map(
    kind => lines.filter(line => kindOf(line) === kind).length,
  )
  const filtered = options.filters?.length ?? 0
  expect(pairs).toEqual({ listed: lines.length, equal, differing, missing, extra, failed, filtered })
  expect(Object.values(methods).reduce((sum, count) => sum + count, 0)).toBe(equal)
  const differs = differing + missing + extra > 0
  expect(error?.code).toBe(differs ? 'OBJECTS_DIFFER' : failed > 0 ? 'OBJECTS_FAILED' : undefined)
  const asked = Object.values(rig.ends).flatMap(({ calls }) => calls.filter(call => call.startsWith('head ')))
  expect(asked.sort()).toEqual(heads.map(key => `head ${key}`))
})

test('a comparison ends with what all objects would meet, and where there is nothing', async () => {
  const refused = await createRig(atHead(refuses('NO_CREDENTIALS'))).go({}, { verify: true })
  expect(refused).toMatchObject({ error: { code: 'NO_CREDENTIALS', facts: { pairs: { listed: 2, failed: 0 } } } })
  const without = async (source, options) => (await createRig({ source }).go(options, { verify: true })).error
  expect((await without({}, {})).code).toBe('NOTHING_FOUND')
  const leftOut = await without({ a: '1', b: '2' }, { filters: [{ exclude: '*' }] })
  expect([leftOut?.code, leftOut?.message]).toEqual([
    'NOTHING_FOUND',
    expect.stringContaining('all 2 objects are left'),
  ])
  const filesFrom = join(newFolder(), 'names')
  writeFileSync(filesFrom, '')
  expect((await without({ a: '1' }, { filesFrom }))?.message).toBe(
    `Nothing was compared: ${filesFrom} names no object.`,
  )
})

test('an ETag of parts, of which a list does not tell the sizes, proves nothing by itself', async () => {
  const rig = createRig({ source: {}, can: { destination: { partTag: 'md5' } } })
  for (const [end, prefix] of Object.entries({ source: 'from/', destination: 'to/' }))
    rig.ends[end].put(`${prefix}a`, '12345', 0, `"${'a'.repeat(32)}-2"`)
  const { events } = await rig.go({}, { verify: true })
  expect(events.flatMap(shown)).toEqual(['a = read'])
})
