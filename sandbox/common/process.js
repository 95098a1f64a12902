'use strict'

const fs = require('node:fs')

const CHECK_MS = 1_000

/**
 * Calls when the program that started this process is gone: a killed one says nothing. The watch keeps no process alive.
 *
 * @param {() => void} then called at least once
 */
function onParentGone(then) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && then(), CHECK_MS).unref()
}

/**
 * Runs one store or platform as a process. Prints one JSON line when it is ready, and with `--events` among the arguments one
 * line for each event, with `event` and `at` (epoch milliseconds). Ends on SIGTERM, SIGINT and SIGHUP, when its standard
 * input (a pipe) closes, and when its parent process dies.
 *
 * @template {{ close: () => Promise<void>, on: (event: any, listener: (facts: any) => void) => any }} S
 * @param {() => Promise<S>} start
 * @param {(member: S) => object} ready what the first line tells
 * @param {string[]} [events] of a store: `begin` and `request`
 */
function runMember(start, ready, events = ['begin', 'request']) {
  run(start, ready, events).catch(error => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
}

/** @param {() => Promise<any>} start @param {(member: any) => object} ready @param {string[]} events as in `runMember` */
async function run(start, ready, events) {
  const member = await start()
  let ending = false
  async function end() {
    if (ending) return
    ending = true
    await member.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end)
  const stdin = fs.fstatSync(0)
  // /dev/null ends at once, so its end does not mean that the parent is gone.
  if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on('end', end).on('close', end).on('error', end).resume()
  onParentGone(end)
  process.stdout.on('error', end)
  /** @param {object} line */
  const print = line => process.stdout.write(`${JSON.stringify(line)}\n`)
  print(ready(member))
  if (!process.argv.includes('--events')) return
  // Written before the request is handled, so that a reader can kill the process in the middle of it.
  for (const event of events) {
    member.on(event, (/** @type {object} */ facts) => print({ event, at: Date.now(), ...facts }))
  }
}

module.exports = { onParentGone, runMember }
