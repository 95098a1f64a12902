'use strict'

/**
 * An object of one request through an engine: what its bytes must be, before they are written; how it is sent, by a task of two signed
 * requests, and what the responses say; and how it, or its copy, is read again.
 */

const { AGAIN } = require('../async')
const { XferError, asXferError } = require('../errors')
const {
  CRCS,
  evidenceFrom,
  hasCrc,
  judgeSource,
  keptBy,
  keptMd5,
  namesOf,
  only,
  planPut,
  sameCrcs,
  weighWritten,
} = require('../integrity')
const { explainWith, mayHaveWritten } = require('../schedule')
const { UNKNOWN_TIMING, isUnchanged, look } = require('../destination')
const { MTIME_IN_SECONDS } = require('../stores').mtime
const { mtimeOf } = require('./attributes')

/** @typedef {import('./small').Via} Via */
/** @typedef {import('./small').KnownSource} KnownSource */
/** @typedef {import('./small').Order} Order */
/** @typedef {import('./small').OrderEnd} OrderEnd */
/** @typedef {import('./small').Reader} Reader */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */

/**
 * Provides the headers and attributes of the objects of a job.
 *
 * @typedef {object} Describer
 * @property {(order: Order, source: KnownSource, headers?: Record<string, string>) => Promise<Described>} describe headers:
 *   as a read has just told them
 * @property {(order: Order, source: KnownSource, read: import('../types').ObjectDescription) => Promise<Described>} describeRead
 *   the same, of an object whose read is answered
 * @property {(order: Order, headers: Record<string, string>) => void} differs the headers were not as
 *   guessed
 * @property {() => void} fits the headers were as guessed
 *
 * @typedef {object} Described
 * @property {ObjectAttributes} attributes
 * @property {import('../types').Notice[]} notices
 * @property {boolean} encrypted its ETag is not an MD5
 * @property {Record<string, string>} [expected] headers that the read must return; default: any
 */

/** @typedef {NonNullable<import('../schedule/queue').GroupHow['settle']>} Settle */

/** A store's clock is known to whole seconds. */
const SLACK_MS = 2_000
/** @type {ObjectAttributes} */
const NONE = { metadata: { headers: {}, user: {} } }

/**
 * @param {object} how
 * @param {import('../job/open').Context} how.job
 * @param {import('./small').Schedule} how.schedule
 * @param {Describer} how.describer
 * @param {Reader} how.reader
 * @param {boolean} [how.many] the object is one of many: it waits behind the parts of large ones
 * @returns {Via & { reader: Reader }}
 */
