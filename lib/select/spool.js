'use strict'

/** Names of what is to be deleted in a temporary file, because there may be millions of them. */

const { mkdtemp, open, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { XferError } = require('../errors')
const { lineOf, namesIn } = require('./names')

/** Characters that wait to be written to the file. */
const MOST_BUFFERED = 64 * 1024

const ADVICE = 'Make room there, or name another folder with TMPDIR, then repeat the command; nothing was deleted.'

function createSpool() {
  /** @type {{ folder: string, handle: import('node:fs/promises').FileHandle } | undefined} */
  let file
  let buffered = ''

  async function write() {
    try {
      if (!file) {
        const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
        file = { folder, handle: await open(join(folder, 'names'), 'wx+', 0o600) }
        // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
        await rm(folder, { recursive: true, force: true }).catch(() => {})
      }
      const text = buffered
      buffered = ''
      await file.handle.appendFile(text)
    } catch (cause) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
      const path = `The list of what to delete, in ${tmpdir()},`
      throw new XferError('FILE_UNWRITABLE', { path, reason: code ?? message, advice: ADVICE }, { cause })
    }
  }

  return {
    /** @param {string} name @throws {XferError} FILE_UNWRITABLE */
    async add(name) {
      buffered += lineOf(name)
      if (buffered.length > MOST_BUFFERED) await write()
    },

    /** @returns {AsyncGenerator<string, void, undefined>} the names, in the order in which they were added */
    async *names() {
      await write()
      const { handle } = /** @type {NonNullable<typeof file>} */ (file)
      yield* namesIn(handle.createReadStream({ start: 0, autoClose: false }), 'the names to delete')
    },

    /** Forgets all names. */
    async close() {
      buffered = ''
      const gone = file
      file = undefined
      if (!gone) return
      await gone.handle.close()
      await rm(gone.folder, { recursive: true, force: true })
    },
  }
}

module.exports = { createSpool }
