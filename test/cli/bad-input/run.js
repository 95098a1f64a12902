'use strict'

/** Runs commands, several at once, each for a bounded time. */

const { startXfer } = require('../../support/run-xfer')

/** Longer than any answer may take, but of a row that says so. */
const BOUND_MS = 15_000

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {{ boundMs?: number, hosts?: import('../hosts').Hosts }} [how] hosts: run it there; default in a process of its own
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string, elapsedMs: number }>} status null: it did not end in time
 */
async function runBounded(args, env, { boundMs = BOUND_MS, hosts } = {}) {
  const startedMs = Date.now()
  if (hosts) return { ...(await hosts.run(args, env, boundMs)), elapsedMs: Date.now() - startedMs }
  const { child, ended } = startXfer(args, { env })
  const timer = setTimeout(() => child.kill('SIGKILL'), boundMs)
  const { status, stdout, stderr } = await ended
  clearTimeout(timer)
  return { status, stdout, stderr, elapsedMs: Date.now() - startedMs }
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {number} atOnce at most so many are under way
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R>[]} in the items' order
 */
function inTurn(items, atOnce, work) {
  const results = items.map(() => {
    let settle
    const promise = new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { promise, ...settle }
  })
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const mine = next++
      await work(items[mine]).then(results[mine].resolve, results[mine].reject)
    }
  }
  for (let i = 0; i < atOnce; i++) worker()
  return results.map(({ promise }) => promise)
}

module.exports = { inTurn, runBounded }
