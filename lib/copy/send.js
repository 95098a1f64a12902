'use strict'

/** Copies the parts of an upload, weighs the evidence that the store gives for them, and reads back what nothing else proves. */

const { AGAIN } = require('../async')
const { XferError } = require('../errors')
const {
  compareSums,
  evidenceFrom,
  hasCrc,
  plainMd5Of,
  planParts,
  shownOf,
  weighParts,
  weighWritten,
} = require('../integrity')
const { copyTaskMaker, explainWith, runParts, taskMaker } = require('../schedule')
const { listNow, listStored, trustParts, anotherObject, notTheCopy } = require('../destination')
const { firstWrong, forgetUpload, isNot } = require('../verify')
const { notice } = require('../notices')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Part} Part */
/** @typedef {{ reason: string, start: number, bytes: number }} Wrong what differs from what was sent, and where */

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} done parts that the upload has already
 * @param {object} how
 * @param {import('../types').Engine['run']} how.run
 * @param {import('../job/open').Run['emit']} how.emit
 * @param {boolean} how.hedge
 * @returns {Promise<TaskSuccess[]>} all parts, in order
 */
async function copyParts(work, created, done, { run, emit, hedge }) {
  const { job, object, plan, concurrency, limits, schedule = runParts } = work
  const { id: uploadId, checked = false } = created
  const { source, destination, settings } = job
  const { journal, cancel, abort, pressure } = job.run
  const { store, key } = destination
  const { sums, sent, tell } = planSums(work, created)
  const outcomes = new Map(done.map(outcome => [outcome.partNumber, outcome]))
  /** @type {Part[]} */
  const missing = []
  for (const part of plan.parts) if (!outcomes.has(part.partNumber)) missing.push(part)
  const damageOf = plan.growing ? judgeEach(work, created) : undefined
  await schedule(missing, {
    sign: work.copies
      ? copyTaskMaker({ from: work.copies, totalBytes: object.bytes, key, uploadId })
      : taskMaker({
          source,
          object,
          sums,
          tell,
          write: ({ partNumber, start, bytes }) =>
            store.upload.part({ key, uploadId, partNumber, start, bytes, checksum: sent }),
        }),
    explain: explainWith({ source, destination }),
    ...(damageOf && { check: part => damageOf(withAnswered(store, part)) }),
    done(part) {
      const outcome = withAnswered(store, part)
      outcomes.set(part.partNumber, outcome)
      noteIn(journal, uploadId, outcome, work.copies !== undefined)
    },
    // Without a checked checksum nothing shows what was written.
    ...(checked && {
      settle: async (parts, signal) =>
        trustParts(parts, new Map(), await listStored({ store, key, uploadId, signal }, parts), { checked }),
    }),
    run,
    emit,
    hedge,
    limits,
    concurrency,
    pressure,
    cancel,
    abort,
    startWith: job.engine.startWith,
    partsPerInvocation: work.partsPerInvocation,
    retries: settings.retries,
  })
  return plan.parts.map(({ partNumber }) => /** @type {TaskSuccess} */ (outcomes.get(partNumber)))
}

/** @param {Pick<WriteWork, 'job' | 'object' | 'plan'>} work @param {Upload} upload */
function planSums({ job, object, plan }, upload) {
  const { can } = job.destination.store
  return planParts({ can, proved: job.settings.proved, upload, source: object, parts: plan.parts.length })
}

/** The part with the checksums that the store computed of it, if the task asked for the answer's headers. @param {import('../types').Store} store @param {TaskSuccess} part @returns {TaskSuccess} */
function withAnswered(store, { headers, ...part }) {
  const { answered } = headers?.write ? store.readWritten(headers.write) : {}
  return answered ? { ...part, answered } : part
}

/**
 * Judges each part of a stream by the answer to its own write: once it is done its bytes are gone, and it cannot be copied again.
 *
 * @param {WriteWork} work
 * @param {Upload} created
 * @returns {(part: TaskSuccess) => XferError | undefined} PART_CORRUPTED
 */
function judgeEach({ job }, created) {
  const rules = evidenceFrom(job.destination.store.can, created)
  /** One whose ETag is its MD5: then an ETag that is not shows damage. @type {TaskSuccess | undefined} */
  let proof
  return part => {
    const { proved, damaged } = weighParts(proof ? [proof, part] : [part], rules)
    proof ??= proved[0]
    return job.settings.proved && damaged.includes(part) ? corrupted(job, part, rules) : undefined
  }
}

