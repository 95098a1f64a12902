'use strict'

/** Keys of files, and the ids of their uploads: the id of the partial file, and the size of the object. */

const { partialName } = require('../../files')

/** @param {string} key */
const nameOf = key => key.slice(key.lastIndexOf('/') + 1)

/** @param {string} key @returns {string} with a slash at the end; '' for the root of the file system */
const folderOf = key => key.slice(0, key.lastIndexOf('/') + 1)

/**
 * @param {string} uploadId
 * @returns {{ name: string, total: number }} name: of the partial file
 */
function readUploadId(uploadId) {
  const [id, total = '0'] = uploadId.split('.')
  return { name: partialName(id), total: Number(total) }
}

module.exports = { folderOf, nameOf, readUploadId }
