'use strict'

/**
 * What a killed process leaves of files that it was writing in one piece: partial files, whose ids have a mark of their job. A
 * partial file of an upload in parts has none: the journal knows it.
 */

const { ownerMark, ownerOf } = require('../../files')

/** @typedef {import('../contract').Store} Store */

/**
 * @param {Pick<Store['upload'], 'pending' | 'abort'>} uploads
 * @returns {NonNullable<Store['leftovers']> & { header: () => Record<string, string> }} header: of the requests that write whole files
 */
function createLeftovers({ pending, abort }) {
  /** @type {string | undefined} */
  let mark
  return {
    header: () => /** @type {Record<string, string>} */ (mark === undefined ? {} : { 'x-owner': mark }),
    note(job) {
      mark = ownerMark(job)
    },
    async sweep(prefix, options) {
      const { uploads } = await pending({ prefix }, options)
      const own = uploads.filter(({ id }) => ownerOf(id) === mark)
      for (const { key, id } of own) {
        await abort?.({ key, uploadId: id }, options).catch(error => {
          if (error.code !== 'UPLOAD_GONE') throw error
        })
      }
    },
  }
}

module.exports = { createLeftovers }
