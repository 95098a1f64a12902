'use strict'

/**
 * The names of partial files: what a copy is called until it is complete. Half of the digits are of the target's name, so that the
 * partials of a target are found again; the other half are random.
 */

const { randomBytes } = require('node:crypto')
const { beginningOf, nobody } = require('../../files')

const PARTIAL = /^\.xfer-([0-9a-f]{16})\.partial$/

/** @param {string} key of the target @returns {string} 16 hex digits */
function newId(key) {
  return beginningOf(nameOf(key)) + nobody() + randomBytes(2).toString('hex')
}

/** @param {string} id */
const partialName = id => `.xfer-${id}.partial`

/** @param {string} name of a file @returns {string | undefined} the id; undefined: it is no partial file */
const idOf = name => PARTIAL.exec(name)?.[1]

/** @param {string} key */
const nameOf = key => key.slice(key.lastIndexOf('/') + 1)

/** @param {string} key @returns {string} with a slash at the end; '' for the root of the file system */
const folderOf = key => key.slice(0, key.lastIndexOf('/') + 1)

/**
 * The id of an upload: that of its partial file, and the size of the object.
 *
 * @param {string} uploadId
 * @returns {{ name: string, total: number }} name: of the partial file
 */
function readUploadId(uploadId) {
  const [id, total = '0'] = uploadId.split('.')
  return { name: partialName(id), total: Number(total) }
}

module.exports = { beginningOf, folderOf, idOf, nameOf, newId, partialName, readUploadId }
