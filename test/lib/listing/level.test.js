'use strict'

/** One level of a list, from stores that answer as they should not. */

const { listLevel } = require('../../../lib/listing')
const { listStore } = require('./stores')

const facts = { side: 'source', bucket: 'b', endpoint: 'memory' }
const object = key => ({ key, bytes: 1, etag: '"e"' })
/** A store that answers with these pages, by their number. */
const pages = answer => ({
  facts,
  async list({ marker = '0' }) {
    return answer(Number(marker))
  },
})

async function namesOf(store, { prefix = '', delimiter = '/', most = Number.POSITIVE_INFINITY } = {}) {
  const names = []
  for await (const page of listLevel({ store, prefix }, { delimiter })) {
    names.push(...page.map(entry => entry.prefix ?? entry.object.key))
    if (names.length >= most) break
  }
  return names
}

describe('one level', () => {
  it('is made of all keys by a store that knows no delimiters', async () => {
    const { store } = listStore(['a', 'b/1', 'b/2', 'b/c/3', 'c', 'd/1'], { pageSize: 2 })
    expect(await namesOf(store)).toEqual(['a', 'b/', 'c', 'd/'])
    expect(await namesOf(store, { prefix: 'b/' })).toEqual(['b/1', 'b/2', 'b/c/'])
  })

  it('has a prefix once that two pages name', async () => {
    const store = pages(
      page =>
        [
          { objects: [], prefixes: ['p/'], next: '1' },
          { objects: [object('q')], prefixes: ['p/'] },
        ][page],
    )
    expect(await namesOf(store)).toEqual(['p/', 'q'])
  })

  it.each([
    ['come again and again', page => ({ objects: [object(`k${page % 3}`)], next: String(page + 1) })],
    [
      'go back to the middle',
      page => ({ objects: [object(`k${page < 5 ? page : 5 + (page % 7)}`)], next: String(page + 1) }),
    ],
    ['are empty for ever', page => ({ objects: [], next: String(page + 1) })],
    ['name one prefix for ever', page => ({ objects: [], prefixes: ['p/'], next: String(page + 1) })],
    ['name themselves as the next one', () => ({ objects: [object('a')], next: '7' })],
  ])('fails on pages that %s', async (_, answer) => {
    await expect(namesOf(pages(answer))).rejects.toMatchObject({ code: 'LISTING_DISORDERED' })
  })

  it('needs a store that lists', async () => {
    await expect(namesOf({ facts })).rejects.toMatchObject({ code: 'USAGE' })
  })
})
