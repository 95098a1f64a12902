'use strict'

/** Builds the data requests, which the transport of files of the embedded engine carries out. */

const { modeFor } = require('./modes')
const { folderOf, readUploadId } = require('./partials')
const { READ, WRITE_FILE, WRITE_RANGE } = require('./rules')
const { secondsFor } = require('./times')
const { XferError } = require('./words')

/** @typedef {import('../contract').Store} Store */

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {ReturnType<typeof import('./files').createFiles>} of.files
 * @param {ReturnType<typeof import('./leftovers').createLeftovers>} of.leftovers
 * @param {ReturnType<typeof import('./in-place').createInPlace>} [of.inPlace] absent: files are written beside their targets
 * @param {boolean} of.preserveMode
 * @returns {Pick<Store, 'read' | 'put'> & Pick<Store['upload'], 'part'>}
 */
function createRequests({ paths, facts, files, leftovers, inPlace, preserveMode }) {
  /** @param {string} key */
  async function refuseSpecial(key) {
    await files
      .at(key, path => files.refuseOther(path, key), { of: 'write' })
      .catch(error => {
        // Its folder is made by the write.
        if (error.code !== 'UPLOAD_GONE' && error.code !== 'NO_SUCH_KEY') throw error
      })
  }

  return {
    async read({ key, etag, range }) {
      paths.locate(key)
      const headers = {
        'if-match': etag,
        ...(range && { range: `bytes=${range.start}-${range.end}` }),
        ...(files.follows(key) && { 'x-links': 'follow' }),
        // What is read of a destination is a copy that was just written: the disk is asked, and not the memory.
        ...(facts.side === 'destination' && { 'x-cache': 'bypass' }),
      }
      return { request: { method: 'GET', url: paths.url(key), headers, root: paths.root, accepts: READ } }
    },

    async put({ key, bytes, attributes, condition = {}, mtimeFrom }) {
      refuseTags(attributes, facts)
      paths.locateTarget(key)
      // Below a prefix that would be one more call a file.
      if (key === paths.named) await refuseSpecial(key)
      inPlace?.began()
      const headers = {
        'content-length': String(bytes),
        ...(condition.ifNoneMatch && { 'if-none-match': '*' }),
        ...(condition.ifMatch !== undefined && { 'if-match': condition.ifMatch }),
        ...timeHeader(attributes),
        ...(preserveMode && modeHeader(attributes)),
        ...(mtimeFrom !== undefined && { 'x-mtime-from': mtimeFrom }),
        ...(inPlace ? { 'x-in-place': 'true' } : leftovers.header()),
      }
      return { request: { method: 'PUT', url: paths.url(key), headers, root: paths.root, accepts: WRITE_FILE } }
    },

    async part({ key, uploadId, bytes, start = 0 }) {
      paths.locate(key)
      const { total, name, inode } = readUploadId(uploadId, key)
      const url = paths.url(folderOf(key) + name)
      const end = start + bytes
      const headers = {
        'content-length': String(bytes),
        'content-range': `bytes ${start}-${end - 1}/${Math.max(total, end)}`,
        ...(inode !== undefined && { 'x-inode': String(inode) }),
      }
      return { request: { method: 'PUT', url, headers, root: paths.root, accepts: WRITE_RANGE } }
    },
  }
}

/** @param {import('../../types').ObjectAttributes} attributes @returns {Record<string, string>} */
function timeHeader(attributes) {
  const seconds = secondsFor(attributes)
  return seconds === undefined ? {} : { 'x-mtime': seconds }
}

/** @param {import('../../types').ObjectAttributes} attributes @returns {Record<string, string>} */
function modeHeader(attributes) {
  const mode = modeFor(attributes)
  return mode === undefined ? {} : { 'x-mode': mode.toString(8) }
}

/** @param {import('../../types').ObjectAttributes} attributes @param {Record<string, any>} facts */
function refuseTags({ tags = [] }, facts) {
  if (tags.length === 0) return
  throw new XferError('STORE_REFUSED', { ...facts, status: 501, notImplemented: true, reason: 'files have no tags' })
}

module.exports = { createRequests, refuseTags }
