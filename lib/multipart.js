'use strict'

/** The route `multipart`: create the upload or go on with it, copy the parts, check them, complete; or leave it. */

const { XferError, asXferError, factsOfCause, throwIfAborted } = require('./errors')
const { complete, settleCompletion } = require('./complete')
const { conceding } = require('./concessions')
const { checkParts } = require('./integrity')
const { createLate } = require('./late')
const { tellLost } = require('./lost')
const { createMd5Check } = require('./md5')
const { explainWith } = require('./outcome')
const { runParts } = require('./schedule')
const { findWritten } = require('./stored-parts')
const { copyTaskMaker, taskMaker } = require('./tasks')
const { abortUntilGone, isGone, mayHaveCreated } = require('./uploads')
const { recheckSource, wantsMd5 } = require('./verify/source')

/** @typedef {import('./types').Written} Written */
/** @typedef {import('./types').WriteWork} WriteWork */
/** @typedef {import('./types').Upload} Upload */
/** @typedef {import('./types').TaskSuccess} TaskSuccess */

/** What an abort may take, after Ctrl-C too. */
const ABORT_LIMIT_MS = 15_000
/** How long what nobody waits for any more is waited for, once the upload is no more. */
const LATE_LIMIT_MS = 5_000

/**
 * With checksums where the store takes them. One that announces them and then refuses a part's gets a new upload
 * without.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 */
async function writeMultipart(work) {
  try {
    return await upload(work, work.job.settings.proved)
  } catch (error) {
    if (/** @type {import('./types').XferError} */ (error).code !== 'TRAILER_REFUSED') throw error
    work.restart()
    return await upload(work, false)
  }
}

/** @param {WriteWork} work @param {boolean} checksum @returns {Promise<Written>} */
async function upload(work, checksum) {
  const kept = await goOn(work)
  if (kept && 'etag' in kept) return kept
  const { created, done } = kept ?? { created: await create(work, checksum), done: [] }
  const { store, key } = work.job.destination
  const late = work.late ?? createLate(work.job.engine)
  const { twice, emit } = watchTwins(work.job.emit)
  try {
    const copied = await copyParts(work, created, done, { run: late.run, emit })
    throwIfAborted(work.job.stopping)
    // What its store copied nobody has read.
    const { outcomes, proofs } = work.copies
      ? { outcomes: copied, proofs: [] }
      : await recheckSource(work, created, copied, rest => copyParts(work, created, rest, { run: late.run, emit }))
    const crc32 = checkParts(outcomes, work.plan.parts, work.object)
    await work.job.journal.write({ type: 'completing', upload: created.id, crc32 })
    const completed = await complete(work, created, outcomes, crc32)
    if (twice()) {
      // What came in while the upload was completed can have brought it back.
      await late.ended(LATE_LIMIT_MS)
      const signal = AbortSignal.timeout(ABORT_LIMIT_MS)
      await abortUntilGone(store, key, created.id, signal).catch(() => {})
    }
    return { outcomes, crc32, proofs, without: created.without, refusal: created.refusal, ...completed }
  } catch (error) {
    throw await leave(work, created.id, late, asXferError(error))
  }
}

/**
 * An upload that an earlier run of the job began: what it has already, or, where it was completed, what it became.
 *
 * @param {WriteWork} work
 * @returns {Promise<{ created: Upload, done: TaskSuccess[] } | Written | undefined>} undefined: there is none to go on with
 */
