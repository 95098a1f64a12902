'use strict'

/** The sandbox's store, which bears little for a while. */

const { createLocalEngine } = require('../../../lib/engines/local/engine')
const { explainWith, taskMaker } = require('../../../lib/transfer')
const { runParts } = require('../../../lib/schedule')
const { startStore } = require('../../../sandbox/store')
const { openStore } = require('../../support/s3')

describe('the sandbox, which bears 5 at once for a while', () => {
  const KiB = 1024
  const PARTS = 4_000
  const ASKED = 24
  const BORNE = 5
  const NARROW_PARTS = 300
  let server
  let source
  let target

  beforeAll(async () => {
    server = await startStore({
      buckets: ['source', { name: 'target', discard: true }],
      synthetic: { 'source/large': PARTS * 16 * KiB },
    })
    source = openStore(server, 'source', { side: 'source' })
    target = openStore(server, 'target')
  })
  afterAll(async () => {
    source?.close()
    target?.close()
    await server?.close()
  })

  test('is asked for less, refuses little of it, and is soon asked for all again', async () => {
    server.faults.add({ operation: 'PutObject', delayMs: 150 })
    const engine = createLocalEngine({ threads: 2 })
    const back = new AbortController()
    const counts = { taken: 0, refused: 0, first: 0 }
    let busy = 0
    let full
    let openedMs
    let elapsedMs
    const events = []
    server.on('begin', ({ operation }) => {
      if (operation !== 'PutObject') return
      if (full) {
        counts.refused++
        if (counts.taken <= BORNE) counts.first++
        return
      }
      busy++
      counts.taken++
      if (openedMs === undefined && counts.taken >= NARROW_PARTS) openedMs = performance.now()
      if (openedMs === undefined && busy >= BORNE)
        full = server.faults.add({ operation: 'PutObject', status: 503, retryAfter: 0 })
      if (openedMs !== undefined && busy >= 0.9 * ASKED && elapsedMs === undefined) {
        elapsedMs = performance.now() - openedMs
        back.abort()
      }
    })
    server.on('request', ({ operation, status }) => {
      if (operation !== 'PutObject' || status !== 200) return
      busy--
      full?.remove()
      full = undefined
    })
    const object = await source.head('large')
    const limits = await engine.limits()
    const parts = Array.from({ length: PARTS }, (_, i) => ({
      partNumber: i + 1,
      start: i * 16 * KiB,
      bytes: 16 * KiB,
    }))
    const attributes = { metadata: { headers: {}, user: {} } }
    const copied = runParts(parts, {
      sign: taskMaker({
        source: { store: source, key: 'large' },
        object,
        sums: ['crc32'],
        write: ({ partNumber, bytes }) => target.put({ key: `part-${partNumber}`, bytes, attributes, checksum: false }),
      }),
      run: engine.run,
      explain: explainWith({ source, destination: target, trailer: () => false }),
      limits,
      concurrency: ASKED,
      retries: 0,
      cancel: back.signal,
      emit: event => events.push(event),
    })
    try {
      await expect(copied).rejects.toMatchObject({ code: 'INTERRUPTED' })
    } finally {
      await engine.close()
    }
    const later = counts.refused - counts.first
    expect(later / (later + NARROW_PARTS)).toBeLessThan(0.1)
    expect(elapsedMs).toBeLessThan(30_000)
    const throttles = events.filter(({ type }) => type === 'throttle')
    expect(throttles.length).toBe(counts.refused)
    expect(new Set(throttles.map(({ store }) => store))).toEqual(new Set(['destination']))
    expect(Math.min(...throttles.map(({ limit }) => limit))).toBeLessThanOrEqual(BORNE)
  }, 180_000)
})
