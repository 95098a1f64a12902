'use strict'

/** A file for one part of a stream. Where the system lets it be read without a name it has none, so that nothing is left of it. */

const { randomBytes } = require('node:crypto')
const { existsSync } = require('node:fs')
const { open, unlink } = require('node:fs/promises')
const { join, resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { XferError } = require('../../errors')

/** The open files of this process, by their numbers. */
const OPEN_FILES = '/proc/self/fd'

/**
 * @param {string} folder
 * @returns {Promise<{ url: string, write: (piece: Buffer, at: number) => Promise<void>, close: () => Promise<void> }>}
 * @throws {XferError} FILE_UNWRITABLE, as `write` does
 */
async function openSpill(folder) {
  const path = join(resolve(folder), `.xfer-${randomBytes(8).toString('hex')}.part`)
  const failed = (/** @type {any} */ cause) => {
    const advice = 'Name another folder with --temp-dir, or make room there.'
    return new XferError('FILE_UNWRITABLE', { path: folder, reason: cause.code ?? cause.message, advice }, { cause })
  }
  // Nobody else may read it.
  const handle = await open(path, 'wx+', 0o600).catch(cause => {
    throw failed(cause)
  })
  const nameless = existsSync(`${OPEN_FILES}/${handle.fd}`)
  if (nameless) await unlink(path)
  return {
    url: pathToFileURL(nameless ? `${OPEN_FILES}/${handle.fd}` : path).href,
    async write(piece, at) {
      for (let done = 0; done < piece.length; ) {
        const { bytesWritten } = await handle.write(piece, done, piece.length - done, at + done).catch(cause => {
          throw failed(cause)
        })
        done += bytesWritten
      }
    },
    async close() {
      await handle.close()
      if (!nameless) await unlink(path).catch(() => {})
    },
  }
}

module.exports = { openSpill }