async function goOn({ job, object, plan }) {
  const unproved = !job.settings.proved
  const { destination, journal, signal, stopping, emit } = job
  const { upload: created, parts, completing } = journal.state
  if (!created) return undefined
  const { store, key } = destination
  const place = { store, key, uploadId: created.id, signal: stopping }
  try {
    const done = await findWritten(place, plan.parts, parts, { unproved })
    if (created.plain && !unproved) return await beginAnew(job, created.id)
    emit({ type: 'resume', job: journal.state.id, parts: done.length, bytes: sizeOf(done) })
    // Without them nobody could tell, once it is completed, that it was.
    for (const part of done) if (parts.get(part.partNumber)?.etag !== part.etag) note(journal, created.id, part)
    return { created: { ...created, asked: completing !== undefined }, done }
  } catch (error) {
    if (!isGone(asXferError(error))) throw error
  }
  const written = plan.parts.flatMap(({ partNumber }) => parts.get(partNumber) ?? [])
  const provable = unproved || written.every(({ crc32, server }) => crc32 !== undefined || server)
  if (completing && provable && written.length === plan.parts.length) {
    const { crc32 } = completing
    const found = await settleCompletion({ store, key, bytes: object.bytes, crc32, parts: written, signal })
    if (found) {
      emit({ type: 'resume', job: journal.state.id, parts: written.length, bytes: object.bytes })
      const timing = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }
      const { etag, versionId, checksum } = found
      const storedCrc32 = checksum?.type === 'FULL_OBJECT' ? checksum.crc32 : undefined
      const outcomes = written.map(part => ({ ...part, timing }))
      return { outcomes, crc32, etag, versionId, storedCrc32, without: created.without }
    }
  }
  emit({ type: 'notice', message: 'The upload that was begun is gone: the copy starts afresh.' })
  await journal.write({ type: 'gone', upload: created.id })
  return undefined
}

/**
 * What was begun with `--verify none` has nothing that a proof could be made of, and its parts can take no checksums.
 *
 * @param {WriteWork['job']} job
 * @param {string} uploadId
 * @returns {Promise<undefined>}
 */
async function beginAnew({ destination, journal, signal, emit }, uploadId) {
  const message = 'The copy was begun with --verify none, and nothing of it can be proved: it starts afresh.'
  emit({ type: 'notice', message })
  await abortUntilGone(destination.store, destination.key, uploadId, signal)
  await journal.write({ type: 'gone', upload: uploadId })
}

/**
 * A creation whose answer was lost leaves an upload of which nobody knows: it is looked for once that may have happened,
 * in this run or in the one before.
 *
 * @param {WriteWork} work
 * @param {boolean} checksum
 * @returns {Promise<Upload>}
 */
async function create({ job, attributes }, checksum) {
  const { destination, journal, settings, stopping, signal } = job
  throwIfAborted(stopping)
  const { store, key, text } = destination
  const { creatingMs } = journal.state
  if (creatingMs !== undefined) await tellLost(job, { createdMs: creatingMs, signal })
  const createdMs = store.now()
  // What that one asked for may have come about since.
  let lost = creatingMs !== undefined
  const onRetry = (/** @type {import('./types').XferError} */ error) => {
    lost ||= mayHaveCreated(error)
  }
  await journal.write({ type: 'creating', atMs: createdMs })
  /** @type {Upload} */
  let created
  try {
    const tell = (/** @type {string} */ message) => job.emit({ type: 'notice', message })
    const { result, without, refusal } = await conceding(
      { attributes, wish: settings.attributes, text, tell },
      granted => store.createUpload({ key, attributes: granted, checksum }, { signal, onRetry }),
    )
    created = { ...result, without, refusal }
  } catch (error) {
    const refused = !mayHaveCreated(asXferError(error))
    // A job that is kept looks for it again when it is gone on with: it may come about late.
    const end = keeps(job) ? signal : AbortSignal.timeout(ABORT_LIMIT_MS)
    const sought = lost || !refused ? tellLost(job, { createdMs, signal: end }) : Promise.resolve()
    const clear = await sought.then(
      () => true,
      // Where nothing is a store, nothing is left.
      cause => asXferError(error).code === 'NOT_A_STORE' && asXferError(cause).code === 'NOT_A_STORE',
    )
    if (clear && (refused || !keeps(job))) await journal.write({ type: 'cleared' })
    throw error
  }
  try {
    // Before it is written down: who does not come to an end here begins here again.
    if (lost) await tellLost(job, { createdMs, ours: [created.id], signal })
  } catch (error) {
    const end = AbortSignal.timeout(ABORT_LIMIT_MS)
    if (!keeps(job)) await abortUntilGone(store, key, created.id, end).catch(() => {})
    throw error
  }
  const plain = !settings.proved && /** @type {const} */ ({ plain: true })
  const without = created.without?.length ? { without: created.without } : undefined
  await journal.write({ type: 'upload', id: created.id, checksums: created.checksums, ...plain, ...without })
  return created
}

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} done parts that are there already
 * @param {{ run: import('./types').Engine['run'], emit: WriteWork['job']['emit'] }} how
 * @returns {Promise<TaskSuccess[]>} of all parts, in order
 */
