'use strict'

const { createLocalEngine } = require('../../../lib/engines/local/engine')
const { explainWith, taskMaker } = require('../../../lib/transfer')
const { runParts } = require('../../../lib/schedule')
const { startStore } = require('../../../sandbox/store')
const { openStore } = require('../../support/s3')

const MiB = 1024 ** 2
const PART_BYTES = 16 * MiB
const NO_METADATA = { headers: {}, user: {} }

describe('a store that gives each connection little', () => {
  let server
  let source
  let target
  let object

  beforeAll(async () => {
    server = await startStore({
      buckets: ['source', { name: 'target', discard: true }],
      synthetic: { 'source/large': 1024 * MiB },
      faults: [{ operation: 'GetObject', bytesPerSecond: 2 * MiB }],
    })
    source = openStore(server, 'source', { side: 'source' })
    target = openStore(server, 'target')
    object = await source.head('large')
  })
  afterAll(async () => {
    source?.close()
    target?.close()
    await server?.close()
  })

  /** @param {number} count parts @param {number} concurrency */
  async function copy(count, concurrency) {
    const engine = createLocalEngine({ threads: 2 })
    let inFlight = 0
    let mostInFlight = 0
    try {
      const parts = Array.from({ length: count }, (_, i) => ({
        partNumber: i + 1,
        start: i * PART_BYTES,
        bytes: PART_BYTES,
      }))
      const startedMs = performance.now()
      await runParts(parts, {
        sign: taskMaker({
          source: { store: source, key: 'large' },
          object,
          sums: ['crc32'],
          write: ({ partNumber, bytes }) =>
            target.put({
              key: `part-${partNumber}`,
              bytes,
              attributes: { metadata: NO_METADATA },
              checksum: false,
            }),
        }),
        async run(tasks, options) {
          mostInFlight = Math.max(mostInFlight, ++inFlight)
          try {
            return await engine.run(tasks, options)
          } finally {
            inFlight--
          }
        },
        explain: explainWith({ source, destination: target, trailer: () => false }),
        limits: await engine.limits(),
        concurrency,
        startWith: engine.startWith,
        retries: 3,
        emit: () => {},
      })
      const elapsedMs = performance.now() - startedMs
      return { bytesPerSecond: (1000 * count * PART_BYTES) / elapsedMs, mostInFlight }
    } finally {
      await engine.close()
    }
  }

  test('is read by many connections, and so at least three times as fast as by those of the start', async () => {
    const few = await copy(4, 4)
    const many = await copy(48, 64)
    expect(few.mostInFlight).toBe(4)
    expect(many.mostInFlight).toBeGreaterThanOrEqual(16)
    expect(many.bytesPerSecond / few.bytesPerSecond).toBeGreaterThan(3)
  }, 180_000)
})
