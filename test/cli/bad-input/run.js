'use strict'

/** Runs one row of the table, as a user at a terminal's pipe would and as a script with --json would. */

const { startXfer } = require('../../support/run-xfer')

/** Longer than any answer may take, but of a row that says so. */
const BOUND_MS = 15_000

/** Fills in `{name}`. @param {string} text @param {Record<string, string>} words */
function fill(text, words) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => words[name] ?? whole)
}

/** @param {string | string[]} command @returns {string[]} of a text, its words */
function argumentsOf(command) {
  return typeof command === 'string' ? command.split(' ').filter(Boolean) : command
}

/** @param {any} row @param {any} world @returns {Record<string, string>} */
function environmentOf({ env = {}, bare = false }, { base, words }) {
  const own = Object.entries(env).map(([name, value]) => [name, fill(value, words)])
  return { ...(bare ? {} : base), ...Object.fromEntries(own) }
}

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

/** A copy that ends early aborts its upload here: what is kept is for test/e2e/resume.test.js. @param {string[]} args */
function keepingNothing(args) {
  return /^(copy|cp|sync)$/.test(args[0]) && args.length > 2
    ? [args[0], '--on-failure', 'abort', ...args.slice(1)]
    : args
}

/** With --json where it means the whole command: behind its name. @param {string[]} args */
function withJson(args) {
  return [...args.slice(0, 1), '--json', ...args.slice(1)]
}

/**
 * @param {any} row
 * @param {any} world
 * @param {{ asJson?: boolean, hosts?: import('../hosts').Hosts }} [how] asJson: run it with --json too
 */
async function runRow(row, world, { asJson, hosts } = {}) {
  const args = keepingNothing(argumentsOf(row.command).map(word => fill(word, world.words)))
  const env = environmentOf(row, world)
  const how = { boundMs: row.boundMs, hosts }
  const plain = await runBounded(args, env, how)
  return { env, args, plain, json: asJson ? await runBounded(row.json ?? withJson(args), env, how) : undefined }
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

module.exports = { runRow, runBounded, environmentOf, inTurn, fill, BOUND_MS }