/**
 * Weighs all parts by the answers to their writes. Damaged parts are copied again. If ETags look like MD5s, and none is, one
 * part is copied again, because a single damaged part looks the same.
 *
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not among those given
 * @returns {Promise<{ outcomes: TaskSuccess[], unproved: number[] }>} unproved: numbers of the parts that only a
 *   read-back can prove
 * @throws {XferError} PART_CORRUPTED
 */
async function proveParts(work, created, copied, copyRest) {
  const { job } = work
  const rules = evidenceFrom(job.destination.store.can, created)
  // Where the store computes a checksum of the whole object, that is compared once the object is there.
  if (!job.settings.proved || planSums(work, created).evidence === 'computed') return { outcomes: copied, unproved: [] }
  let outcomes = copied
  for (let round = 0; ; round++) {
    const answered = weighParts(outcomes, rules)
    if (answered.proved.length === outcomes.length) return { outcomes, unproved: [] }
    const { outcomes: listed, lost } = await asListed(job, created, outcomes)
    outcomes = listed
    const { proved, damaged, unproved } = weighParts(outcomes, rules)
    const bad = [...new Set([...damaged, ...lost])]
    const sample = round === 0 && bad.length === 0 && proved.length === 0 ? sampleOf(outcomes, rules.encrypted) : []
    const again = bad.length > 0 ? bad : sample
    if (again.length === 0) return { outcomes, unproved: numbersOf(unproved) }
    if (round === AGAIN.DAMAGED_PARTS) throw corrupted(job, again[0], rules)
    for (const { partNumber } of bad) {
      const { code, message } = corrupted(job, outcomes[partNumber - 1] ?? again[0], rules)
      job.run.emit({ type: 'retry', partNumber, attempt: round + 1, code, message, delayMs: 0 })
    }
    const rest = outcomes.filter(outcome => !again.includes(outcome))
    outcomes = await copyRest(rest)
  }
}

/** Whether an earlier run let the store copy the part itself: the store's answer proves it. @param {{ sums: import('../types').Sums }} part */
function isStoresOwn({ sums }) {
  return !hasCrc(sums)
}

/** The parts that a read-back can prove. @param {TaskSuccess[]} parts */
function numbersOf(parts) {
  return parts.filter(part => !isStoresOwn(part)).map(({ partNumber }) => partNumber)
}

/**
 * The smallest part whose ETag has the form of an MD5 but differs from ours.
 *
 * @param {TaskSuccess[]} outcomes
 * @param {boolean} encrypted whether ETags are no MD5s
 */
function sampleOf(outcomes, encrypted) {
  const doubted = encrypted
    ? []
    : outcomes.filter(({ sums, etag }) => sums.md5 !== undefined && plainMd5Of(etag) !== undefined)
  return doubted.toSorted((one, other) => one.bytes - other.bytes).slice(0, 1)
}

/**
 * The parts with the ETags that the store lists, if it allows listing.
 *
 * @param {WriteWork['job']} job
 * @param {Upload} created
 * @param {TaskSuccess[]} outcomes all parts, in order
 * @returns {Promise<{ outcomes: TaskSuccess[], lost: TaskSuccess[] }>} lost: parts that are missing there or have another size
 */
async function asListed({ destination, run: { journal, cancel: signal } }, created, outcomes) {
  const { store, key } = destination
  const place = { store, key, uploadId: created.id, signal }
  const listed = await listNow(place, outcomes).catch(error => {
    if (signal?.aborted) throw error
  })
  for (const part of listed?.changed ?? []) noteIn(journal, created.id, part)
  return { outcomes: listed?.now ?? outcomes, lost: listed?.lost ?? [] }
}

/** @param {WriteWork['job']} job @param {TaskSuccess} part @param {ReturnType<typeof evidenceFrom>} rules */
function corrupted({ destination }, part, rules) {
  const { facts } = destination.store
  const { partNumber, sums, etag, answered } = part
  const shown = shownOf(weighWritten({ ...part, ...rules }, { answered }))
  if (!shown) {
    const reason = `part ${partNumber} has the ETag ${etag}, and the MD5 of what was sent is ${sums.md5}`
    return new XferError('PART_CORRUPTED', { ...facts, reason, expected: sums.md5, found: etag })
  }
  const { words, one, other } = shown
  const reason = `the destination computed the ${words} ${other} of part ${partNumber}, and that of what was sent is ${one}`
  return new XferError('PART_CORRUPTED', { ...facts, reason, expected: one, found: other })
}

