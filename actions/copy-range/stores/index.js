'use strict'

/** What is one store's own: the only place of the action where stores are told apart. */

const s3 = require('./s3')

/** @typedef {import('../transport/wire/slab').Slab} Slab */
/**
 * The body of a write, piece by piece. `write` answers as a stream's does; `end` is what follows the last piece.
 * @typedef {{
 *   write: (sink: { write: (piece: Buffer, slab?: Slab) => boolean }, piece: Buffer, slab?: Slab) => boolean,
 *   end: (crc32: number) => string,
 * }} Frame
 *
 * A way to send a checksum behind the bytes, under the name of a header. Lengths in bytes.
 * @typedef {{
 *   framedLength: (bytes: number, trailer: string) => number, frameBody: (bytes: number, trailer: string) => Frame
 * }} Framing
 */

/** What a request's answer means where the request brings no rule. @type {Record<import('../failure').Side, import('../../../lib/types').AnswerRule>} */
const ASSUMED = { read: s3.READ, write: s3.WRITE }

/** By name. @type {Record<string, Framing>} */
const FRAMINGS = { [s3.FRAMING]: { framedLength: s3.framedLength, frameBody: s3.frameBody } }

/** What a write means that names nothing but this trailer. */
const ASSUMED_FRAMING = { type: s3.FRAMING, trailer: s3.CRC32 }

module.exports = { ASSUMED, ASSUMED_FRAMING, FRAMINGS }