function throughEngine({ job, schedule, describer, reader, many = false }) {
  const { source: from, destination: to, settings, trust, engine } = job
  /** Whether an option says the time. */
  const timeGiven = MTIME_IN_SECONDS.read(settings.attributes.given.user) !== undefined
  /** The write of an object of so many bytes is signed once its read is answered; -1: none is. */
  const { signsLate: latest = -1 } = engine.can

  return {
    reader,
    keepsConditions: () => !to.store.can.ignoresConditions,

    /** The store computes a checksum, and the answer to the write does not tell it. */
    asks({ told: { sums } }) {
      const { answered, computed = [] } = to.store.can.sums
      return computed.length > 0 && answered.length === 0 && namesOf(only(sums, computed)).length === 0
    },

    async send(order, source, { known, condition }) {
      const { bytes, etag } = source
      const late = bytes <= latest
      /** By which the checksums to compute and to send are planned. */
      const rules = { can: to.store.can, proved: settings.proved, tells: from.store.can.sums.computed }
      /** The headers of the read; undefined: a guess is used. */
      let headers = source.headers
      let changes = 0
      /** Number of tasks, and of those that certainly wrote nothing. */
      let signed = 0
      let unwritten = 0
      /** Of the first, by the destination's clock. @type {number | undefined} */
      let signedMs
      let attributes = NONE
      let checksum = false
      /** @type {import('../types').Notice[]} */
      let notices = []
      /** As the last read has told the object, if the write was made after it. @type {ReturnType<typeof from.store.readDescription> | undefined} */
      let description

      /** @param {import('../types').Part} part @returns {Promise<import('../types').Task>} */
      async function sign({ partNumber }) {
        signed++
        signedMs ??= to.store.now()
        const { store, key, versionId } = order.from
        const { request: read } = await store.read({ key, etag, versionId, checksum: settings.proved })
        if (!late) return await withWrite(partNumber, read)
        /** @type {import('../types').Task} */
        const task = { partNumber, bytes, read, expect: { etag, totalBytes: bytes }, sums: [] }
        task.late = async ({ headers: found, kept, digest }) => {
          try {
            description = from.store.readDescription(found)
            const described = await describer.describeRead(order, source, description)
            const keepsCrc = hasCrc(kept)
            const asRead = keepsCrc ? { ...source, sums: { ...kept, ...source.sums } } : source
            const { sums: wanted, sent } = planPut({ ...rules, checks: trust.put(), source: asRead })
            // A CRC that the source keeps is compared in place of its ETag.
            const certain = expectedSums(keepsCrc ? only(known, CRCS) : known, described)
            for (const sum of namesOf(certain)) if (!wanted.includes(sum)) wanted.push(sum)
            const sums = await digest(wanted)
            task.write = await signWrite(described, { checksum: sent, sums })
            return { write: task.write, sums, expect: { ...kept, ...certain } }
          } catch (cause) {
            throw asXferError(cause)
          }
        }
        return task
      }

      /** Signs the write before the read is answered. @param {number} partNumber @param {import('../types').Task['read']} read @returns {Promise<import('../types').Task>} */
      async function withWrite(partNumber, read) {
        const described = await describer.describe(order, source, headers)
        const { sums, sent, tell } = planPut({ ...rules, checks: trust.put(), source })
        const write = await signWrite(described, { checksum: sent })
        const { expected } = described
        const certain = expectedSums(known, described)
        return {
          partNumber,
          bytes,
          read,
          write,
          sums,
          expect: { etag, totalBytes: bytes, ...(expected && { headers: expected }), sums: certain },
          ...(tell && { tell }),
        }
      }

      /** @param {import('../types').Sums} those @param {Described} described @returns {import('../types').Sums} that the bytes must have */
      function expectedSums(those, { encrypted }) {
        const { md5, ...crcs } = those
        // A CRC decides alone; the ETag of an encrypted object is no MD5, but one that its store keeps beside it is.
        const noMd5 = encrypted && source.sums?.md5 === undefined
        return hasCrc(crcs) || noMd5 ? crcs : those
      }

      /** @param {Described} described @param {{ checksum: boolean, sums?: import('../types').Sums }} body */
      async function signWrite(described, body) {
        attributes = described.attributes
        notices = described.notices
        const mtimeFrom = source.metadata || timeGiven ? undefined : from.store.mtime?.header
        const { sums } = body
        checksum = body.checksum
        const put = { key: order.to.key, bytes, attributes, condition, mtimeFrom, checksum, sums }
        return (await order.to.store.put(put)).request
      }

      /** What the destination has of an attempt whose answer is lost: it counts if the source's own checksum proves it. @type {Settle} */
      async function findWritten([{ partNumber }], signal) {
        const { object } = await look(order.to, signal)
        const isOlder = object?.lastModifiedMs !== undefined && object.lastModifiedMs + SLACK_MS < (signedMs ?? 0)
        if (object?.bytes !== bytes || isOlder || isUnchanged(order.before, object)) return []
        const { encrypted, ...rules } = evidenceFrom(to.store.can, {
          checked: trust.put(),
          encrypted: object.encrypted,
        })
        const { verdict } = weighWritten({ bytes, sums: known, ...rules }, { ...object, encrypted })
        if (settings.proved && verdict !== 'proved') return []
        return [{ partNumber, bytes, etag: object.etag, object, sums: known, timing: UNKNOWN_TIMING }]
      }

      try {
        const [sentOne] = await schedule([{ partNumber: 1, start: 0, bytes }], {
          sign,
          explain(error) {
            const explain = explainWith({ source: order.from, destination: order.to })
            // The same task's earlier attempt may have written the object, which makes the condition fail.
            const twice = !engine.can.once && error.side === 'write' && explain(error).code === 'DESTINATION_EXISTS'
            if (!twice && (error.known || !mayHaveWritten(error))) unwritten++
            if (error.code !== 'HEADERS_DIFFER' || !error.headers || ++changes > AGAIN.OTHER_HEADERS)
              return explain(error)
            describer.differs(order, error.headers)
            headers = error.headers
            return explain({ ...error, describedAnew: true })
          },
          settle: findWritten,
          emit: order.emit,
          lane: many ? 1 : 0,
        })
        if (!headers && !late) describer.fits()
        // If somebody else wrote the object since, its ETag is theirs: what proves the copy compares the bytes.
        const there = sentOne.etag === '' ? (await look(order.to, job.run.abort)).object : undefined
        const written = there ? { ...sentOne, etag: there.etag } : sentOne
        const { read, write = {} } = written.headers ?? {}
        const described = description ?? from.store.readDescription(read ?? {})
        const metadata = source.metadata ?? (read && described.metadata)
        const { mtime, ...answered } = to.store.readWritten(write)
        const setsTime = to.store.setTime && metadata && !timeGiven
        const outcome = setsTime ? await withTime(order, { ...source, metadata }, written, mtime) : written
        const shown = /** @type {import('../types').ObjectHead | undefined} */ (sentOne.object)
        // It may wait for the last look, with a thousand others.
        outcome.headers = undefined
        const about = shown && { sums: shown.sums, encrypted: shown.encrypted, versionId: shown.versionId }
        const told = { etag: outcome.etag, ...answered, ...about }
        const asRead = { ...source }
        if (described.sums) asRead.sums = described.sums
        if (described.composite) asRead.composite = described.composite
        if (described.versionId !== undefined) asRead.versionId = described.versionId
        return { attributes, checksum, notices, source: asRead, outcome, told }
      } catch (cause) {
        return { attributes, error: asXferError(cause), open: signed > unwritten }
      }
    },

    async weigh(_order, { outcome, told }, { checked, stored, bytes: there }) {
      const { bytes, sums } = outcome
      const { encrypted, ...rules } = evidenceFrom(to.store.can, { checked, encrypted: told.encrypted })
      const found = { bytes: there, sums: stored?.sums ?? told.sums, encrypted }
      return weighWritten({ bytes, sums, ...rules }, { ...told, ...found })
    },

    /** Reads the source again to compare it with the destination's object. */
    async judge(order, source, object) {
      const { encrypted, kept } = evidenceFrom(to.store.can, { checked: trust.put(), encrypted: object.encrypted })
      const sums = await readWhole(reader, order.from, source, 'SOURCE_CHANGED', namesOf(object.sums ?? {}))
      const { bytes } = source
      const weighed = weighWritten({ bytes, sums, kept }, { ...object, encrypted })
      const outcome = { partNumber: 1, bytes, etag: object.etag, sums, timing: UNKNOWN_TIMING }
      const known = weighed.verdict === 'proved' ? weighed.proofs : []
      if (known.length > 0 && settings.verify !== 'full') return { verdict: 'ours', proof: known, outcome }
      // Its store computed it, or somebody said so when it was written: either way it is not what was sent now.
      if (kept.some(sum => sum === weighed.by)) return { verdict: 'other', proof: [] }
      const stored = await readWhole(reader, order.to, object, 'OBJECT_CHANGED', namesOf(sums))
      return sameCrcs(stored, sums)
        ? { verdict: 'ours', proof: [...known, 'read-back'], outcome }
        : { verdict: 'other', proof: [] }
    },
  }
}

