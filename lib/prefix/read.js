'use strict'

/** A small object, read once more: the source to know what to expect, the copy to know what is stored. */

const { XferError, asXferError, factsOfCause } = require('../errors')
const { explainRead } = require('../verify/read')
const { wrongCopy } = require('../verify/read-back')
const { taskMaker } = require('../tasks')

/** @typedef {Pick<import('../job').Side, 'store' | 'key' | 'text'>} End */

/** The second reading may be the wrong one. */
const MOST_AGAIN = 2

/**
 * @param {object} how
 * @param {ReturnType<typeof import('./numbers').withOwnNumbers>['scheduleOne']} how.scheduleOne
 */
function createReader({ scheduleOne }) {
  /**
   * @param {End} end
   * @param {{ etag: string, bytes: number }} object
   * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} changed what it is where the object is another one by now
   * @returns {Promise<number>} its CRC-32
   */
  async function read({ store, key }, object, changed) {
    const explain = explainRead(store, changed)
    const { crc32 } = await scheduleOne(object.bytes, {
      sign: taskMaker({ source: { store, key }, object, md5: false }),
      explain: error => explain(error),
      emit() {},
    })
    return /** @type {number} */ (crc32)
  }

  return {
    read,

    /**
     * With `--verify full`: what is not what was sent is taken away again.
     *
     * @param {End} end the copy
     * @param {{ etag: string, bytes: number }} copied
     * @param {number} sent the CRC-32 of what was
     * @throws {XferError} WRONG_COPY, OBJECT_CHANGED, NOT_READ_BACK
     */
    async readBack(end, copied, sent) {
      for (let reading = 0; reading <= MOST_AGAIN; reading++) {
        const found = await read(end, copied, 'OBJECT_CHANGED').catch(cause => unread(end, cause))
        if (found === sent) return
      }
      throw await wrongCopy(end, copied, copied)
    },
  }
}

/** @param {End} end @param {unknown} cause @returns {never} */
function unread({ text }, cause) {
  const error = asXferError(cause)
  if (error.code === 'OBJECT_CHANGED') {
    const advice = 'Look at what is there now: somebody else wrote it after the copy was complete.'
    throw new XferError('OBJECT_CHANGED', { ...error.facts, advice }, { cause })
  }
  throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: text }, { cause })
}

module.exports = { createReader }
