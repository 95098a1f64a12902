'use strict'

/**
 * A thread of the local engine. It receives the messages `{ id, params, proxies }`, for the same action as on a platform,
 * `{ id, small, … }`, small objects as small-in-threads.js sends them, `{ id, cancel: true }`, and `{ end: true }`. It sends `{ id, result }` and, at
 * intervals, `{ id, moved: [[partNumber, bytes], …] }`. About small objects it asks `{ asked: [[id, index, what], …] }`, and gets
 * `{ answers: [[id, index, answer], …] }`.
 */

const { parentPort, workerData } = require('node:worker_threads')
const { runsHere } = require('./here')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

const REPORT_EVERY_MS = 250

const here = runsHere(workerData)

/** @typedef {{ controller: AbortController, waiting: Array<(answer: any) => void> }} ThreadCall waiting: by the index of the task */
/** @type {Map<number, ThreadCall>} */
const running = new Map()
/** Questions of one turn go in one message. @type {unknown[]} */
const asked = []
/** By how long a connection may be silent: jobs share a thread. @type {Map<number | undefined, ReturnType<typeof here.whole>>} */
const copiers = new Map()

/** @param {number} id @param {number} index @param {unknown} what @returns {Promise<any>} the answer */
function ask(id, index, what) {
  if (asked.push([id, index, what]) === 1) setImmediate(() => port.postMessage({ asked: asked.splice(0) }))
  return new Promise(resolve => {
    const { waiting } = /** @type {ThreadCall} */ (running.get(id))
    waiting[index] = resolve
  })
}

/** @param {number} id @param {any} message @param {AbortSignal} signal */
async function runAction(id, { params, proxies }, signal) {
  /** @type {Map<number, number>} */
  const moved = new Map()
  const timer = setInterval(() => moved.size > 0 && port.postMessage({ id, moved: [...moved] }), REPORT_EVERY_MS)
  const result = await here.run(params, {
    signal,
    proxies,
    onBytes: (partNumber, bytes) => moved.set(partNumber, bytes),
  })
  clearInterval(timer)
  return result
}

/** @param {number} id @param {any} message @param {AbortSignal} signal */
async function runSmall(id, { small, kinds, parallel, stallMs }, signal) {
  const copy =
    copiers.get(stallMs) ?? here.whole({ stallMs, proxyOf: request => /** @type {any} */ (request).proxy ?? '' })
  copiers.set(stallMs, copy)
  for (const [index, task] of small.entries()) {
    /** @type {import('../../types').Late} */
    task.late = async ({ headers, kept, digest }) => {
      let answer = await ask(id, index, { headers, kept, sums: digest(kinds) })
      while (answer.digest) answer = await ask(id, index, { sums: digest(answer.digest) })
      if (answer.refused) throw undefined
      return answer
    }
  }
  return await copy(small, { signal, parallel })
}

port.on('message', async ({ id, answers, cancel, end, ...message }) => {
  if (end) {
    // What is under way has been cancelled; once it is cleared away, nothing keeps this thread.
    port.close()
    await here.close()
    return
  }
  if (answers) {
    for (const [of, index, answer] of answers) running.get(of)?.waiting[index](answer)
    return
  }
  if (cancel) {
    running.get(id)?.controller.abort()
    return
  }
  const controller = new AbortController()
  running.set(id, { controller, waiting: [] })
  const result = await (message.small ? runSmall : runAction)(id, message, controller.signal)
  running.delete(id)
  port.postMessage({ id, result })
})
