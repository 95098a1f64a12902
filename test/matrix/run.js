'use strict'

/** One copy of the matrix, by the real program, and what came of it. */

const { createHash } = require('node:crypto')
const { spawn } = require('node:child_process')
const { endOf } = require('../support/bounded-child')
const { XFER } = require('../support/run-xfer')

const BOUND_MS = 600_000

/**
 * @typedef {import('../support/ends').End} End
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
 */

/** @param {Buffer} bytes */
const sha256Of = bytes => createHash('sha256').update(bytes).digest('hex')

/**
 * @param {Cell} cell
 * @param {Record<string, string>} env beside that of both ends
 * @returns {Promise<Outcome>}
 */
async function copyOnce(cell, env) {
  const { source, destination, key, bytes, engine } = cell
  const target = `copy-of-${source.name}-${bytes}-${engine}`
  const requestsOf = () => [...new Set([source, destination])].reduce((sum, end) => sum + end.requests(), 0)
  const before = requestsOf()
  const startedMs = performance.now()
  const args = ['copy', source.text(key), destination.text(target), '--exact-key', '--json', '--chunk', '5']
  const child = spawn(process.execPath, [XFER, ...args, '--engine', engine, '--route', 'engine'], {
    env: { ...env, ...source.env('SOURCE'), ...destination.env('DEST') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = await endOf(child, BOUND_MS)
  const seconds = (performance.now() - startedMs) / 1000
  const requests = requestsOf() - before
  const last = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) || '{}')
  const found = await destination.read(target)
  await destination.remove(target)
  const proof = last.proof ?? []
  return { cell, wrong: wrongWith(cell, { ...ended, last, found, proof }), proof, requests, seconds }
}

/**
 * @param {Cell} cell
 * @param {{ status: number | null, stderr: string, last: any, found: import('../support/ends').Kept | undefined, proof: string[] }} end
 * @returns {string | undefined}
 */
function wrongWith({ sha256 }, { status, stderr, last, found, proof }) {
  if (status !== 0) return `exit ${status} ${last.code}: ${last.message ?? stderr.trim()}`
  if (!found) return 'it says that it copied, and there is nothing'
  if (sha256Of(found.bytes) !== sha256) return 'SHA-256 DIFFERS'
  return proof.length === 0 ? 'it was not proved' : undefined
}

module.exports = { copyOnce, sha256Of }
