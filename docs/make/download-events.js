'use strict'

/** The events of `xfer cat`, and of a copy to standard output. */

/** @typedef {import('./events').Fields} Fields */

/** @param {{ source: string, where: Fields, totals: Fields }} shared with other commands @returns {import('./events').Kinds} */
function downloadKinds({ source, where, totals }) {
  return {
    plan: {
      when: 'once, before anything is read',
      fields: {
        source,
        bytes: 'how many will be handed out',
        ranges: 'how many',
        rangeBytes: 'size of a range',
        ahead: 'ranges in memory, at most',
        ...where,
      },
    },
    done: {
      when: 'the last event if all bytes were handed out',
      fields: {
        source,
        bytes: 'those that were handed out',
        etag: "the object's",
        'versionId?': "the object's, if its bucket keeps versions",
        'sums?': 'the checksums that were computed of the bytes, by name, in hex',
        proof: 'what proved that they are those of the source; empty if nothing did',
        'uncompared?': 'true: the source has no checksum to compare with what was read',
        engine: 'as in `plan`',
        ...totals,
      },
    },
  }
}

module.exports = { downloadKinds }
