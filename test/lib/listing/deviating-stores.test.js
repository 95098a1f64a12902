'use strict'

/** Stores that list in ways of their own, as HTTP servers: nothing may seem to be missing because of that. */

const { storeAnswering } = require('../../support/answering')
const { tellPairs, joinOf, walkAll } = require('./stores')
const { listLevel } = require('../../../lib/listing')
const { writeS3Xml } = require('../../../sandbox/common/xml')

const numbers = count => Array.from({ length: count }, (_, i) => `k${String(i).padStart(5, '0')}`)

/**
 * @param {(asked: { after?: string, token?: string }) => { keys: string[], next?: string, truncated?: boolean, encoding?: boolean }} answer
 * @param {{ prefix?: string, edit?: (body: string) => string }} [how] edit: of the document
 * @returns {Promise<{ place: object, asked: Array<Record<string, string>> }>}
 */
async function deviatingStore(answer, { prefix = '', edit = body => body } = {}) {
  const asked = []
  const respond = (response, request) => {
    const query = new URL(request.url, 'http://store').searchParams
    asked.push(Object.fromEntries(query))
    const [after, token] = ['start-after', 'continuation-token'].map(name => query.get(name) ?? undefined)
    const { keys, next, truncated = next !== undefined, encoding } = answer({ after, token })
    const Contents = keys.map(Key => ({ Key, Size: 1, ETag: '"e"', LastModified: '2026-01-02T03:04:05.000Z' }))
    const page = { Name: 'b', Prefix: query.get('prefix'), KeyCount: keys.length, IsTruncated: truncated, Contents }
    const more = { EncodingType: encoding && 'url', NextContinuationToken: next }
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(edit(writeS3Xml('ListBucketResult', { ...page, ...more })))
  }
  const store = await storeAnswering(respond, { side: 'source' }, 'b')
  return { place: { store, key: prefix }, asked }
}

const DISORDERED = { code: 'LISTING_DISORDERED', exitCode: 1, retryable: false, facts: { side: 'source', bucket: 'b' } }
const disordered = reason => ({ ...DISORDERED, message: expect.stringContaining(reason) })

describe('a list whose order cannot be relied on is an error', () => {
  test.each([
    ['in the order of UTF-16', { keys: ['😀', '\ufb01'] }, 'it lists "\ufb01" behind "😀"'],
    ['a key twice', { keys: ['a', 'a'] }, 'it lists "a" behind "a"'],
    ['a truncated list without a continuation token', { keys: ['a'], truncated: true }, 'not how to ask for that'],
    ['keys that were not asked for', { keys: ['logs-old/a'] }, 'it lists "logs-old/a" below "logs/"', 'logs/'],
  ])('%s', async (_, page, reason, prefix = '') => {
    const { place } = await deviatingStore(() => page, { prefix })
    await expect(walkAll({ source: place })).rejects.toMatchObject(disordered(reason))
  })

  test.each([
    ['a next page that is the same one', ({ token }) => ({ keys: token ? [] : ['a'], next: 't' }), 'the one before', 1],
    ['empty pages without end', ({ token = 0 }) => ({ keys: [], next: `${Number(token) + 1}` }), 'held nothing', 500],
  ])('%s', async (_, answer, reason, count) => {
    const { place, asked } = await deviatingStore(answer)
    await expect(walkAll({ source: place })).rejects.toMatchObject(disordered(reason))
    expect(asked.filter(query => query['continuation-token'] !== undefined)).toHaveLength(count)
  })

  test('a key that it could not write, where it knows no encoding, unless it is told by itself', async () => {
    const { place } = await deviatingStore(({ token }) =>
      token ? { keys: ['aa', 'b'] } : { keys: ['a', 'a\ufffdb'], next: 't' },
    )
    const { pairs, steps } = await walkAll({ source: place })
    expect(tellPairs(pairs)).toEqual(['a S-', 'aa S-', 'b S-'])
    expect(steps.filter(({ type }) => type === 'odd')).toMatchObject([{ side: 'source', name: 'a\ufffdb' }])
    const other = await deviatingStore(() => ({ keys: ['a%EF%BF%BDb'], encoding: true }))
    expect((await walkAll({ source: other.place })).pairs).toMatchObject([{ name: 'a\ufffdb' }])
  })
})

