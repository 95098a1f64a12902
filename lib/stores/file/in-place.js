'use strict'

/**
 * Uploads into the target itself (`--inplace`): nothing is written beside it, and nothing is renamed. Their ids have the inode of the
 * target, so that another file of its name is not taken for it.
 */

const { constants } = require('node:fs')
const { open } = require('node:fs/promises')
const { notice } = require('../../notices')
const { codeOf } = require('./explain')
const { inPlaceId } = require('./partials')
const { checkRoom } = require('./room')
const { XferError } = require('./words')

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants

/** @param {{ location: string, facts: Record<string, any> }} of facts: of the store */
function createInPlace({ location, facts }) {
  let some = false

  /** @param {string} target @param {string} key */
  async function openTarget(target, key) {
    const notAFile = (/** @type {unknown} */ cause) =>
      new XferError(
        'NOT_A_FILE',
        { ...facts, key, path: `/${key}`, what: 'is a folder, a device, a pipe or a socket' },
        { cause },
      )
    // A named pipe is not waited for.
    const handle = await open(target, O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR, 0o666).catch(cause => {
      throw ['EISDIR', 'ENXIO'].includes(codeOf(cause)) ? notAFile(cause) : cause
    })
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return { handle, stats }
    await handle.close()
    throw notAFile(undefined)
  }

  return {
    /** A target may have new bytes from now on. */
    began() {
      some = true
    },

    /**
     * @param {string} target
     * @param {{ key: string, bytes: number, folder: string }} of
     * @returns {Promise<string>} the id of the upload
     */
    async create(target, { key, bytes, folder }) {
      const { handle, stats } = await openTarget(target, key)
      try {
        // What the target has is written again.
        await checkRoom(folder, { key, bytes, own: Number(stats.blocks) * 512, facts })
        some = true
        await handle.truncate(bytes)
        return inPlaceId(stats.ino, bytes)
      } finally {
        await handle.close()
      }
    },

    /** What a job that failed has to say. @returns {import('../../types').Notice[]} */
    failureNotices: () => (some ? [notice('LEFT_HALF_WRITTEN', { location })] : []),
  }
}

module.exports = { createInPlace }
