'use strict'

/** Removes files. The folders that they were in stay. */

const { lstat, unlink } = require('node:fs/promises')
const { asXferError } = require('../../errors')
const { isEtagOf } = require('../../files')
const { XferError } = require('./words')

const AT_ONCE = 16

/**
 * @param {object} of
 * @param {Record<string, any>} of.facts of the store
 * @param {ReturnType<typeof import('./files').createFiles>} of.files
 * @returns {Pick<import('../contract').Store, 'remove' | 'removeAll'>}
 */
function createRemoval({ facts, files }) {
  /** @param {{ key: string, etag?: string }} file */
  async function remove({ key, etag }) {
    await files
      .at(
        key,
        async path => {
          const found = await lstat(path, { bigint: true })
          if (found.isDirectory())
            throw new XferError('NOT_A_FILE', { ...facts, key, path: `/${key}`, what: 'is a folder' })
          if (etag !== undefined && !isEtagOf(etag, found)) {
            throw new XferError('DESTINATION_EXISTS', { ...facts, key, path: `/${key}`, status: 412 })
          }
          await unlink(path)
        },
        { of: 'write' },
      )
      .catch(cause => {
        if (cause.code !== 'NO_SUCH_KEY' || etag !== undefined) throw cause
      })
  }

  /** @param {string} key */
  async function one(key) {
    try {
      await remove({ key })
      return []
    } catch (cause) {
      const { code, message, retryable } = asXferError(cause)
      if (retryable) throw cause
      return [{ key, code, message }]
    }
  }

  return {
    remove: async file => await remove(file),
    async removeAll(keys, { signal } = {}) {
      const refused = []
      for (let at = 0; at < keys.length; at += AT_ONCE) {
        signal?.throwIfAborted()
        refused.push(...(await Promise.all(keys.slice(at, at + AT_ONCE).map(one))).flat())
      }
      return refused
    },
  }
}

module.exports = { createRemoval }
