'use strict'

/**
 * Which job a file of the folder is of, from its beginning: its first line says so. So a command reads of others' journals,
 * and of files that are none, no more than that.
 */

const { openFile, readAll, unusable } = require('./file')
const { replay } = require('./replay')

/** Far more than a job's first line has. */
const HEAD_BYTES = 1024 ** 2
/** A file of up to so many is read whole where its beginning is damaged. */
const SMALL_BYTES = 4 * 1024 ** 2

/**
 * @param {string} path
 * @returns {Promise<import('../types').JobState>} of the job's ends, options and beginning; of the rest what the head has
 * @throws {import('../types').XferError} NO_SUCH_JOB, BAD_JOURNAL; `facts.unread` where a large file looks like none
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
    const all = size > HEAD_BYTES ? replay(await readAll(handle, path), path) : head
    if ('problem' in all) throw unusable(path, all.problem)
    return all.state
  } finally {
    await handle.close()
  }
}

module.exports = { glanceAt }