/**
 * Corrects the time of a copy that was written with another one, because it could not be taken from the answer to the read.
 *
 * @param {Order} order
 * @param {Parameters<typeof mtimeOf>[0]} source
 * @param {import('../types').TaskSuccess} outcome
 * @param {string | undefined} mtime the time that it was written with
 * @returns {Promise<import('../types').TaskSuccess>}
 */
async function withTime({ from, to }, source, outcome, mtime) {
  const { setTime } = to.store
  const seconds = setTime && mtimeOf(source, from.store)
  if (!setTime || seconds === undefined || seconds === mtime) return outcome
  return { ...outcome, etag: await setTime({ key: to.key, etag: outcome.etag, seconds }) }
}

/** @typedef {{ known: import('../types').Sums, proofs: Proof[] }} Expected proofs: of the source, that a reading gave */

/** @type {Expected} */
const NOTHING = { known: {}, proofs: [] }

/**
 * Reads an object of one request again: the source for the expected checksum, the copy for the stored one.
 *
 * @param {Reader} reader
 * @param {OrderEnd} end
 * @param {{ etag: string, bytes: number }} object
 * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} changed the error if the object was replaced
 * @param {readonly Sum[]} sums those to compute besides the MD5
 * @returns {Promise<import('../types').Sums>} with a CRC
 */
async function readWhole(reader, end, object, changed, sums) {
  const ranges = [{ partNumber: 1, start: 0, bytes: object.bytes }]
  const [whole] = await readAs(reader, end, object, ranges, { changed, sums: withCrc([...sums, 'md5']) })
  return whole.sums
}

