'use strict'

/** Deletes the sources of `xfer mv -r`, each after its own proof. */

const { XferError } = require('../../errors')
const { findAlready, removeSource } = require('../../object')

/** @typedef {import('../../job/open').Context} Context */
/** @typedef {import('./small').Copied} Copied */

/** @param {Context} job of the prefix */
function createMoves(job) {
  /** @param {string} name */
  function jobOfOne(name) {
    const { source, destination, settings, run } = job
    return {
      source: { ...source, key: source.key + name, text: source.text + name },
      destination: { ...destination, key: destination.key + name, text: destination.text + name },
      ...{ settings, run },
    }
  }

  return {
    /**
     * @param {{ name: string, destination?: import('../../types').ListedObject }} pair
     * @param {Copied} copied proved
     * @throws {XferError} SOURCE_KEPT, SAME_OBJECT; the reason of an abort. The source stays
     */
    async remove({ name }, { read, ...copied }) {
      if (!read) throw new XferError('INTERNAL', { reason: 'a copy does not say what it was made of' })
      await removeSource(jobOfOne(name), { read, copied, apart: false })
    },

    /**
     * Deletes the source if both stores prove that the destination has the object.
     *
     * @param {string} name
     * @returns {Promise<Copied | undefined>} what is at the destination; undefined: it has to be copied
     * @throws {XferError} as `remove`
     */
    async finish(name) {
      // An upload that is under way has to be completed, or aborted.
      if (job.settings.dryRun || job.run.journal.state.prefix?.objects.has(name)) return undefined
      const one = jobOfOne(name)
      const { already, apart } = await findAlready(one)
      if (!already) return undefined
      const { read, there, proof } = already
      const { bytes, etag, versionId } = there
      const copied = { bytes, etag, ...(versionId !== undefined && { versionId }), proof }
      await removeSource(one, { read, copied, apart })
      return copied
    },
  }
}

module.exports = { createMoves }
