'use strict'

/** Builds the data requests, which the transport of files of the embedded engine carries out. */

const { conditionHeaders, mtime } = require('../common')
const { folderOf, readUploadId } = require('./paths')
const { XferError } = require('./words')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** @type {AnswerRule['errorCode']} */
const errorCode = { header: 'x-error' }
/** @type {AnswerRule['etag']} */
const etag = { header: 'etag', required: true }

/** @type {AnswerRule} */
const READ = { statuses: [200, 206], etag, changed: [412], errorCode }

/** Of a whole file. @type {AnswerRule} */
const WRITE_FILE = { statuses: [200], etag, tells: ['x-mtime'], errorCode }

/** Of a range in a partial file: it has no version of its own. @type {AnswerRule} */
const WRITE_RANGE = { statuses: [200], errorCode }

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {ReturnType<typeof import('./files').createFiles>} of.files
 * @param {ReturnType<typeof import('./pending').createLeftovers>} of.leftovers
 * @returns {Pick<Store, 'read' | 'put'> & Pick<Store['upload'], 'part'>}
 */
function createRequests({ paths, facts, files, leftovers }) {
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
      }
      return { request: { method: 'GET', url: paths.url(key), headers, root: paths.root, accepts: READ } }
    },

    async put({ key, bytes, attributes, condition, mtimeFrom }) {
      refuseTags(attributes, facts)
      paths.locateTarget(key)
      // Below a prefix that would be one more call a file.
      if (key === paths.named) await refuseSpecial(key)
      const seconds = mtime.MTIME_IN_SECONDS.read(attributes.metadata.user)
      const headers = {
        'content-length': String(bytes),
        ...conditionHeaders(condition),
        ...(seconds !== undefined && { 'x-mtime': seconds }),
        ...(mtimeFrom !== undefined && { 'x-mtime-from': mtimeFrom }),
        ...leftovers.header(),
      }
      return { request: { method: 'PUT', url: paths.url(key), headers, root: paths.root, accepts: WRITE_FILE } }
    },

    async part({ key, uploadId, bytes, start = 0 }) {
      paths.locate(key)
      const { total, name } = readUploadId(uploadId)
      const url = paths.url(folderOf(key) + name)
      const end = start + bytes
      const headers = {
        'content-length': String(bytes),
        'content-range': `bytes ${start}-${end - 1}/${Math.max(total, end)}`,
      }
      return { request: { method: 'PUT', url, headers, root: paths.root, accepts: WRITE_RANGE } }
    },
  }
}

/** @param {import('../../types').ObjectAttributes} attributes @param {Record<string, any>} facts */
function refuseTags({ tags = [] }, facts) {
  if (tags.length === 0) return
  throw new XferError('STORE_REFUSED', { ...facts, status: 501, reason: 'files have no tags' })
}

module.exports = { createRequests, refuseTags }
