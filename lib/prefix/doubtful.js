'use strict'

/**
 * A small object of which a write may be there though it was not said so, or is there and not as it was sent: a PUT is
 * visible at once. What is there is read, and compared with what was sent.
 */

const { crc32ToBase64 } = require('../crc32')
const { sameEtag } = require('../integrity')
const { look } = require('../settle')
const { takeAway, wrongCopy } = require('../verify/read-back')

/** @typedef {import('./whole').Copied} Copied */
/** Whose ETag or checksum is not that of what was sent. @typedef {{ etag: string, crc32?: number }} Doubt */

/**
 * @param {object} how
 * @param {import('../job').Job} how.job
 * @param {ReturnType<typeof import('./read').createReader>} how.reader
 */
function createDoubtful({ job, reader }) {
  /**
   * @param {import('../job').Side} place of the copy
   * @param {object} written
   * @param {string} written.name
   * @param {import('./whole').Found} written.found the source
   * @param {Doubt} [written.doubt] of the last that was written
   * @param {import('../types').XferError} written.error what was said in the end
   * @returns {Promise<{ copied: Copied, sent: number } | undefined>} undefined: it is not there, or somebody else's
   * @throws {import('../types').XferError} the error, once what is wrong is taken away
   */
  return async function settle(place, { name, found, doubt, error }) {
    // What cannot be read any more is not left there as if it were right: another run would take it for copied.
    if (job.stopping?.aborted) {
      if (doubt) await takeAway(place, doubt)
      return undefined
    }
    const { object } = await look(place, job.stopping)
    if (!object) return undefined
    const ours = doubt !== undefined && sameEtag(object.etag, doubt.etag)
    if (object.bytes === found.bytes) {
      const source = { ...job.source, key: job.source.key + name }
      const sent = (ours ? doubt.crc32 : undefined) ?? (await reader.read(source, found, 'SOURCE_CHANGED'))
      const stored = await reader.read(place, object, 'OBJECT_CHANGED')
      if (stored === sent) {
        const { bytes, etag, versionId } = object
        const crc32 = crc32ToBase64(sent)
        return {
          copied: { bytes, etag, crc32, ...(versionId !== undefined && { versionId }), proof: ['read-back'] },
          sent,
        }
      }
    }
    if (!ours) return undefined
    throw await wrongCopy(place, object, { bytes: found.bytes }, error)
  }
}

module.exports = { createDoubtful }
