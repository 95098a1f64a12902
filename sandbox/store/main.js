#!/usr/bin/env node
'use strict'

const { parseArgs } = require('node:util')
const { runMember } = require('../common/process')
const { startStore } = require('.')

/**
 * Runs one store as a process: `node main.js '{"buckets":["a"]}'`, or with flags for options that are plain values:
 * `node main.js --port 9000 --buckets a,b --no-conditions`. What it prints, and when it ends: ../common/process.js.
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
  'etags',
  'times',
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

runMember(
  async () => startStore(readArguments(process.argv.slice(2))),
  ({ endpoint, accessKeyId, secretAccessKey, region }) => ({ endpoint, accessKeyId, secretAccessKey, region }),
)
