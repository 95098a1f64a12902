'use strict'

/**
 * How often a step is taken again that went wrong, beside requests, which repeat.js and the scheduler repeat. Numbers that belong
 * together stand together.
 */
const AGAIN = Object.freeze({
  /** The source changed while it was copied: it is asked for, and copied, anew. */
  CHANGED_SOURCE: 3,
  /** An object's headers were not those of a moment before: both requests are signed anew. */
  OTHER_HEADERS: 3,
  /** Somebody else writes the key at the same time: everything is copied anew. */
  CONFLICT: 2,
  /** A copy of one request is wrong: it is written again. */
  WRONG_COPY: 2,
  /** The result of an upload, or its parts, are wrong: an upload is made anew. */
  WRONG_UPLOAD: 2,
  /** Parts are damaged at the destination, or two readings of them differ: they are copied again. */
  DAMAGED_PARTS: 3,
  /** No two readings of a source are equal. */
  DOUBTFUL_SOURCE: 3,
  /** What is read differs from what it should be: the reading may be wrong, and not the object. */
  DOUBTFUL_READING: 2,
})

module.exports = { AGAIN }
