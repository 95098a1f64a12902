'use strict'

const { createVirtualClock } = require('../../../../bench/simulation/clock')
const { createTrust } = require('../../../../lib/destination')
const { UNLIMITED } = require('../../../../lib/engines')
const { writeMultipart } = require('../../../../lib/copy/parts')
const { multipartEtag } = require('../../../../lib/integrity')
const { createOutages, createPressure, runParts } = require('../../../../lib/schedule')
const { createRiggedJournal } = require('../../../support/rigged-journal')
const { NO_METADATA, RETRIES, carryOut, crcOf, createRiggedStore } = require('../../../support/rigged-store')
const { errorOf, md5Of } = require('../../../support/rigged-store')

const KEY = 'key'
const BODY = 'aaabbbcc'
const TEXTS = ['aaa', 'bbb', 'cc']
/** The ETag of the copy, made of the MD5s of its parts. */
const TAG = multipartEtag(TEXTS.map(text => ({ etag: `"${md5Of(text)}"` })))
const PARTS = [0, 3, 6].map((start, i) => ({ partNumber: i + 1, start, bytes: Math.min(3, BODY.length - start) }))

/**
 * One object of three parts through the route `multipart`. The store and the journal are as the run before has left them.
 *
 * @param {object} [how]
 * @param {Record<string, import('../../../support/rigged-store').Trouble[]>} [how.trouble] of the destination
 * @param {import('../../../../lib/types').WriteCondition} [how.condition] of the write
 * @param {string} [how.there] what the destination has before
 * @param {string} [how.tag] the ETag of that; its MD5 when absent
 * @param {any[]} [how.facts] that earlier runs have written
 * @param {Partial<import('../../../../lib/types').Abilities>} [how.can] of the destination
 * @param {boolean} [how.knowsParts] as of the store
 * @param {(store: any) => object} [how.more] what else the destination's store has
 * @param {boolean} [how.keeps] whether the job is there for another run
 * @param {Record<number, string[]>} [how.misread] as of `carryOut`
 * @param {object} [how.settings] those that are not as usual
 * @param {object} [how.work] the same
 * @param {(given: any) => void} [how.begins] called when parts begin, with what the scheduler is given
 */
function createRig({ trouble, condition = {}, there, tag, facts, can, knowsParts, keeps = true, ...how } = {}) {
  const random = () => 0.5
  const source = createRiggedStore({ side: 'source', texts: { source: BODY } })
  const destination = createRiggedStore({ trouble, can, knowsParts })
  if (there !== undefined) destination.put(KEY, there, 0, tag)
  const journal = createRiggedJournal(facts)
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
      return carryOut({ source, destination }, tasks, how.misread)
    }
    const opened = destination.open(step)
    const store = { ...opened, ...how.more?.(opened) }
    const noted = journal.open(step)
    const emit = event => events.push(event)
    const outages = createOutages({ timeoutMs: 600_000, emit, clock })
    const job = {
      source: { store: source.open(), key: 'source', text: 's3://from/source' },
      destination: { store, key: KEY, text: `s3://bucket/${KEY}` },
      engine: { run, can: { cancel: true } },
      settings: { verify: proved ? 'auto' : 'size', proved, retries: RETRIES, condition, ...how.settings },
      trust: createTrust(store),
      run: { journal: noted, emit, pressure: createPressure({ outages, random }) },
      keepsUploads: () => keeps,
    }
    const copying = writeMultipart({
      job,
      object: { ...(await job.source.store.head('source')), sums: { crc32: crcOf(BODY) } },
      attributes: { metadata: NO_METADATA },
      plan: { route: 'multipart', bytes: BODY.length, partBytes: 3, parts: PARTS, notices: [] },
      concurrency: 1,
      limits: { ...UNLIMITED, concurrent: 1 },
      schedule(parts, given) {
        how.begins?.(given)
        return clock.run(runParts(parts, { ...given, clock, random }))
      },
      restart() {},
      reading: () => () => {},
      ...how.work,
    })
    const ended = await copying.then(
      done => ({ done, steps }),
      error => ({ error, steps }),
    )
    // The process may end here, too.
    if (steps < killAt) await noted.over().catch(() => {})
    return ended
  }

  /** One run, as a text: its end; the calls of the destination but those of a usual completion; what was told; what the journal was given besides; the proofs. */
  async function outline() {
    const before = journal.facts.length
    const { done, error } = await go()
    const text = destination.text(KEY)
    const isCopied = text === BODY && done?.etag === destination.objects.get(KEY).etag
    const told = events.flatMap(({ type, code, partNumber, attempt, parts, bytes, facts }) => {
      if (type === 'resume') return `${parts} parts of ${bytes} bytes`
      if (type === 'retry') return `part ${partNumber} again ${attempt} ${code}`
      return code ? [code, facts.bytes ?? facts.uploadId].join(' ').trim() : []
    })
    const noted = journal.facts.slice(before).map(({ type, partNumber = '' }) => `${type}${partNumber}`)
    return [
      error ? `${error.code}${text === undefined ? '' : `, ${text}`}` : isCopied ? 'copied' : text,
      destination.calls
        .map(call => call.replace(/ (key|)$/, ''))
        .join()
        .replace(/,?head,complete,head$/, ''),
      told.join(),
      noted.join().replace(/,?completing,completed$/, ''),
      done?.proofs?.join('+'),
    ]
      .join('; ')
      .trim()
  }

  return {
    go,
    outline,
    events,
    calls: destination.calls,
    facts: journal.facts,
    put: text => destination.put(KEY, text, Date.now()),
    text: () => destination.text(KEY),
    etag: () => destination.objects.get(KEY)?.etag,
    uploads: () => [...destination.uploads.keys()],
    /** An upload of an earlier run. @param {string} id @param {Array<string | undefined>} texts of its parts @param {boolean} [summed] */
    seed(id, texts, summed = false) {
      destination.uploads.set(id, { key: KEY, summed, parts: new Map() })
      for (const [i, text] of texts.entries())
        if (text !== undefined) destination.write({ key: KEY, uploadId: id, partNumber: i + 1 }, text)
      destination.calls.length = 0
    },
  }
}

module.exports = { BODY, TAG, TEXTS, createRig }
