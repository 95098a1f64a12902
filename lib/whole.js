'use strict'

/** The route `put`: an object that fits one part, read whole and written in one PUT. */

const { conceding } = require('./concessions')
const { goWithout, inWordsOf, isConditional, refusesConditions } = require('./condition')
const { asXferError } = require('./errors')
const { checkParts, checkStored, sameEtag } = require('./integrity')
const { createMd5Check } = require('./md5')
const { explainWith, mayHaveWritten } = require('./outcome')
const { runParts } = require('./schedule')
const { UNSEEN, judge, look, unknownOutcome } = require('./settle')
const { taskMaker } = require('./tasks')
const { writeExpected } = require('./verify/whole')

/** @typedef {import('./types').Written} Written */
/** @typedef {import('./types').WriteWork} WriteWork */
/** @typedef {import('./types').TaskSuccess} TaskSuccess */

/**
 * A PUT is the first that this store hears of us: a look at its key finds the bucket's region, the store's clock and
 * a missing bucket before any byte is moved. Who may only write is denied the look, and goes on.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 */
async function writeWhole(work) {
  const { job, restart } = work
  const before = await look(job.destination, job.stopping)
  let how = { checksum: job.settings.proved, conditional: isConditional(job.settings.condition) }
  return await writeExpected(work, async expected => {
    for (;;) {
      try {
        const written = await putGranted(work, how, before, expected)
        return how.conditional === isConditional(job.settings.condition) ? written : { ...written, unconditional: true }
      } catch (cause) {
        const error = asXferError(cause)
        if (error.code === 'TRAILER_REFUSED' && how.checksum) how = { ...how, checksum: false }
        else if (refusesConditions(error) && how.conditional) {
          await goWithout(job)
          how = { ...how, conditional: false }
        } else throw error
        restart()
      }
    }
  })
}

/**
 * With the attributes that the destination takes.
 *
 * @param {WriteWork} work
 * @param {{ checksum: boolean, conditional: boolean }} how
 * @param {import('./settle').Found} before
 * @param {import('./verify/whole').Expected} expected
 * @returns {Promise<Written>}
 */
async function putGranted(work, how, before, expected) {
  const { job, attributes } = work
  const tell = (/** @type {string} */ message) => job.emit({ type: 'notice', message })
  const write = { attributes, wish: job.settings.attributes, text: job.destination.text, tell }
  const { result, without } = await conceding(write, async granted => {
    if (granted !== attributes) work.restart()
    return await put({ ...work, attributes: granted }, how, before, expected)
  })
  return { ...result, without }
}

/**
 * @param {WriteWork} work
 * @param {{ checksum: boolean, conditional: boolean }} how
 * @param {import('./settle').Found} before what is there
 * @param {import('./verify/whole').Expected} expected
 * @returns {Promise<Written>}
 */
async function put(work, { checksum, conditional }, before, expected) {
  const { job, object, attributes, plan, limits } = work
  const { source, destination, engine, settings, stopping, emit } = job
  const { store, key } = destination
  const proved = settings.proved
  const compareMd5 = createMd5Check(store.facts, settings.retries)
  const explain = explainWith({ source: source.store, destination: store, trailer: () => checksum && !taken })
  const condition = conditional ? settings.condition : {}
  let taken = false
  /** Whether one that was sent may have been written, whatever was said of the last. */
  let open = false
  try {
    const outcomes = await runParts(plan.parts, {
      sign: taskMaker({
        source,
        object,
        // A PUT is visible at once: what is not as the source keeps it must not even be written.
        known: expected.known,
        md5: proved && (expected.md5 || !checksum),
        crc32: proved,
        write: ({ bytes }) => store.putRequest({ key, bytes, attributes, checksum, condition }),
      }),
      async run(tasks, options) {
        try {
          return await engine.run(tasks, options)
        } catch (error) {
          open = true
          throw error
        }
      },
      explain(failure) {
        open ||= mayHaveWritten(failure)
        return explain(failure)
      },
      check(outcome, attempt) {
        taken = true
        return checksum ? undefined : compareMd5(outcome, attempt)
      },
      limits,
      concurrency: 1,
      pressure: job.pressure,
      retries: settings.retries,
      // Whoever interrupts it does not want it to appear a second later.
      signal: stopping,
      emit,
    })
    return await confirm(work, outcomes)
  } catch (cause) {
    const error = asXferError(cause)
    const known = error.code === 'INTEGRITY' || error.code === 'TRAILER_REFUSED' || refusesConditions(error)
    const settled = open && !known && !stopping?.aborted ? await settle(work, before, error) : undefined
    if (settled) return settled
    throw inWordsOf(error, condition)
  }
}

/** @param {WriteWork} work @param {TaskSuccess[]} outcomes @returns {Promise<Written>} */
async function confirm({ job, object, plan }, outcomes) {
  const { destination, settings, signal } = job
  const crc32 = checkParts(outcomes, plan.parts, object)
  const asks = settings.proved
  const stored = asks ? await destination.store.head(destination.key, { signal }).catch(() => undefined) : undefined
  const ours = stored && sameEtag(stored.etag, outcomes[0].etag) ? stored : undefined
  if (ours) checkStored(ours, { bytes: object.bytes, crc32 })
  return {
    outcomes,
    crc32,
    etag: outcomes[0].etag,
    versionId: ours?.versionId,
    storedCrc32: fullOf(ours),
    stored: ours,
  }
}

/**
 * A PUT is visible at once: one whose answer was lost may be all that was wanted, and one that was sent again under a
 * condition is refused for what it wrote itself. What is there is compared with the source, which is read once more.
 *
 * @param {WriteWork} work
 * @param {import('./settle').Found} before
 * @param {import('./types').XferError} error the last that was heard
 * @returns {Promise<Written | undefined>} undefined where nothing is there, or something else
 * @throws {XferError} OUTCOME_UNKNOWN
 */
async function settle(work, before, error) {
  const { destination, signal, emit } = work.job
  const found = await look(destination, signal).catch(() => UNSEEN)
  const { object } = found
  if (found.denied) throw unknownOutcome(destination, 'it cannot be looked at', error)
  if (object?.bytes !== work.object.bytes) return undefined
  const source = await readSource(work)
  if (!source) throw unknownOutcome(destination, 'the source cannot be read once more to compare it', error)
  const { crc32, md5 } = source
  const verdict = judge(found, before, { bytes: object.bytes, crc32, etag: `"${md5}"` })
  if (verdict === 'unknown') throw unknownOutcome(destination, 'nothing tells whether what is there is the copy', error)
  if (verdict === 'other') return undefined
  const { bytes, etag, versionId } = object
  const outcome = { ...source, etag }
  emit({ type: 'part', partNumber: 1, bytes, crc32, attempt: 1, elapsedMs: 0 })
  return { outcomes: [outcome], crc32, etag, versionId, storedCrc32: fullOf(object) }
}

/** Its CRC-32 and MD5. @param {WriteWork} work @returns {Promise<TaskSuccess | undefined>} */
async function readSource({ job, object, plan }) {
  const { source, engine, signal } = job
  const task = await taskMaker({ source, object, md5: true })(plan.parts[0])
  const [outcome] = await engine.run([task], { signal }).catch(() => [])
  return outcome && !('error' in outcome) ? outcome : undefined
}

/** @param {import('./types').ObjectHead | undefined} object */
function fullOf(object) {
  return object?.checksum?.type === 'FULL_OBJECT' ? object.checksum.crc32 : undefined
}

module.exports = { writeWhole }
