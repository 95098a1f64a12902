'use strict'

/** One copy of the matrix, by the real program, and what came of it. */

const { createHash } = require('node:crypto')
const { spawn } = require('node:child_process')
const { readFile } = require('node:fs/promises')
const { join } = require('node:path')
const { endOf } = require('../support/bounded-child')
const { XFER } = require('../support/run-xfer')

const BOUND_S = 600
const PEAK = join(__dirname, 'peak.js')
/** Up to here objects are copied in small parts, so that there are several; above in those that xfer chooses. */
const SMALL_PARTS_UP_TO = 1024 ** 3

/**
 * @typedef {import('./one-way').MatrixEnd} End
 *
 * @typedef {object} Cell
 * @property {End} source
 * @property {End} destination
 * @property {string} key of the object, at the source
 * @property {number} bytes
 * @property {string} sha256 of the object
 * @property {'local' | 'openwhisk'} engine
 *
 * @typedef {object} Outcome
 * @property {Cell} cell
 * @property {string} [wrong] what is wrong; absent: the copy is equal, and it was proved
 * @property {string[]} proof
 * @property {number} requests to both stores
 * @property {number} seconds
 * @property {number} peakMib the most memory that the command had; functions are other processes
 */

/** @param {Buffer} bytes */
const sha256Of = bytes => createHash('sha256').update(bytes).digest('hex')

/**
 * @param {Cell} cell
 * @param {Record<string, string>} env beside that of both ends
 * @param {string} folder for a file of its own
 * @returns {Promise<Outcome>}
 */
async function copyOnce(cell, env, folder) {
  const { source, destination, bytes, engine } = cell
  const target = `copy-of-${source.name}-${bytes}-${engine}`
  const peakFile = join(folder, `peak-${target}`)
  const requestsOf = () => [...new Set([source, destination])].reduce((sum, end) => sum + end.requests(), 0)
  const before = requestsOf()
  const startedMs = performance.now()
  const ended = await runLine([source.before, '"$@"', destination.after], commandOf(cell, target), {
    ...{ ...env, XFER_MATRIX_PEAK: peakFile },
    ...{ ...source.env('SOURCE'), ...destination.env('DEST') },
  })
  const seconds = (performance.now() - startedMs) / 1000
  const requests = requestsOf() - before
  const events = destination.after ? ended.stderr : ended.stdout
  const last = JSON.parse(events.trimEnd().split('\n').at(-1) || '{}')
  const found = destination.sha256 ? await destination.sha256(target) : ended.stdout.slice(0, 64)
  await destination.remove?.(target)
  const proof = last.proof ?? []
  const peakMib = Math.round(Number(await readFile(peakFile, 'utf8').catch(() => NaN)) / 1024)
  return { cell, wrong: wrongWith(cell, { ...ended, last, found }), proof, requests, seconds, peakMib }
}

/** @param {Cell} cell @param {string} target @returns {string[]} */
function commandOf({ source, destination, key, bytes, engine }, target) {
  return [
    ...['timeout', '--foreground', '--signal', 'KILL', String(BOUND_S)],
    ...[process.execPath, '--require', PEAK, XFER, 'copy', source.text(key), destination.text(target)],
    ...['--json', ...(bytes <= SMALL_PARTS_UP_TO ? ['--chunk', '5'] : [])],
    ...['--engine', engine, '--route', 'engine'],
  ]
}

/**
 * By a shell, whose pipes are those of users; its status is that of the first that fails.
 *
 * @param {(string | undefined)[]} stages "$@" is the command
 * @param {string[]} command
 * @param {Record<string, string>} env
 */
async function runLine(stages, command, env) {
  const line = stages.filter(stage => stage !== undefined).join(' | ')
  const child = spawn('bash', ['-c', `set -o pipefail; ${line}`, 'bash', ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Killing the shell would leave what it has started.
  return await endOf(child, 2 * BOUND_S * 1000)
}

/**
 * @param {Cell} cell
 * @param {{ status: number | null, stderr: string, last: any, found: string | undefined }} end
 * @returns {string | undefined}
 */
function wrongWith({ sha256 }, { status, stderr, last, found }) {
  if (status !== 0) return `exit ${status} ${last.code}: ${last.message ?? stderr.trim()}`
  if (found === undefined) return 'it says that it copied, and there is nothing'
  if (found !== sha256) return 'SHA-256 DIFFERS'
  // Standard output keeps nothing, and not every source keeps a checksum.
  return last.proof?.length > 0 || last.uncompared ? undefined : 'it was not proved'
}

module.exports = { copyOnce, sha256Of }
