'use strict'

/** Calls between a process and one that it forked, over the channel between them. */

/**
 * @typedef {{ on: (event: 'message', listener: (message: any) => void) => unknown, send?: (message: any) => unknown }} Channel
 */

/**
 * @param {Channel} channel a child, a cluster's worker, or `process` in either
 * @param {Record<string, (...args: any[]) => any>} methods what the other side may call
 * @returns {(method: string, ...args: any[]) => Promise<any>} calls a method of the other side; values are plain data
 */
function openCalls(channel, methods) {
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map()
  let lastId = 0

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
      channel.send?.({ answer: call, value: await methods[method](...args) })
    } catch (failure) {
      channel.send?.({ answer: call, error: /** @type {Error} */ (failure).message })
    }
  })

  return (method, ...args) =>
    new Promise((resolve, reject) => {
      const call = ++lastId
      waiting.set(call, { resolve, reject })
      channel.send?.({ call, method, args })
    })
}

module.exports = { openCalls }
