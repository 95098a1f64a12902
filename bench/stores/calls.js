'use strict'

/** Calls between a process and its forked child, over their IPC channel. */

/**
 * @typedef {{
 *   on: (event: any, listener: (message: any) => void) => unknown,
 *   send?: (message: any, whenSent: (error: Error | null) => void) => unknown,
 * }} Channel
 */

/**
 * @param {Channel} channel a child, a cluster's worker, or `process` in either
 * @param {Record<string, (...args: any[]) => any>} methods what the other side may call
 * @returns {(method: string, ...args: any[]) => Promise<any>} calls a method of the other side; values are plain data; rejects
 *   if the other side has failed or is gone
 */
function openCalls(channel, methods) {
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let lastId = 0

  /** @param {object} message @param {(error: Error) => void} [failed] an answer without a waiting caller may be lost */
  const send = (message, failed) => channel.send?.(message, error => error && failed?.(error))

  channel.on('message', async ({ call, answer, method, args, value, error }) => {
    if (answer !== undefined) {
      const caller = waiting.get(answer)
      waiting.delete(answer)
      if (error === undefined) caller?.resolve(value)
      else caller?.reject(new Error(error))
      return
    }
    if (call === undefined) return
    try {
      send({ answer: call, value: await methods[method](...args) })
    } catch (failure) {
      send({ answer: call, error: /** @type {Error} */ (failure).message })
    }
  })
  channel.on('disconnect', () => {
    for (const { reject } of waiting.values()) reject(new Error('the other process is gone'))
    waiting.clear()
  })

  return (method, ...args) =>
    new Promise((resolve, reject) => {
      const call = ++lastId
      waiting.set(call, { resolve, reject })
      send({ call, method, args }, reject)
    })
}

module.exports = { openCalls }
