'use strict'

/** One command of a run: its arguments, and how it ended. */

const { spawn } = require('node:child_process')
const { ownChild } = require('../soak/leftovers')
const { endOf } = require('../support/bounded-child')

const BOUND_MS = 240_000
const PREFIX = { from: 'from/', to: 'to/' }

/**
 * @typedef {object} Ended
 * @property {string[]} args
 * @property {number | null} status
 * @property {string | null} signal
 * @property {boolean} late it had to be killed, for it did not end
 * @property {any[]} events
 * @property {any} last the last event
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * @param {import('./draw').Script} script
 * @param {string | undefined} etag of what the destination has
 * @param {import('./world').World} world
 * @returns {string[]}
 */
function argumentsOf(script, etag, { source, destination }) {
  const { command, objects, engine, verify, chunk, retries, condition, deletes, checksum } = script
  const usual = [
    '--engine',
    engine,
    '--chunk',
    String(chunk),
    '--retries',
    String(retries),
    '--concurrency',
    '8',
    '--json',
  ]
  if (command === 'verify') {
    const [key] = objects.map(({ name }) => name)
    const pair = [source.text(key), destination.text(key)]
    return [
      'verify',
      ...pair,
      ...(verify === 'full' ? ['--read'] : []),
      '--engine',
      engine,
      '--chunk',
      String(chunk),
      '--json',
    ]
  }
  if (command === 'copy') {
    const [key] = objects.map(({ name }) => name)
    const pair = [source.text(key), destination.text(key)]
    const other = '0'.repeat(32)
    const conditions = {
      none: [],
      'no-clobber': ['--no-clobber'],
      'if-match': ['--if-match', etag ?? other],
      'if-match-other': ['--if-match', other],
    }
    return ['copy', ...pair, ...usual, '--verify', verify, ...conditions[condition]]
  }
  const pair = [source.text(PREFIX.from), destination.text(PREFIX.to)]
  const verb =
    command === 'sync'
      ? ['sync', ...(deletes ? ['--delete'] : []), ...(checksum ? ['--checksum'] : [])]
      : ['copy', '-r']
  return [...verb, ...pair, ...usual, '--verify', verify]
}

/**
 * @param {string} cli
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {(child: import('node:child_process').ChildProcess) => void} onStart
 * @returns {Promise<Ended>}
 */
async function runCommand(cli, args, env, onStart) {
  const child = ownChild(spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  onStart(child)
  const ended = await endOf(child, BOUND_MS)
  const lines = ended.stdout.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  const events = lines.map(line => JSON.parse(line))
  return { ...ended, args, events, last: events.at(-1) }
}

module.exports = { argumentsOf, runCommand, BOUND_MS, PREFIX }
