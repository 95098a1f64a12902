'use strict'

/** Walks through what real servers list: many keys, and names that none of them would have thought of. */

const { createBuckets, keysOf, openStore, tryPut } = require('../../support/s3')
const { SERVERS } = require('../../support/servers')
const { anyName, byBytes } = require('./names')
const { createCursors, joinOf, tellPairs, walkAll } = require('./stores')
const { walk } = require('../../../lib/listing')
const fc = require('fast-check')

const EMPTY = Buffer.alloc(0)
const AT_ONCE = 16
const TIME_LIMIT_MS = 300_000

/** Those that the store took. @param {any} store @param {string[]} keys @returns {Promise<string[]>} */
async function putAll(store, keys) {
  const taken = []
  const rest = [...keys]
  const work = async () => {
    for (let key = rest.shift(); key !== undefined; key = rest.shift()) {
      const { status } = await tryPut(store, key, EMPTY)
      if (status === 200) taken.push(key)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return taken
}

const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i))
/** Of one character and of three, of segments that are paths to some, and drawn ones. */
const NASTY = [
  ...printable.filter(sign => sign !== '/' && sign !== '.'),
  ...printable.map(sign => `x${sign}y`),
  ...[
    './a',
    'a/./b',
    'a/../b',
    '../c',
    'a//b',
    '/d',
    'e/',
    'e//',
    '..',
    '.',
    'f/..',
    '%2e%2e/g',
    '%',
    '%%',
    '%zz',
    '+',
    ' ',
    '  ',
  ],
  ...[
    '\ue000',
    '\uf8ff/a',
    '\ufb01',
    '\uffee',
    '😀',
    '😀/a',
    '\u{10000}',
    '\u{f0000}',
    '\u{10fffd}',
    'é',
    'e\u0301',
    '日本',
  ],
  ...['\u0001', 'a\tb', 'a\nb', 'a\rb', 'a\r\nb', '\u007f', '\u0085', '\u2028', '\ufeff', '\ufffd'],
  ...fc.sample(anyName({ minLength: 1, maxLength: 20 }), { numRuns: 300, seed: 6 }),
]

describe.each(SERVERS)('a walk on $name', ({ start, traits }) => {
  let server
  const stores = []
  beforeAll(async () => {
    server = await start()
    await createBuckets(server, 'ours', 'theirs', 'nasty')
  })
  afterAll(async () => {
    for (const store of stores) store.close()
    await server?.close()
  })

  /** With pages so small that there is something to split. */
  function open(bucket, most) {
    const store = openStore(server, bucket)
    stores.push(store)
    return { ...store, list: (list, options) => store.list({ ...list, most }, options) }
  }

  test(
    'tells thousands of names of two buckets, split among ranges and gone on with',
    async () => {
      const [source, destination] = [open('ours', 50), open('theirs', 70)]
      const name = i => `${['logs', 'photos', 'zz'][i % 3]}/${2020 + (i % 7)}/file-${String(i).padStart(6, '0')}`
      const all = Array.from({ length: 2_500 }, (_, i) => name(i))
      const ours = all.filter((_, i) => i % 10 !== 1)
      const theirs = all.filter((_, i) => i % 10 !== 2)
      const took = await Promise.all([
        putAll(
          source,
          ours.map(one => `from/${one}`),
        ),
        putAll(
          destination,
          theirs.map(one => `to/${one}`),
        ),
      ])
      expect(took.map(({ length }) => length)).toEqual([ours.length, theirs.length])
      const places = { source: { store: source, prefix: 'from/' }, destination: { store: destination, prefix: 'to/' } }
      const cursors = createCursors()
      const pairs = []
      let splits = 0
      for (const stop of [7, 20, Number.POSITIVE_INFINITY]) {
        let steps = 0
        for await (const step of walk({ ...places, ranges: cursors.ranges() })) {
          cursors.note(step)
          if (step.type === 'split') splits++
          if (step.type === 'pairs') pairs.push(...step.pairs)
          if (++steps === stop) break
        }
      }
      expect(tellPairs(pairs)).toEqual(joinOf(ours, theirs))
      expect(splits).toBeGreaterThan(0)
    },
    TIME_LIMIT_MS,
  )

  test(
    'tells each nasty name that the server has, as it is',
    async () => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot carry them
      const told = traits.encodesLists ? () => true : name => !/[\0-\x08\x0b\f\x0e-\x1f\ufffd-\uffff]/.test(name)
      const keys = [...new Set(NASTY)].filter(told).map(name => `in/${name}`)
      const store = open('nasty', 20)
      const taken = await putAll(store, keys)
      const walked = await walkAll({ source: { store, prefix: 'in/' } })
      const found = walked.pairs.map(({ name }) => `in/${name}`).sort(byBytes)
      expect(walked.splits).toBeGreaterThan(0)
      expect(found).toEqual(await keysOf(store, 'in/'))
      if (traits.pathKeys) {
        expect(found).toEqual([...keys].sort(byBytes))
        return
      }
      // A file system takes some for others, and may hide what is below an object; no plain one is missing.
      expect(taken.length).toBeGreaterThan(200)
      const isPath = key => key.split('/').some(segment => ['', '.', '..'].includes(segment))
      const isBelow = key => taken.some(other => key.startsWith(`${other}/`))
      expect(taken.filter(key => !isPath(key) && !isBelow(key) && !found.includes(key))).toEqual([])
    },
    TIME_LIMIT_MS,
  )
})
