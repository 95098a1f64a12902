'use strict'

/** The comparison of two prefixes by their lists: what is counted, how much is under way, and what it waits for. */

const { compareObjects } = require('../../../lib/prefix')

const NAMES = 20_000
const nameOf = number => `n${String(number).padStart(6, '0')}`

/**
 * A store that lists names in memory, and describes them when it is told to.
 *
 * @param {(number: number) => { bytes: number, etag: string } | undefined} objectOf
 * @param {(key: string) => Promise<any>} [head]
 */
function storeOf(objectOf, head) {
  return {
    facts: { side: 'source', endpoint: 'x' },
    endpoint: 'x',
    can: { sums: { checked: ['crc32'] } },
    async list({ prefix, after, marker }) {
      let at = marker ? Number(marker) : after ? Number(after.slice(prefix.length + 1)) + 1 || 0 : 0
      const objects = []
      for (; objects.length < 1_000 && at < NAMES; at++) {
        const object = objectOf(at)
        if (object) objects.push({ key: prefix + nameOf(at), ...object })
      }
      return { objects, ...(at < NAMES && { next: String(at) }) }
    },
    head,
  }
}

/** @param {any} from @param {any} to */
async function compare(from, to) {
  const events = []
  const pressure = { hindrances: () => ({}) }
  const run = { emit: event => events.push(event), journal: { kept: false }, pressure }
  const side = (store, text) => ({ store, key: 'p/', text })
  const outcome = await compareObjects(
    /** @type {any} */ ({
      settings: { concurrency: 10, chunkBytes: 1e8 },
      source: side(from, 's3://a/p/'),
      destination: side(to, 's3://b/p/'),
      engine: { name: 'local', where: 'here', runsOn: 'machine' },
      why: 'as asked',
      run,
    }),
    {},
  ).catch(error => error)
  const { pairs, methods } = outcome.facts ?? outcome
  return { outcome, pairs, methods, differences: events.filter(({ type }) => type === 'difference') }
}

test('pairs that the lists leave open are asked for, a bounded number at once', async () => {
  let asked = 0
  let most = 0
  const head = async key => {
    most = Math.max(most, ++asked)
    await new Promise(setImmediate)
    asked--
    return { bytes: 5, etag: '"opaque"', sums: { crc32: key.endsWith('7') ? '00000000' : '11111111' } }
  }
  const opaque = storeOf(() => ({ bytes: 5, etag: '"opaque"' }), head)
  const other = storeOf(
    () => ({ bytes: 5, etag: '"other"' }),
    async key => ({ ...(await head(key)), sums: { crc32: '11111111' } }),
  )
  const { pairs, methods, differences } = await compare(opaque, other)
  expect(methods).toEqual({ 'stored-crc32': (NAMES * 9) / 10 })
  expect(pairs).toMatchObject({ equal: (NAMES * 9) / 10, differing: NAMES / 10 })
  expect(differences[0]).toMatchObject({ found: 'differs', why: 'checksum' })
  expect(most).toBeGreaterThan(16)
  // Both sides of the pairs that are compared at once.
  expect(most).toBeLessThanOrEqual(2 * 128)
})

test('ETags of parts are not believed from a list', async () => {
  let heads = 0
  const of = number => ({ bytes: 5, etag: `"${'a'.repeat(32)}-${number + 1}"` })
  const head = async () => {
    heads++
    throw Object.assign(new Error('stop'), { code: 'STOPPED' })
  }
  const { outcome } = await compare(storeOf(of, head), storeOf(of, head))
  expect(heads).toBeGreaterThan(0)
  expect(outcome.code).toBe('INTERNAL')
})
