'use strict'

/**
 * Reads which job a file belongs to from its first line, so that a command reads only the beginning of the journals of
 * other jobs and of files that are no journals.
 */

const { openFile, readAll, unusable } = require('./file')
const { replay } = require('./replay')

/** Far more than the first line of a job needs. */
const HEAD_BYTES = 1024 ** 2
/** A file of at most this size may still have lines that count when its beginning is damaged. */
const SMALL_BYTES = 4 * 1024 ** 2

/**
 * @param {string} path
 * @returns {Promise<import('../types').JobState>} the job's ends, options and start; of the rest only what the beginning of the file has
 * @throws {import('../types').XferError} NO_SUCH_JOB, BAD_JOURNAL; `facts.unread` when a large file is no journal
 */
async function glanceAt(path) {
  const handle = await openFile(path, 'read')
  try {
    const { size } = await handle.stat()
    const head = replay(await readAll(handle, path, HEAD_BYTES), path)
    if ('state' in head) return head.state
    if (size > SMALL_BYTES) {
      const error = unusable(path, `its beginning is of no journal, and the rest, ${size} bytes in all, was not read`)
      error.facts.unread = true
      throw error
    }
    throw unusable(path, head.problem)
  } finally {
    await handle.close()
  }
}

module.exports = { glanceAt }
