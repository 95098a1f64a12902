'use strict'

/** The comparison of two prefixes by their lists: what is counted, how much is under way, and what it waits for. */

const { compareObjects } = require('../../../../lib/prefix')

const NAMES = 20_000
const nameOf = number => `n${String(number).padStart(6, '0')}`
const etagOf = number => `"${String(number).padStart(32, '0')}"`

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

/** @param {any} from @param {any} to @param {object} [options] @param {AbortSignal} [cancel] @param {(event: any) => void} [onEvent] */
async function compare(from, to, options = {}, cancel = undefined, onEvent = () => {}) {
  const events = []
  const pressure = { hindrances: () => ({}) }
  const emit = event => {
    events.push(event)
    onEvent(event)
  }
  const run = { cancel, abort: cancel, emit, journal: { kept: false }, pressure }
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
    options,
  ).catch(error => error)
  const { pairs, methods } = outcome.facts ?? outcome
  return { outcome, pairs, methods, events, differences: events.filter(({ type }) => type === 'difference') }
}

const plain = number => ({ bytes: 5, etag: etagOf(number) })

test('many names are counted, and each that differs is told once', async () => {
  const to = storeOf(number => {
    if (number % 1_000 === 1) return undefined
    return number % 1_000 === 2 ? { ...plain(number), bytes: 6 } : plain(number)
  })
  const { outcome, pairs, methods, differences } = await compare(storeOf(plain), to)
  expect(outcome).toMatchObject({ code: 'OBJECTS_DIFFER', exitCode: 8 })
  const counts = { listed: NAMES, equal: NAMES - 40, differing: 20, missing: 20, extra: 0, failed: 0, filtered: 0 }
  expect({ pairs, methods }).toEqual({ pairs: counts, methods: { etag: NAMES - 40 } })
  expect(new Set(differences.map(({ name }) => name)).size).toBe(40)
  expect(outcome.facts).toMatchObject({ more: 35 })
  expect(outcome.facts.names).toHaveLength(5)
})

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

test('how many names there are is known while most pairs are not yet asked for', async () => {
  let release
  const known = new Promise(resolve => {
    release = resolve
  })
  let asked = 0
  const head = async () => {
    asked++
    await known
    return { bytes: 5, etag: '"opaque"', sums: { crc32: '11111111' } }
  }
  const of = etag => storeOf(() => ({ bytes: 5, etag }), head)
  const onEvent = event => {
    if (event.type === 'progress' && !event.listing) release({ event, asked })
  }
  const { pairs } = await compare(of('"one"'), of('"other"'), {}, undefined, onEvent)
  expect(await known).toMatchObject({
    event: { objectsTotal: NAMES, bytesTotal: 5 * NAMES, objectsDone: 0 },
    asked: 256,
  })
  expect(pairs).toMatchObject({ listed: NAMES, equal: NAMES })
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

test('what ends every request ends the comparison, with what was counted', async () => {
  const controller = new AbortController()
  const to = storeOf(number => {
    if (number === 5_000) controller.abort()
    return plain(number)
  })
  const { outcome, pairs } = await compare(storeOf(plain), to, {}, controller.signal)
  expect(outcome.code).toBe('INTERRUPTED')
  expect(pairs.listed).toBeLessThan(NAMES)
})
