'use strict'

/** What a store of the sandbox was asked. */

/** @param {any} server @param {Record<string, number>} before its requests @returns {Record<string, number>} by operation */
function since(server, before) {
  const now = Object.entries(server.requests).map(([name, count]) => [name, count - (before[name] ?? 0)])
  return Object.fromEntries(now.filter(([, count]) => count > 0))
}

/**
 * While something was done.
 *
 * @param {any} server
 * @param {() => Promise<T>} work
 * @template T
 */
async function counted(server, work) {
  const before = { ...server.requests }
  const result = await work()
  return { result, asked: since(server, before) }
}

module.exports = { counted, since }
