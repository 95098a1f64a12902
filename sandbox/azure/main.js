#!/usr/bin/env node
'use strict'

const fs = require('node:fs')
const { onParentGone } = require('../common/parent')
const { startAzureStore } = require('.')

/**
 * Runs one Azure store as a process: `node main.js '{"containers":["photos"]}'`. Prints one JSON line when it is ready, and
 * with `--events` after the JSON one line for each `begin` and `request`, with `event` and `at` (epoch milliseconds). Ends on
 * SIGTERM and SIGINT, when its standard input (a pipe) closes, and when its parent process dies.
 */
async function main() {
  const store = await startAzureStore(JSON.parse(process.argv[2] ?? '{}'))
  const { endpoint, account, key, authority } = store
  let ending = false
  async function end() {
    if (ending) return
    ending = true
    await store.close()
    process.exit(0)
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  const stdin = fs.fstatSync(0)
  // /dev/null ends at once, so its end does not mean that the parent is gone.
  if (stdin.isFIFO() || stdin.isSocket()) process.stdin.on('end', end).on('close', end).on('error', end).resume()
  onParentGone(end)
  process.stdout.on('error', end)
  /** @param {object} line */
  const print = line => process.stdout.write(`${JSON.stringify(line)}\n`)
  print({ endpoint, account, key, authority })
  if (!process.argv.includes('--events')) return
  // Written before the request is handled, so that a reader can kill the process in the middle of it.
  for (const event of /** @type {const} */ (['begin', 'request'])) {
    store.on(event, facts => print({ event, at: Date.now(), ...facts }))
  }
}

main().catch(error => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
