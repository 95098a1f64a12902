'use strict'

/** An MD5 of bytes in their order, computed by a thread of its own: an MD5 cannot be joined from those of ranges. */

const { join } = require('node:path')
const { Worker } = require('node:worker_threads')

function createMd5() {
  const worker = new Worker(join(__dirname, 'md5-thread.js'), { name: 'xfer-md5' })
  /** @type {Array<{ resolve: (md5: any) => void, reject: (error: unknown) => void }>} the oldest first */
  const waiting = []
  /** @type {unknown} */
  let failure
  worker.on('message', md5 => waiting.shift()?.resolve(md5))
  worker.on('error', error => {
    failure = error
    for (const { reject } of waiting.splice(0)) reject(error)
  })

  /** @param {object} message @returns {Promise<any>} */
  const ask = message =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      waiting.push({ resolve, reject })
      worker.postMessage(message)
    })

  return {
    /** Resolves once the memory may change. @param {SharedArrayBuffer} held @param {number} bytes @returns {Promise<void>} */
    update: (held, bytes) => ask({ held, bytes }),
    /** That of all bytes since the last one, in lower-case hex. @returns {Promise<string>} */
    digest: () => ask({}),
    async close() {
      await worker.terminate()
    },
  }
}

module.exports = { createMd5 }