const PAGE = 100
/** Pages by `start-after`, and by a token that is a number. */
const paged =
  keys =>
  ({ after = '', token }) => {
    const begin = token === undefined ? keys.filter(key => key <= after).length : Number(token)
    const more = begin + PAGE < keys.length
    return { keys: keys.slice(begin, begin + PAGE), next: more ? String(begin + PAGE) : undefined }
  }
/** The same, but it begins at the beginning wherever it is asked to. */
const deaf =
  keys =>
  ({ token = '0' }) =>
    paged(keys)({ token })

test('of a store that begins at the beginning wherever it is asked to, one range lists all', async () => {
  const keys = numbers(2_000)
  const { place, asked } = await deviatingStore(deaf(keys))
  const { pairs, splits } = await walkAll({ source: place })
  expect({ pairs: tellPairs(pairs), splits }).toEqual({ pairs: joinOf(keys, []), splits: 0 })
  expect(asked.filter(query => query['start-after'] !== undefined)).not.toEqual([])
  // Those that were asked for at once, before the first was answered.
  expect(asked.length).toBeLessThanOrEqual(20 + 4)
})

describe('a list that leaves something out', () => {
  /** Of the page, what the document does not say. */
  const without = name => body => body.replace(new RegExp(`<${name}>.*?</${name}>`), '')
  const endsOf = steps => steps.filter(({ type }) => type === 'end')

  test.each(['Name', 'KeyCount', 'IsTruncated'])('(%s) is asked once more behind its last key', async name => {
    const keys = numbers(50).map(key => `in/${key}`)
    const { place, asked } = await deviatingStore(paged(keys), { prefix: 'in/', edit: without(name) })
    const { pairs, steps } = await walkAll({ source: place })
    expect(pairs).toHaveLength(50)
    expect(asked.map(query => query['start-after'])).toEqual([undefined, 'in/k00049'])
    expect(endsOf(steps)).toEqual([{ type: 'end', range: 1 }])
  })

  test('and seems to end too early, is listed to its real end', async () => {
    const keys = numbers(350)
    const edit = body => without('KeyCount')(body).replace('<IsTruncated>true', '<IsTruncated>false')
    const { place } = await deviatingStore(paged(keys), { edit })
    const { pairs } = await walkAll({ source: place, lists: 1 })
    expect(tellPairs(pairs)).toEqual(joinOf(keys, []))
  })

  test('and begins at the beginning wherever it is asked to, does not show its end', async () => {
    const keys = numbers(50)
    const { place, asked } = await deviatingStore(deaf(keys), { edit: without('KeyCount') })
    const { pairs, steps } = await walkAll({ source: place })
    expect([tellPairs(pairs), asked.length]).toEqual([joinOf(keys, []), 2])
    expect(endsOf(steps)).toEqual([{ type: 'end', range: 1, unproved: { source: ['KeyCount'] } }])
  })

  test('only the end of the list is uncertain: names behind a range show that the range is complete', async () => {
    const { place, asked } = await deviatingStore(paged(numbers(90)), { edit: without('KeyCount') })
    const { steps } = await walkAll({ source: place, ranges: [{ until: 'k00040' }] })
    expect([asked.length, endsOf(steps)]).toEqual([1, [{ type: 'end', range: 1 }]])
  })
})

test.each([
  ['come again and again', page => ({ keys: [`k${page % 3}`], next: page + 1 })],
  ['are empty for ever', page => ({ keys: [], next: page + 1 })],
  ['name themselves as the next one', () => ({ keys: ['a'], next: 7 })],
  // It ends, so that the test does, too.
  ['run backwards for ever', page => ({ keys: [`k${9_999 - page}`], next: page < 5_000 ? page + 1 : undefined })],
])('one level of a list fails on pages that %s', async (_, answer) => {
  const facts = { side: 'source', bucket: 'b', endpoint: 'memory' }
  const list = async ({ marker = '0' }) => {
    const { keys, next } = answer(Number(marker))
    return { objects: keys.map(key => ({ key, bytes: 1, etag: '"e"' })), next: next && String(next) }
  }
  const read = async () => {
    for await (const _ of listLevel({ store: { facts, list }, key: '' }, { delimiter: '/' }));
  }
  await expect(read()).rejects.toMatchObject({ code: 'LISTING_DISORDERED' })
})
