'use strict'

/**
 * Proves a copy by reading. Before it is visible: whether it could be read back, and whether what was read is what the source
 * has; the source is read a second time if its checksums and its ETag leave a doubt, or with `--verify full`. Afterwards: reads
 * the copy back, and compares it with what was sent.
 */

const { AGAIN } = require('../async')
const { XferError, EXIT, asXferError, factsOfCause, throwIfAborted } = require('../errors')
const { CRCS, hasMd5Tags, judgeSource, keptBy, sameCrcs, sameEtag, NO_ETAG } = require('../integrity')
const { notice } = require('../notices')
const { isComparable } = require('./compare')
const { bytesIn, differing, inHalves, readRanges } = require('./read')
const { acceptGone, removeWrong } = require('../destination')
const { askStore } = require('../http')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Upload} Upload */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../integrity/source').SourceEvidence} SourceEvidence */
/** @typedef {import('../types').Written} Written */

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} copied all parts, in order
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest copies the parts that are not in `done`
 * @returns {Promise<{ outcomes: TaskSuccess[], proofs: Proof[] }>} the parts, some of them perhaps copied again, and
 *   the proofs about the source
 * @throws {XferError} INTEGRITY; the errors of reading
 */
async function recheckSource(work, created, copied, copyRest) {
  const { job, object, plan } = work
  const { verify, proved } = job.settings
  const md5Tags = hasMd5Tags(job.destination.store.can, created.encrypted)
  const judge = (/** @type {TaskSuccess[]} */ outcomes) => judgeSource(object, outcomes, md5Tags)
  let outcomes = copied
  let evidence = judge(outcomes)
  const once = job.source.store.can.readsOnce
  if (evidence?.verdict === 'equal' || !proved || once) return { outcomes, proofs: evidence?.proofs ?? [] }
  const doubted = evidence !== undefined && (await isComparable(evidence, job.source, plan.parts, job.run.cancel))
  if (verify === 'auto' && !doubted) return { outcomes, proofs: [] }
  job.run.emit(notice('READING_SOURCE', { again: true }))
  // The parts' MD5s were taken from the destination's ETags, which may be no MD5s: compute them.
  if (evidence?.by === 'etag' && outcomes.some(({ sums }) => sums.md5 === undefined)) {
    const withMd5s = (/** @type {Part[]} */ parts, /** @type {Sum[]} */ sums) =>
      readSource(work, parts, [...sums, 'md5'])
    outcomes = await readAlike(work, outcomes, copyRest, withMd5s)
    evidence = judge(outcomes)
  }
  if (evidence?.verdict !== 'equal') {
    // In other ranges than the copy did.
    const readHalved = (/** @type {Part[]} */ parts, /** @type {Sum[]} */ sums) =>
      inHalves(parts, halves => readSource(work, halves, sums))
    outcomes = await readAlike(work, outcomes, copyRest, readHalved)
    evidence = judge(outcomes)
  }
  if (doubted && evidence?.verdict === 'different') reportDifference(work, evidence.by)
  return { outcomes, proofs: ['source-read', ...(evidence?.proofs ?? [])] }
}

/**
 * Reads all parts again. Copies those again whose two readings differ, until two readings of each part are equal.
 *
 * @param {WriteWork} work
 * @param {TaskSuccess[]} copied
 * @param {(done: TaskSuccess[]) => Promise<TaskSuccess[]>} copyRest
 * @param {(parts: Part[], sums: Sum[]) => Promise<Array<{ sums: Sums }>>} read sums: those to compute
 * @returns {Promise<TaskSuccess[]>}
 * @throws {XferError} INTEGRITY
 */
async function readAlike(work, copied, copyRest, read) {
  const { parts } = work.plan
  const sums = CRCS.filter(sum => copied.some(part => part.sums[sum] !== undefined))
  let outcomes = copied
  const again = await read(parts, sums)
  for (let attempt = 0; ; attempt++) {
    const doubtful = differing(parts, outcomes, again)
    if (doubtful.length === 0)
      return outcomes.map((outcome, i) => ({ ...outcome, sums: { ...again[i].sums, ...outcome.sums } }))
    if (attempt === AGAIN.DAMAGED_PARTS) throw readDifferently(doubtful[0])
    const numbers = new Set(doubtful.map(({ partNumber }) => partNumber))
    outcomes = await copyRest(outcomes.filter(({ partNumber }) => !numbers.has(partNumber)))
    const still = differing(parts, outcomes, again)
    const newer = still.length > 0 ? await read(still, sums) : []
    for (const [i, part] of still.entries()) again[parts.indexOf(part)] = newer[i]
  }
}

