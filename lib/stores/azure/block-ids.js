'use strict'

/**
 * Ids of blocks and of uploads. Azure knows no uploads: blocks belong to a blob, and have ids that the writer chooses. So an
 * upload is a mark in the ids of its blocks. Each attempt at a block has an id of its own, so that a late duplicate of one
 * attempt cannot replace the block that another attempt wrote, and that was proved. Pure.
 *
 * The bytes of a block's id: `xf`; the number of the part (2); when the upload began, in seconds (4); random bytes of the
 * upload (4); random bytes of the attempt (the rest). All ids of a blob must have one length, those of other programs'
 * blocks included: https://learn.microsoft.com/rest/api/storageservices/put-block#uri-parameters
 *
 * The id of an upload: the eight bytes of the upload in hex, the length of its blocks' ids in bytes, and the encryption scope
 * that its blocks are written with: `65f0c1a29d3b7e11.24` or `65f0c1a29d3b7e11.24.finance`.
 */

const { createHash } = require('node:crypto')

const MARK = Buffer.from('xf')
const UPLOAD = { from: 4, bytes: 8 }
const ATTEMPT_AT = UPLOAD.from + UPLOAD.bytes
const USUAL_BYTES = 24
/** With four random bytes of the attempt. */
const LEAST_BYTES = ATTEMPT_AT + 4
/** https://learn.microsoft.com/rest/api/storageservices/put-block */
const MOST_BYTES = 64

/** @typedef {{ mark: Buffer, idBytes: number, scope?: string }} UploadId mark: the bytes of the upload */

/**
 * @param {{ nowMs: number, random: (bytes: number) => Buffer, idBytes?: number, scope?: string }} of idBytes: the length of the
 *   ids of the blocks that the blob has already
 * @returns {string}
 */
function newUploadId({ nowMs, random, idBytes = USUAL_BYTES, scope }) {
  const began = Buffer.alloc(4)
  began.writeUInt32BE(Math.floor(nowMs / 1000))
  const mark = Buffer.concat([began, random(4)]).toString('hex')
  return `${mark}.${idBytes}${scope === undefined ? '' : `.${scope}`}`
}

/** @param {string} id any other text stands for an upload too, of the usual kind @returns {UploadId} */
function readUploadId(id) {
  const [, mark, bytes, scope] = /^([0-9a-f]{16})\.(\d\d)(?:\.([\w-]{1,64}))?$/.exec(id) ?? []
  const idBytes = Number(bytes)
  if (mark === undefined || idBytes < LEAST_BYTES || idBytes > MOST_BYTES) {
    return { mark: createHash('sha256').update(id).digest().subarray(0, UPLOAD.bytes), idBytes: USUAL_BYTES }
  }
  return { mark: Buffer.from(mark, 'hex'), idBytes, ...(scope !== undefined && { scope }) }
}

/**
 * @param {UploadId} upload
 * @param {number} partNumber
 * @param {(bytes: number) => Buffer} random
 * @returns {string} in base64
 */
function newBlockId({ mark, idBytes }, partNumber, random) {
  const number = Buffer.alloc(2)
  number.writeUInt16BE(partNumber)
  return Buffer.concat([MARK, number, mark, random(idBytes - ATTEMPT_AT)]).toString('base64')
}

/**
 * @param {string} blockId in base64
 * @returns {{ partNumber: number, upload: string, beganMs: number } | undefined} upload: its bytes in hex; undefined: another
 *   program wrote the block
 */
function readBlockId(blockId) {
  const bytes = Buffer.from(blockId, 'base64')
  if (bytes.length < LEAST_BYTES || !bytes.subarray(0, MARK.length).equals(MARK)) return undefined
  const upload = bytes.subarray(UPLOAD.from, ATTEMPT_AT)
  return {
    partNumber: bytes.readUInt16BE(MARK.length),
    upload: upload.toString('hex'),
    beganMs: upload.readUInt32BE(0) * 1000,
  }
}

/** @param {string} blockId in base64 */
function lengthOf(blockId) {
  return Buffer.from(blockId, 'base64').length
}

module.exports = { LEAST_BYTES, lengthOf, newBlockId, newUploadId, readBlockId, readUploadId }
