'use strict'

/**
 * A thread of the local engine: runs the very action that a platform runs. Messages in are `{ id, params }` and
 * `{ id, cancel: true }`; out goes `{ id, result }`.
 */

const { parentPort } = require('node:worker_threads')
const { main } = require('../../actions/copy-range')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

/** @type {Map<number, AbortController>} */
const running = new Map()

port.on('message', async ({ id, params, cancel }) => {
  if (cancel) {
    running.get(id)?.abort()
    return
  }
  const controller = new AbortController()
  running.set(id, controller)
  const result = await main(params, { signal: controller.signal })
  running.delete(id)
  port.postMessage({ id, result })
})
