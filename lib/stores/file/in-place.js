'use strict'

/**
 * Uploads into the target itself (`--inplace`): nothing is written beside it, and nothing is renamed. Their ids have the inode of the
 * target, so that another file of its name is not taken for it.
 */

const { constants } = require('node:fs')
const { open, unlink } = require('node:fs/promises')
const { notice } = require('../../notices')
const { codeOf } = require('./explain')
const { inPlaceId } = require('./partials')
const { checkRoom } = require('./room')
const { XferError } = require('./words')

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants

/** @param {{ location: string, facts: Record<string, any> }} of facts: of the store */
function createInPlace({ location, facts }) {
  let some = false

  /** @param {string} target @param {{ key: string, mode: number }} of mode: of a new file */
  async function openTarget(target, { key, mode }) {
    const notAFile = (/** @type {unknown} */ cause) =>
      new XferError(
        'NOT_A_FILE',
        { ...facts, key, path: `/${key}`, what: 'is a folder, a device, a pipe or a socket' },
        { cause },
      )
    // A named pipe is not waited for.
    const flags = O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_RDWR
    const made = await open(target, flags | O_EXCL, mode).catch(cause => {
      if (codeOf(cause) !== 'EEXIST') throw cause
    })
    const found = async () =>
      await open(target, flags, mode).catch(cause => {
        throw ['EISDIR', 'ENXIO'].includes(codeOf(cause)) ? notAFile(cause) : cause
      })
    const handle = made ?? (await found())
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile()) return { handle, stats, isNew: made !== undefined }
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
     * @param {{ key: string, bytes: number, folder: string, mode: number }} of mode: of a new file
     * @returns {Promise<string>} the id of the upload
     */
    async create(target, { key, bytes, folder, mode }) {
      const { handle, stats, isNew } = await openTarget(target, { key, mode })
      try {
        // What the target has is written again.
        await checkRoom(folder, { key, bytes, own: Number(stats.blocks) * 512, facts })
        some ||= !isNew
        await handle.truncate(bytes)
        some = true
        return inPlaceId(stats.ino, bytes)
      } catch (error) {
        if (isNew) await unlink(target).catch(() => {})
        throw error
      } finally {
        await handle.close()
      }
    },

    /** What a job that failed has to say. @returns {import('../../types').Notice[]} */
    failureNotices: () => (some ? [notice('LEFT_HALF_WRITTEN', { location })] : []),
  }
}

module.exports = { createInPlace }