/**
 * @param {import('../job/open').Run['journal']} journal
 * @param {string} upload
 * @param {TaskSuccess} part
 * @param {boolean} [server] the store copied it itself
 */
function noteIn(journal, upload, { partNumber, bytes, etag, sums, answered }, server = false) {
  journal.note({
    type: 'part',
    upload,
    partNumber,
    bytes,
    etag,
    sums,
    ...(answered && { answered }),
    ...(server && { server: /** @type {const} */ (true) }),
  })
}

/**
 * The ranges to read back, as far as known.
 *
 * @param {Pick<WriteWork, 'job' | 'object' | 'plan' | 'copies'>} work
 * @param {{ created?: import('../types').Upload, unproved?: number[] }} known created: before the parts are copied; unproved:
 *   numbers of parts after that
 * @returns {Part[]}
 */
function rangesToRead({ job, object, plan, copies }, { created, unproved }) {
  const { verify, proved } = job.settings
  if (!proved || copies) return []
  if (verify === 'full') return plan.parts
  if (unproved?.length === 0) return []
  if (unproved) return plan.parts.filter(({ partNumber }) => unproved.includes(partNumber))
  return created && planSums({ job, object, plan }, created).evidence === 'none' ? plan.parts : []
}

/**
 * What is known of an upload that was completed, now or by an earlier run.
 *
 * @param {Pick<WriteWork['job'], 'destination' | 'settings'>} job
 * @param {Upload} upload
 * @param {TaskSuccess[]} outcomes all parts, in order
 * @param {{ sums: import('../types').Sums, proofs?: import('../types').Proof[], completed: Pick<Written, 'etag' | 'versionId' | 'storedSums' | 'doubtful'> }} how sums:
 *   of the whole object
 * @returns {Written}
 */
function writtenOf({ destination, settings }, upload, outcomes, { sums, proofs, completed }) {
  const rules = evidenceFrom(destination.store.can, upload)
  const { damaged, unproved } = weighParts(outcomes, rules)
  // One of the whole object says enough of all its parts.
  const enough = !settings.proved || compareSums(sums, completed.storedSums, rules.kept).equal.length > 0
  const open = enough ? [] : numbersOf([...damaged, ...unproved])
  return { ...rules, outcomes, sums, proofs, unproved: open, ...completed }
}

/**
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<Written & { wrong?: Wrong }>} wrong: set when the object differs from what was sent; it is still there
 * @throws {import('../types').XferError} NOT_READ_BACK; OBJECT_CHANGED when somebody else replaced it
 */
async function proveStored(work, written) {
  const { job, plan, object, copies } = work
  const { settings } = job
  const { journal } = job.run
  const { contradiction, doubtful } = written
  if (settings.verify === 'size' && written.unseen) {
    await forgetUpload(job)
    const reason = 'its size cannot be asked for'
    throw new XferError('NOT_PROVED', { location: job.destination.text, reason, instead: 'none' })
  }
  if (doubtful && copies) {
    await forgetUpload(job)
    throw notTheCopy(job.destination, settings.condition)
  }
  if (!settings.proved || copies) {
    if (contradiction === undefined) return written
    await forgetUpload(job)
    return { ...written, wrong: { reason: contradiction, start: 0, bytes: object.bytes } }
  }
  const all = settings.verify === 'full' || contradiction !== undefined || doubtful
  const ranges = all ? plan.parts : rangesToRead(work, { unproved: written.unproved ?? [] })
  if (ranges.length === 0) return written
  const seen = journal.state.checked ?? new Set()
  const rest = ranges.filter(({ partNumber }) => !seen.has(partNumber))
  job.run.emit(notice('READING_BACK', settings.verify === 'full' ? {} : { bytes: sizeOf(rest) }))
  const { wrong, current } = await firstWrong(work, written, rest)
  if (!wrong) return { ...written, ...current, proofs: [...(written.proofs ?? []), 'read-back'] }
  await forgetUpload(job)
  if (doubtful) {
    // It may be somebody else's object of the same size.
    throw anotherObject(job.destination)
  }
  return { ...written, wrong: { ...wrong, reason: isNot('what was sent', wrong, plan.parts) } }
}

/** @param {Array<{ bytes: number }>} ranges */
function sizeOf(ranges) {
  return ranges.reduce((sum, { bytes }) => sum + bytes, 0)
}

module.exports = {
  copyParts,
  isStoresOwn,
  noteIn,
  proveParts,
  proveStored,
  rangesToRead,
  sizeOf,
  writtenOf,
}
