'use strict'

/** Sends one object through the scheduler: signs its two requests and reads the responses. */

const { asXferError } = require('../../errors')
const { evidenceFrom, weighWritten } = require('../../integrity')
const { explainWith, mayHaveWritten } = require('../../transfer')
const { UNKNOWN_TIMING, look } = require('../../destination')

/** @typedef {import('./types').Via} Via */
/** @typedef {import('./types').KnownSource} KnownSource */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */

/**
 * Provides the headers and attributes of the objects of a job.
 *
 * @typedef {object} Describer
 * @property {(order: import('./types').Order, source: KnownSource, headers?: Record<string, string>) => Promise<Described>} describe headers:
 *   as a read has just told them
 * @property {(order: import('./types').Order, headers: Record<string, string>) => void} differs the headers were not as
 *   guessed
 * @property {() => void} fits the headers were as guessed
 *
 * @typedef {object} Described
 * @property {ObjectAttributes} attributes
 * @property {import('../../types').Notice[]} notices
 * @property {boolean} encrypted its ETag is not an MD5
 * @property {Record<string, string>} [expected] headers that the read must return; default: any
 */

/** How often an object's headers may differ from those of a moment before. */
const MOST_CHANGES = 3
/** @type {ObjectAttributes} */
const NONE = { metadata: { headers: {}, user: {} } }

/**
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {import('./types').ScheduleOne} how.scheduleOne
 * @param {Describer} how.describer
 * @param {import('./reader').Reader} how.reader
 * @returns {Via}
 */
function throughEngine({ job, scheduleOne, describer, reader }) {
  const { source: from, destination: to, settings, trust, engine } = job
  /** Whether the destination has accepted a checksum. */
  let taken = false

  return {
    readable: true,
    asks: () => false,

    async send(order, source, { known, sums, condition, grant }) {
      const { bytes, etag } = source
      const { crc32, md5, sent: checksum, tell } = sums
      const explain = explainWith({
        source: from.store,
        destination: to.store,
        trailer: () => checksum && !taken,
      })
      /** The headers of the read; undefined: a guess is used. */
      let headers = source.headers
      let changes = 0
      /** Number of tasks, and of those that certainly wrote nothing. */
      let signed = 0
      let unwritten = 0
      let sent = { attributes: NONE, granted: NONE }
      /** @type {import('../../types').Notice[]} */
      let notices = []

      /** @param {import('../../types').Part} part @returns {Promise<import('../../types').Task>} */
      async function sign({ partNumber }) {
        const described = await describer.describe(order, source, headers)
        sent = { attributes: described.attributes, granted: grant(described.attributes) }
        notices = described.notices
        signed++
        const knownMd5 = known.crc32 === undefined && !described.encrypted ? known.md5 : undefined
        const { store, key, versionId } = order.from
        const read = await store.read({ key, etag, versionId, checksum: settings.proved })
        const put = { key: order.to.key, bytes, attributes: sent.granted, checksum, condition }
        const write = await order.to.store.put(put)
        return {
          partNumber,
          bytes,
          read: read.request,
          write: write.request,
          expect: {
            etag,
            totalBytes: bytes,
            ...(described.expected && { headers: described.expected }),
            ...(knownMd5 !== undefined && { md5: knownMd5 }),
            ...(known.crc32 !== undefined && { crc32: known.crc32 }),
          },
          ...(tell && { tell }),
          ...(md5 && { md5 }),
          ...(!crc32 && { crc32 }),
        }
      }

      try {
        const sentOne = await scheduleOne(bytes, {
          sign,
          explain(error) {
            // The same task's earlier attempt may have written the object, which makes the condition fail.
            const twice = !engine.can.once && error.side === 'write' && explain(error).code === 'DESTINATION_EXISTS'
            if (!twice && !mayHaveWritten(error)) unwritten++
            if (error.code !== 'HEADERS_DIFFER' || !error.headers || ++changes > MOST_CHANGES) return explain(error)
            describer.differs(order, error.headers)
            headers = error.headers
            return explain({ ...error, describedAnew: true })
          },
          emit: order.emit,
        })
        taken ||= checksum
        if (!headers) describer.fits()
        const outcome = sentOne.etag === '' ? await withEtag(sentOne, order.to, job.run.abort) : sentOne
        return { ...sent, notices, ...toldBy(source, outcome, { from: from.store, to: to.store }) }
      } catch (cause) {
        return { ...sent, error: asXferError(cause), open: signed > unwritten }
      }
    },

    async weigh(_order, { outcome, told }, { checked, stored, bytes: there }) {
      const { bytes, crc32, md5 } = outcome
      const { encrypted, ...rules } = evidenceFrom(to.store.can, { checked, encrypted: told.encrypted })
      const found = { bytes: there, checksum: stored?.checksum ?? told.checksum, encrypted }
      return weighWritten({ bytes, crc32, md5, ...rules }, { ...told, ...found })
    },

    /** Reads the source again to compare it with the destination's object. */
    async judge(order, source, object) {
      const { crc32, md5 } = await reader.read(order.from, source, 'SOURCE_CHANGED')
      const checked = trust.put()
      const { encrypted } = evidenceFrom(to.store.can, { encrypted: object.encrypted })
      const sent = { bytes: source.bytes, crc32, md5, checked }
      const weighed = weighWritten(sent, { ...object, encrypted })
      const outcome = { partNumber: 1, bytes: source.bytes, etag: object.etag, crc32, md5, timing: UNKNOWN_TIMING }
      if (weighed.verdict === 'proved') return { verdict: 'ours', proof: weighed.proofs, outcome }
      // Its store computed it, or somebody said so when it was written: either way it is not what was sent now.
      if (weighed.by === 'crc32' && checked) return { verdict: 'other', proof: [] }
      const stored = await reader.read(order.to, object, 'OBJECT_CHANGED')
      return stored.crc32 === crc32
        ? { verdict: 'ours', proof: ['read-back'], outcome }
        : { verdict: 'other', proof: [] }
    },
  }
}

/**
 * Asks for the ETag of an object whose store does not tell it in the answer to a write. If somebody else wrote the object
 * since, it is theirs: what proves the copy compares the bytes.
 *
 * @param {import('../../types').TaskSuccess} outcome
 * @param {import('./types').Order['to']} to
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<import('../../types').TaskSuccess>} the same where it cannot be asked for
 */
async function withEtag(outcome, to, signal) {
  const { object } = await look(to, signal)
  return object ? { ...outcome, etag: object.etag } : outcome
}

/**
 * @param {KnownSource} source
 * @param {import('../../types').TaskSuccess} outcome
 * @param {{ from: import('../../types').Store, to: import('../../types').Store }} stores
 */
function toldBy(source, outcome, { from, to }) {
  const { read = {}, write = {} } = outcome.headers ?? {}
  const { checksum: keptBySource } = from.readDescription(read)
  return {
    source: { ...source, ...(keptBySource && { checksum: keptBySource }) },
    outcome,
    told: { etag: outcome.etag, ...to.readWritten(write) },
  }
}

module.exports = { throughEngine }
