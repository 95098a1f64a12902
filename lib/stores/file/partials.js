'use strict'

/** Keys of files, and the ids of their uploads: the id of the partial file, and the size of the object. */

const { partialName } = require('../../files')

/** @param {string} key */
const nameOf = key => key.slice(key.lastIndexOf('/') + 1)

/** @param {string} key @returns {string} with a slash at the end; '' for the root of the file system */
const folderOf = key => key.slice(0, key.lastIndexOf('/') + 1)

/** The upload that writes into the target itself. @param {bigint} inode of the target @param {number} bytes of the object */
const inPlaceId = (inode, bytes) => `in-place-${inode}.${bytes}`

/**
 * @param {string} uploadId
 * @param {string} [key] of the target
 * @returns {{ name: string, total: number, inode?: bigint }} name: of the file that is written; inode: of the target, if it is that
 */
function readUploadId(uploadId, key = '') {
  const [id, total = '0'] = uploadId.split('.')
  const [, inode] = /^in-place-(\d+)$/.exec(id) ?? []
  if (inode !== undefined) return { name: nameOf(key), total: Number(total), inode: BigInt(inode) }
  return { name: partialName(id), total: Number(total) }
}

module.exports = { folderOf, inPlaceId, nameOf, readUploadId }