/** @param {Part} part */
function readDifferently(part) {
  const reason = `the source sent other bytes each time that it was asked for ${bytesIn(part)}`
  return new XferError('INTEGRITY', { reason, start: part.start, end: part.start + part.bytes - 1 })
}

/**
 * Both readings are equal, and differ from the checksum or the ETag that the source has for these parts. If it is a checksum,
 * the source is damaged: fails. If it is an ETag, it may be no MD5: a notice says so.
 *
 * @param {WriteWork} work
 * @param {SourceEvidence['by']} by
 * @throws {XferError} INTEGRITY
 */
function reportDifference({ job, object }, by) {
  if (by === 'etag') return job.run.emit(notice('SOURCE_ETAG_DIFFERS'))
  const { words, expected } = keptBy(by, object)
  const reason = `the source keeps the ${words}, and what was read twice has another one`
  throw new XferError('INTEGRITY', { reason, expected })
}

/** Reads each range in one request. @param {WriteWork} work @param {Part[]} ranges @param {Sum[]} sums those to compute */
async function readSource(work, ranges, sums) {
  const { job, object, reading } = work
  const objects = [{ ...job.source, object }]
  const [outcomes] = await readRanges(work, {
    objects,
    ranges,
    sums,
    changed: 'SOURCE_CHANGED',
    emit: reading(ranges),
  })
  return outcomes
}

/** Codes of a store that refuses to read the object. */
const REFUSED = new Set(['ACCESS_DENIED', 'ARCHIVED'])

/** Notes in the journal that the upload is completed: there is nothing to resume. @param {WriteWork['job']} job */
async function forgetUpload({ run: { journal } }) {
  const { upload } = journal.state
  if (upload) await journal.write({ type: 'gone', upload: upload.id })
}

/**
 * Reads ranges of the copy, and compares them with what was sent. The journal notes those that are equal.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @param {Part[]} ranges of the plan's parts
 * @returns {Promise<{ wrong?: Part, current?: Pick<Written, 'etag' | 'versionId'> }>} wrong: the first range that differs from
 *   what was sent; current: the copy's ETag and version, if the store has another ETag for it than the completion
 *   returned and the bytes are right
 * @throws {XferError} OBJECT_CHANGED if somebody else replaced it, NOT_READ_BACK
 */
async function firstWrong(work, written, ranges) {
  const { job } = work
  const { upload } = job.run.journal.state
  const note = (/** @type {number} */ partNumber) => {
    if (upload) job.run.journal.note({ type: 'checked', upload: upload.id, partNumber })
  }
  const { wrong, changed } = await readUnder(work, written, ranges, note)
  if (!changed) return { wrong }
  const found = await readCurrent(work, written)
  if (found.current) return found
  await forgetUpload(job)
  throw new XferError('OBJECT_CHANGED', { ...changed.facts, advice: found.advice }, { cause: changed })
}

const REPLACED = 'Look at what is there now: somebody else wrote it after the copy was complete.'
const OF_OTHER_BYTES =
  'Look at what is there now: it is not what was sent, and either somebody else wrote it after the copy was complete, or its store shows the copy under another ETag than it answered, and the copy is wrong.'

/**
 * Some stores return one ETag from the completion, and then give the object another one. If the current object has the size of
 * the copy, it is read from its start under its current ETag. Equal bytes prove the copy, whoever wrote them.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<{ current: Pick<Written, 'etag' | 'versionId'> } | { current?: undefined, advice: string }>}
 * @throws {XferError} NOT_READ_BACK
 */
async function readCurrent(work, written) {
  const { job, object, plan } = work
  const { store, key } = job.destination
  const now = await store
    .head(key, { signal: job.run.cancel })
    .catch(acceptGone)
    .catch(error => notReadBack(job, error))
  if (!now || now.bytes !== object.bytes || sameEtag(now.etag, written.etag)) return { advice: REPLACED }
  const { wrong, changed } = await readUnder(work, { ...written, etag: now.etag }, plan.parts, () => {})
  if (changed) return { advice: REPLACED }
  return wrong ? { advice: OF_OTHER_BYTES } : { current: { etag: now.etag, versionId: now.versionId } }
}

/** The copy is there, and was not read to its end. @param {WriteWork['job']} job @param {unknown} cause @returns {never} */
function notReadBack({ destination }, cause) {
  const error = asXferError(cause)
  const exit = REFUSED.has(error.code) ? EXIT.FAILED : error.exitCode
  throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), exit, location: destination.text }, { cause: error })
}

/**
 * @param {WriteWork} work
 * @param {Written} written
 * @param {Part[]} ranges
 * @param {(partNumber: number) => void} note is called for each range that is equal
 * @returns {Promise<{ wrong?: Part, changed?: import('../types').XferError }>} wrong: the first range that differed from what was
 *   sent each time it was read; changed: the object has another ETag by now
 * @throws {XferError} NOT_READ_BACK
 */
