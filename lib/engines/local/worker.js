'use strict'

/**
 * A thread of the local engine: runs the same action as a platform. It receives the messages `{ id, params, proxies }` and
 * `{ id, cancel: true }`. It sends `{ id, result }` and, at intervals, `{ id, moved: [[partNumber, bytes], …] }`.
 */

const { parentPort, workerData } = require('node:worker_threads')
const { runsHere } = require('./here')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

const REPORT_EVERY_MS = 250

const here = runsHere(workerData)

/** @type {Map<number, AbortController>} */
const running = new Map()

port.on('message', async ({ id, params, proxies, cancel }) => {
  if (cancel) {
    running.get(id)?.abort()
    return
  }
  const controller = new AbortController()
  running.set(id, controller)
  /** @type {Map<number, number>} */
  const moved = new Map()
  const timer = setInterval(() => moved.size > 0 && port.postMessage({ id, moved: [...moved] }), REPORT_EVERY_MS)
  const result = await here.run(params, {
    signal: controller.signal,
    proxies,
    onBytes: (partNumber, bytes) => moved.set(partNumber, bytes),
  })
  clearInterval(timer)
  running.delete(id)
  port.postMessage({ id, result })
})
