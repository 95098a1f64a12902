'use strict'

/**
 * `sync --delete` against a model: random trees, random operations between the rounds, random filters. After each round
 * the destination has what the source has, within the filters, and beside that what it had before.
 */

const { randomInt } = require('node:crypto')
const { copyPrefix } = require('../../lib')
const { seededRandom } = require('../../sandbox/common/call-faults')
const { startStore } = require('../../sandbox/store')
const { createBuckets, get, keysOf, openStore, put } = require('../support/s3')
const { bareEnv, copyEnv } = require('../support/run-xfer')

const ROUNDS = Number(process.env.XFER_MODEL_ROUNDS ?? 40)
const SEED = Number(process.env.XFER_MODEL_SEED ?? randomInt(1, 1e9))
const LONGEST_MS = 60_000 + ROUNDS * 5_000

const SEGMENTS = ['a', 'b', 'c', 'é', '😀', '\uffee', '%20', '+', ' ', '.', '..', '']
const FILTERS = [
  { keeps: () => true, filters: [] },
  { keeps: name => !name.startsWith('a'), filters: [{ exclude: 'a*' }] },
  { keeps: name => name.startsWith('b/'), filters: [{ exclude: '*' }, { include: 'b/*' }] },
  { keeps: name => !name.includes('c') || name.endsWith('a'), filters: [{ exclude: '*c*' }, { include: '*a' }] },
]

let source
let destination
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore({ pageSize: 7 }), startStore({ pageSize: 5 })])
  await createBuckets(source, 'origin')
  await createBuckets(destination, 'target')
})
afterAll(() => Promise.all([source?.close(), destination?.close()]))

test(
  `${ROUNDS} rounds: the destination is the source within the filters (XFER_MODEL_SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED)
    const integer = (least, most) => least + Math.floor(random() * (most - least + 1))
    const pick = list => list[integer(0, list.length - 1)]
    const nameOf = () => {
      const name = Array.from({ length: integer(1, 3) }, () => pick(SEGMENTS)).join('/')
      return name === '' ? 'x' : name
    }
    const sides = {
      source: { store: openStore(source, 'origin'), prefix: 'tree/', model: new Map() },
      destination: { store: openStore(destination, 'target'), prefix: 'copy/', model: new Map() },
    }
    let last = 0
    const write = async (side, name) => {
      // Each has a size of its own, so that lists tell them apart within a second too.
      const text = `${'x'.repeat(++last % 900)}.${last}`
      side.model.set(name, text)
      await put(side.store, side.prefix + name, Buffer.from(text))
    }
    const erase = async (side, name) => {
      side.model.delete(name)
      const { etag } = await side.store.head(side.prefix + name)
      await side.store.remove({ key: side.prefix + name, etag })
    }
    const env = { ...bareEnv, ...copyEnv(source, destination) }
    for (let round = 1; round <= ROUNDS; round++) {
      for (let left = integer(0, 12); left > 0; left--) {
        const side = random() < 0.75 ? sides.source : sides.destination
        const known = [...side.model.keys()]
        if (known.length > 0 && random() < 0.35) await erase(side, pick(known))
        else await write(side, random() < 0.5 && known.length > 0 ? pick(known) : nameOf())
      }
      const { keeps, filters } = pick(FILTERS)
      const { model } = sides.destination
      for (const name of [...model.keys()]) if (keeps(name) && !sides.source.model.has(name)) model.delete(name)
      for (const [name, text] of sides.source.model) if (keeps(name)) model.set(name, text)
      const options = {
        recursive: 'sync',
        delete: true,
        allowEmptySource: true,
        maxDelete: '100%',
        filters,
        engine: 'local',
        env,
        ...pick([{}, { checksum: true }]),
      }
      await copyPrefix('s3://origin/tree', 's3://target/copy', options)
      const { store, prefix } = sides.destination
      const found = await keysOf(store, prefix)
      expect({ round, keys: found.map(key => key.slice(prefix.length)).sort() }).toEqual({
        round,
        keys: [...model.keys()].sort(),
      })
      for (const [name, text] of model) {
        const is = (await get(store, prefix + name)).toString()
        expect({ round, name, is }).toEqual({ round, name, is: text })
      }
    }
    for (const { store } of Object.values(sides)) store.close()
  },
  LONGEST_MS,
)
