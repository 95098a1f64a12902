'use strict'

/** What is one store's own: the only place of the action where stores are told apart. */

const s3 = require('./s3')

/** @typedef {import('../../../lib/types').Sum} Sum */
/** @typedef {import('../../../lib/types').Sums} Sums */
/** @typedef {import('../transport/wire/slab').Slab} Slab */
/**
 * The body of a write, piece by piece. `write` answers as a stream's does; `end` is what follows the last piece, of the
 * checksums of all of them.
 * @typedef {{
 *   write: (sink: { write: (piece: Buffer, slab?: Slab) => boolean }, piece: Buffer, slab?: Slab) => boolean,
 *   end: (sums: Sums) => string,
 * }} Frame
 *
 * What is sent behind the bytes: a checksum, under the name of a header in lower case.
 * @typedef {{ trailer: string, sum: Sum }} Trailer
 *
 * A way to send it. Lengths in bytes.
 * @typedef {{
 *   framedLength: (bytes: number, behind: Trailer) => number, frameBody: (bytes: number, behind: Trailer) => Frame
 * }} Framing
 */

/** By name. @type {Record<string, Framing>} */
const FRAMINGS = { [s3.FRAMING]: { framedLength: s3.framedLength, frameBody: s3.frameBody } }

module.exports = { FRAMINGS }
