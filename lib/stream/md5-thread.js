'use strict'

/** The thread of md5.js: receives `{ held, bytes }` and answers when it has read them; receives `{}` and answers with the MD5. */

const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
let hash = createHash('md5')

port.on('message', ({ held, bytes }) => {
  if (held) {
    hash.update(Buffer.from(held, 0, bytes))
    port.postMessage(undefined)
    return
  }
  port.postMessage(hash.digest('hex'))
  hash = createHash('md5')
})