/**
 * Reads in other pieces than the copy does: a fault that damages the n-th byte of every response then damages other bytes.
 *
 * @param {Reader} reader
 * @param {OrderEnd} end
 * @param {{ etag: string, bytes: number }} object
 * @param {readonly Sum[]} sums those to compute
 * @returns {Promise<import('../types').Sums>} CRCs only
 * @throws {XferError} SOURCE_CHANGED; the errors of reading
 */
async function readInHalves(reader, end, object, sums) {
  const { inHalves } = require('../verify')
  const how = { changed: /** @type {const} */ ('SOURCE_CHANGED'), sums: withCrc(sums.filter(sum => sum !== 'md5')) }
  const ranges = [{ partNumber: 1, start: 0, bytes: object.bytes }]
  const [whole] = await inHalves(ranges, halves => readAs(reader, end, object, halves, how))
  return whole.sums
}

/** @param {Reader} reader @param {OrderEnd} end @param {{ etag: string, bytes: number }} object @param {import('../types').Part[]} ranges @param {{ changed: 'SOURCE_CHANGED' | 'OBJECT_CHANGED', sums: Sum[] }} how */
async function readAs(reader, { store, key, versionId }, object, ranges, how) {
  const objects = [{ store, key, versionId, object }]
  const { readRanges } = require('../verify')
  const [read] = await readRanges(reader, { ...how, objects, ranges, emit: reader.reading(ranges) })
  return read
}

/** @param {readonly Sum[]} sums @returns {Sum[]} with a CRC, to compare readings by */
function withCrc(sums) {
  return [...new Set(CRCS.some(sum => sums.includes(sum)) ? sums : [/** @type {const} */ ('crc32'), ...sums])]
}

/**
 * The expected checksum of an object's bytes, before they are written. An object of one request is visible at once, so the
 * function gets the expected checksum and holds the last byte back until the bytes match it.
 * The source's stored checksum. If that is asked for, or nothing else can be compared, the checksum of a first reading.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {object} how
 * @param {Reader} [how.reader] absent: no byte passes an engine, so nothing is expected
 * @param {import('../job/open').Job['settings']} how.settings
 * @param {boolean} how.single whether it is the only object, so that another reading is affordable
 * @returns {Promise<Expected>}
 */
async function expectedOf(order, source, { reader, settings, single }) {
  if (!reader || !settings.proved || source.bytes === 0) return NOTHING
  if (hasCrc(source.sums)) return { known: only(source.sums, CRCS), proofs: [] }
  const kept = keptMd5(source)
  if (kept && kept.parts === undefined) return { known: { md5: kept.md5 }, proofs: [] }
  // What is held of a stream would only show what was held.
  if (order.from.store.can.readsOnce) return NOTHING
  const onePart = kept?.parts === 1 || source.composite?.crc32.endsWith('-1')
  if (settings.verify !== 'full' && !(single && onePart)) return NOTHING
  return await readAgain(order, source, { reader })
}

/**
 * Reads the source in other pieces than the copy does, and expects the result.
 *
 * @param {Order} order
 * @param {KnownSource} source
 * @param {{ reader: Reader, sums?: readonly import('../types').Sum[] }} how sums: those to compute
 * @returns {Promise<Expected>}
 * @throws {XferError} INTEGRITY if the source has a composite checksum of its one part, and no reading matches it
 */
async function readAgain(order, source, { reader, sums = [] }) {
  for (let attempt = 0; ; attempt++) {
    const known = await readInHalves(reader, order.from, source, sums)
    const { md5, ...kept } = source.sums ?? {}
    const object = /** @type {any} */ ({ ...source, sums: kept, etag: '' })
    const evidence = judgeSource(object, [{ bytes: source.bytes, sums: known, etag: '' }], false)
    if (evidence?.verdict !== 'different') return { known, proofs: ['source-read'] }
    if (attempt === AGAIN.DOUBTFUL_SOURCE) throw damaged(source, evidence.by)
  }
}

/** @param {KnownSource} source @param {any} by a checksum of its evidence */
function damaged(source, by) {
  const { words, expected } = keptBy(by, /** @type {any} */ (source))
  const reason = `the source keeps the ${words}, and what was read has another one`
  return new XferError('INTEGRITY', { reason, expected })
}

module.exports = { damaged, expectedOf, readAgain, readWhole, throughEngine }
