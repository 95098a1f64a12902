#!/usr/bin/env node
'use strict'

const fs = require('node:fs')
const { parseArgs } = require('node:util')
const { onParentGone } = require('../common/parent')
const { startStore } = require('.')

/**
 * Runs one store as a process: `node main.js '{"buckets":["a"]}'`, or with flags for options that are plain values:
 * `node main.js --port 9000 --buckets a,b --no-conditions`. Prints one JSON line when it is ready, and with `--events` after
 * the JSON one line for each `begin` and `request`, with `event` and `at` (epoch milliseconds). Ends on SIGTERM and SIGINT,
 * when its standard input (a pipe) closes, and when its parent process dies.
 */

const TEXTS = [
  'mode',
  'completionConditions',
  'host',
  'dir',
  'region',
  'domain',
  'encryption',
  'serverName',
  'framing',
  'foldNames',
  'listKeys',
  'storageClass',
]
const NUMBERS = [
  'port',
  'minPartBytes',
  'maxParts',
  'maxPartBytes',
  'pageSize',
  'clockSkewMs',
  'keepAliveMs',
  'seed',
  'trailerStatus',
]
const SWITCHES = [
  'completionHash',
  'hmacKeys',
  'checksums',
  'conditions',
  'md5Etags',
  'plainEtags',
  'lateParts',
  'requirePartChecksums',
  'rememberCompletions',
  'replaceParts',
  'emptyFolders',
  'multipartTags',
  'listEtags',
]

/**
 * @param {string[]} args
 * @returns {import('./types').StoreOptions}
 */
function readArguments(args) {
  if (args[0]?.startsWith('{')) return JSON.parse(args[0])
  /** @type {Record<string, { type: 'string' | 'boolean' }>} */
  const flags = {}
  for (const name of [...TEXTS, ...NUMBERS, 'buckets']) flags[kebab(name)] = { type: 'string' }
  for (const name of SWITCHES) flags[kebab(name)] = { type: 'boolean' }
  const { values } = parseArgs({ args, options: flags, allowNegative: true })
  /** @type {Record<string, unknown>} */
  const options = {}
  for (const name of [...TEXTS, ...SWITCHES]) options[name] = values[kebab(name)]
  for (const name of NUMBERS) {
    const value = values[kebab(name)]
    options[name] = value === undefined ? undefined : Number(value)
  }
  options.buckets = typeof values.buckets === 'string' ? values.buckets.split(',') : undefined
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** @param {string} name */
function kebab(name) {
  return name.replace(/[A-Z0-9]/g, char => (/\d/.test(char) ? char : `-${char.toLowerCase()}`))
}

async function main() {
  const store = await startStore(readArguments(process.argv.slice(2)))
  const { endpoint, accessKeyId, secretAccessKey, region } = store
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
  print({ endpoint, accessKeyId, secretAccessKey, region })
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
