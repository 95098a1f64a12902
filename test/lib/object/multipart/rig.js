'use strict'

const { createVirtualClock } = require('../../../../bench/simulation/clock')
const { createTrust } = require('../../../../lib/destination')
const { UNLIMITED } = require('../../../../lib/engines')
const { writeMultipart } = require('../../../../lib/object/multipart')
const { createOutages } = require('../../../../lib/outage')
const { createPressure, runParts } = require('../../../../lib/schedule')
const { createRiggedJournal } = require('../../../support/rigged-journal')
const { NO_METADATA, RETRIES, carryOut, crcOf, createRiggedStore, errorOf } = require('../../../support/rigged-store')

const KEY = 'key'
const BODY = 'aaabbbcc'
const PARTS = [0, 3, 6].map((start, i) => ({ partNumber: i + 1, start, bytes: Math.min(3, BODY.length - start) }))

/**
 * One object of three parts through the route `multipart`. The store and the journal are as the run before has left them.
 *
 * @param {object} [how]
 * @param {Record<string, import('../../../support/rigged-store').Trouble[]>} [how.trouble] of the destination
 * @param {import('../../../../lib/types').WriteCondition} [how.condition] of the write
 * @param {string} [how.there] what the destination has before
 * @param {string} [how.tag] the ETag of that; its MD5 when absent
 */
function createRig({ trouble, condition = {}, there, tag } = {}) {
  const random = () => 0.5
  const source = createRiggedStore({ side: 'source', texts: { source: BODY } })
  const destination = createRiggedStore({ trouble })
  if (there !== undefined) destination.put(KEY, there, 0, tag)
  const journal = createRiggedJournal()
  const events = []

  /**
   * One run of the job.
   *
   * @param {object} [run]
   * @param {number} [run.killAt] the process ends at this step: before or after a call of the store, or a line of the journal
   * @param {boolean} [run.proved] whether what it copies is to be proved
   * @returns {Promise<{ done?: import('../../../../lib/types').Written, error?: any, steps: number }>}
   */
  async function go({ killAt = Number.POSITIVE_INFINITY, proved = true } = {}) {
    const clock = createVirtualClock()
    let steps = 0
    function step() {
      if (++steps >= killAt) throw errorOf('INTERRUPTED')
    }
    async function run(tasks) {
      await clock.delay(10)
      if (steps >= killAt) throw errorOf('INTERRUPTED')
      return carryOut({ source, destination }, tasks)
    }
    const store = destination.open(step)
    const opened = journal.open(step)
    const emit = event => events.push(event)
    const outages = createOutages({ timeoutMs: 600_000, emit, clock })
    const job = {
      source: { store: source.open(), key: 'source', text: 's3://from/source' },
      destination: { store, key: KEY, text: `s3://bucket/${KEY}` },
      engine: { run, can: { cancel: true } },
      settings: { verify: proved ? 'auto' : 'size', proved, retries: RETRIES, condition },
      trust: createTrust(store),
      run: { journal: opened, emit, pressure: createPressure({ outages, random }) },
      keepsUploads: () => true,
    }
    const written = writeMultipart({
      job,
      object: { ...(await job.source.store.head('source')), sums: { crc32: crcOf(BODY) } },
      attributes: { metadata: NO_METADATA },
      plan: { route: 'multipart', bytes: BODY.length, partBytes: 3, parts: PARTS, notices: [] },
      concurrency: 1,
      limits: { ...UNLIMITED, concurrent: 1 },
      schedule: (parts, given) => clock.run(runParts(parts, { ...given, clock, random })),
      restart() {},
      reading: () => () => {},
    })
    const ended = await written.then(
      done => ({ done, steps }),
      error => ({ error, steps }),
    )
    // The process may end here, too.
    if (steps < killAt) await opened.over().catch(() => {})
    return ended
  }

  return {
    go,
    events,
    calls: destination.calls,
    put: text => destination.put(KEY, text, Date.now()),
    text: () => destination.text(KEY),
    etag: () => destination.objects.get(KEY)?.etag,
    uploads: () => [...destination.uploads.keys()],
  }
}

module.exports = { BODY, createRig }