async function copyParts(work, created, done, { run, emit }) {
  const { job, object, plan, concurrency, limits, schedule = runParts } = work
  const { id: uploadId, checksums, encrypted } = created
  const { source, destination, journal, settings, stopping, signal } = job
  const { store, key } = destination
  const proved = settings.proved
  const compareMd5 = createMd5Check(store.facts, settings.retries)
  const outcomes = new Map(done.map(outcome => [outcome.partNumber, outcome]))
  const missing = plan.parts.filter(({ partNumber }) => !outcomes.has(partNumber))
  let taken = done.length > 0
  const copied = await schedule(missing, {
    sign: work.copies
      ? copyTaskMaker({ from: work.copies, totalBytes: object.bytes, key, uploadId })
      : taskMaker({
          source,
          object,
          md5: proved && (!checksums || wantsMd5(work, created)),
          // Parts of an upload that was begun with checksums have to have theirs.
          crc32: proved || checksums,
          write: ({ partNumber, bytes }) =>
            store.partRequest({ key, uploadId, partNumber, bytes, checksum: checksums }),
        }),
    run,
    explain: explainWith({ source: source.store, destination: store, trailer: () => checksums && !taken }),
    check(outcome, attempt) {
      taken = true
      return checksums || encrypted ? undefined : compareMd5(outcome, attempt)
    },
    done: part => note(journal, uploadId, { ...part, ...(work.copies && { server: /** @type {const} */ (true) }) }),
    // Without the checksum that was sent along nothing tells what was written.
    ...(checksums && { settle: (parts, signal) => findWritten({ store, key, uploadId, signal }, parts) }),
    limits,
    concurrency,
    partsPerInvocation: settings.partsPerInvocation,
    pressure: work.job.pressure,
    hedge: true,
    retries: settings.retries,
    stop: stopping,
    signal,
    emit,
  })
  for (const outcome of copied) outcomes.set(outcome.partNumber, outcome)
  return plan.parts.map(({ partNumber }) => /** @type {TaskSuccess} */ (outcomes.get(partNumber)))
}

/** @param {WriteWork['job']['journal']} journal @param {string} upload @param {TaskSuccess & { server?: true }} part */
function note(journal, upload, { partNumber, bytes, etag, crc32, md5, server }) {
  journal.note({ type: 'part', upload, partNumber, bytes, etag, crc32, ...(md5 && { md5 }), ...(server && { server }) })
}

/**
 * Whether any part was sent more than once: the other one may still be on its way, whoever gave it up.
 *
 * @param {WriteWork['job']['emit']} emit
 */
function watchTwins(emit) {
  let seen = false
  return {
    twice: () => seen,
    /** @type {typeof emit} */
    emit(event) {
      seen ||= event.type === 'hedge' || event.type === 'retry'
      emit(event)
    },
  }
}

/**
 * What becomes of the parts of a copy that ends early: they are kept, where the job can be gone on with, or aborted.
 *
 * @param {WriteWork} work
 * @param {string} uploadId
 * @param {import('./types').Late} late
 * @param {import('./types').XferError} error why
 * @returns {Promise<import('./types').XferError>} the same, or one that says what could not be cleared away
 */
async function leave({ job }, uploadId, late, error) {
  const { store, key, text } = job.destination
  const { journal } = job
  if (keeps(job) && !error.final) {
    await late.ended(0)
    return error
  }
  const signal = AbortSignal.timeout(ABORT_LIMIT_MS)
  try {
    await abortUntilGone(store, key, uploadId, signal)
    if (late.count() > 0) {
      await late.ended(LATE_LIMIT_MS)
      await abortUntilGone(store, key, uploadId, signal)
    }
    await journal.write({ type: 'gone', upload: uploadId })
    return error
  } catch {
    return new XferError('UPLOAD_LEFT', { ...factsOfCause(error), uploadId, location: text }, { cause: error })
  }
}

/** Whether a job that ends early is to be gone on with. @param {WriteWork['job']} job */
function keeps({ journal, settings }) {
  return journal.kept && settings.onFailure === 'keep'
}

/** @param {TaskSuccess[]} outcomes */
function sizeOf(outcomes) {
  return outcomes.reduce((sum, { bytes }) => sum + bytes, 0)
}

module.exports = { writeMultipart }