async function readUnder(work, { etag, outcomes }, ranges, note) {
  const { job, object, plan, reading } = work
  // The schedule of a stream sends what comes of it.
  const reader = plan.growing ? { ...work, schedule: undefined } : work
  const sent = new Map(outcomes.map(({ partNumber, sums }) => [partNumber, sums]))
  const computed = CRCS.filter(sum => outcomes.some(({ sums }) => sums[sum] !== undefined))
  /** @type {Set<number>} */
  const equal = new Set()
  let doubtful = ranges
  for (let attempt = 0; attempt <= AGAIN.DOUBTFUL_READING && doubtful.length > 0; attempt++) {
    const asked = doubtful
    const changed = await readRanges(reader, {
      objects: [{ ...job.destination, object: { etag, bytes: object.bytes } }],
      ranges: asked,
      sums: computed,
      emit: reading(asked),
      done({ partNumber, sums }) {
        const range = asked[partNumber - 1]
        if (!sameCrcs(sums, sent.get(range.partNumber))) return
        equal.add(range.partNumber)
        note(range.partNumber)
      },
    }).then(
      () => undefined,
      error => (error.code === 'OBJECT_CHANGED' ? error : notReadBack(job, error)),
    )
    if (changed) return { changed }
    doubtful = asked.filter(({ partNumber }) => !equal.has(partNumber))
  }
  return { wrong: doubtful[0] }
}

/**
 * Removes a copy that is not what was sent, and returns the error that says so.
 *
 * @param {{ store: import('../types').Store, key: string, text: string }} destination
 * @param {Pick<Written, 'etag' | 'versionId'>} written
 * @param {{ reason: string, start?: number, bytes: number }} wrong the range that differs; from the start of the object when
 *   `start` is absent
 * @param {import('../types').XferError} [cause]
 * @returns {Promise<import('../types').XferError>} WRONG_COPY
 */
async function wrongCopy(destination, written, { reason, start = 0, bytes }, cause) {
  const now = await removeWrong(destination, written)
  const where = { location: destination.text, start, end: start + bytes - 1 }
  return new XferError('WRONG_COPY', { ...where, reason, now }, { cause })
}

/**
 * Asks by a HEAD and by a GET of one byte, whether or not the object exists yet. Without permission to list the bucket, a
 * store refuses a missing object as if it existed: the copy then fails here, though it might be readable once it exists.
 *
 * @param {object} work
 * @param {{ destination: Pick<import('../job/open').Side, 'store' | 'key' | 'text'>, run: Pick<import('../job/open').Run, 'cancel'> }} work.job
 * @param {WriteWork['attributes']} work.attributes
 * @param {{ checked?: boolean }} upload checked: the copy is proved without a read-back, so a refusal may
 *   be found later
 * @throws {XferError} READ_BACK_REFUSED
 */
async function checkReadable({ job, attributes }, { checked = false }) {
  const { store, key, text: location } = job.destination
  const { cancel: signal } = job.run
  const { storageClass } = attributes
  if (store.archives?.(storageClass)) {
    const reason = `an object of the storage class ${storageClass} cannot be read`
    throw new XferError('READ_BACK_REFUSED', { location, reason })
  }
  // Who writes a file can read it.
  if (checked || store.can.reach === 'process') return
  let etag = NO_ETAG
  try {
    etag = (await store.head(key, { signal })).etag
  } catch (cause) {
    const error = asXferError(cause)
    throwIfAborted(signal)
    if (error.code === 'ACCESS_DENIED') {
      const { message: reason, hint: advice } = error
      throw new XferError('READ_BACK_REFUSED', { ...error.facts, location, reason, advice, unseen: true }, { cause })
    }
    // Any other error is not a refusal.
    if (error.code !== 'NO_SUCH_KEY') return
  }
  const { request } = await store.read({ key, etag, range: { start: 0, end: 0 } })
  const answer = await askStore(store, request, { signal }).catch(() => undefined)
  if (store.requests) store.requests.GET++
  throwIfAborted(signal)
  if (answer?.status !== 403) return
  // An object that is there may be archived; the copy is not.
  if (store.explain({ of: 'read', status: 403, body: answer.body }).code === 'ARCHIVED') return
  const { message: reason, hint: advice, facts } = store.explain({ of: 'read', status: 403 })
  throw new XferError('READ_BACK_REFUSED', { ...facts, location, reason, advice })
}

module.exports = { readSource, recheckSource, checkReadable, firstWrong, forgetUpload, wrongCopy }
