'use strict'

/**
 * `npm run bench -- --guard BASE`: this tree beside an earlier commit, in turns (A B A B), between synthetic stores. Ends with 1 if
 * something costs more than a tenth more, beyond its spread.
 */

const { mkdtempSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const { startWorld, BUCKET } = require('../cases/synthetic-world')
const { CLIENTS, XFER, bareEnvironment } = require('../clients')
const { takeTurns } = require('../rounds')
const { findProgram } = require('../../sandbox/peers')
const { checkOut, findCommit } = require('./checkout')
const { compareRuns, tableOf } = require('./judge')

const LARGE = 'large'
const LARGE_BYTES = 2 * 1024 ** 3
const SMALL = 'small/'
const SMALL_COUNT = 2_000
const SMALL_BYTES = 4096
const ONE = 'one'
const ONE_BYTES = 100_000
const ROOT = join(__dirname, '..', '..')

/** @typedef {{ name: string, calls: Array<() => import('../clients').Call>, before?: () => Promise<void> }} Work calls: of the old tree, and of this one */

/**
 * @param {{ base: string, runs: number, bytes?: number, quick: boolean, scratch: string }} options
 * @param {{ signal: AbortSignal, say: (line: string) => void, print: (text: string) => void }} how
 * @returns {Promise<boolean>} whether nothing is worse
 * @throws {Error} if a copy fails, or the commit cannot be checked out
 */
async function guard({ base, runs, bytes = LARGE_BYTES, quick, scratch }, { signal, say, print }) {
  const commit = await findCommit(base)
  const home = mkdtempSync(join(scratch, 'xfer-guard-'))
  const folder = join(home, 'base')
  /** @type {(() => Promise<void>) | undefined} */
  let remove
  try {
    say(`This tree beside ${commit.slice(0, 8)}.`)
    remove = await checkOut(commit, folder, signal)
    const verdicts = []
    for (const tls of findProgram('openssl') === undefined ? [false] : [false, true]) {
      const made = { [LARGE]: quick ? 64 * 1024 ** 2 : bytes, [ONE]: ONE_BYTES, ...(tls ? {} : smallOnes(quick)) }
      const world = await startWorld(made, { home: mkdtempSync(join(home, 'world-')), tls })
      try {
        for (const work of worksOf(world, made, { tls, folder, home })) {
          say(`\n${work.name}`)
          verdicts.push(...(await compare(work, { runs, signal, say, servers: world.pids })))
        }
      } finally {
        await world.close()
      }
    }
    print(`${tableOf(verdicts)}\n`)
    return !verdicts.some(({ worse }) => worse)
  } finally {
    await remove?.()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @param {boolean} quick @returns {Record<string, number>} */
function smallOnes(quick) {
  const count = quick ? 50 : SMALL_COUNT
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${SMALL}${String(i).padStart(4, '0')}`, SMALL_BYTES]),
  )
}

/**
 * @param {Awaited<ReturnType<typeof startWorld>>} world
 * @param {Record<string, number>} made
 * @param {{ tls: boolean, folder: string, home: string }} how
 * @returns {Work[]}
 */
function worksOf(world, made, { tls, folder, home }) {
  const over = tls ? ', TLS' : ''
  const before = () => world.prepare(false)
  const job = (/** @type {string} */ key) => world.job(key, made[key])
  const { call } = CLIENTS.xfer
  const large = { name: `one object of ${made[LARGE] / 1024 ** 2} MiB${over}`, calls: inBoth(folder, call(job(LARGE))) }
  const one = { name: `one object of ${ONE_BYTES / 1000} kB${over}`, calls: inBoth(folder, call(job(ONE))) }
  if (tls)
    return [
      { ...large, before },
      { ...one, before },
    ]
  const count = Object.keys(made).filter(key => key.startsWith(SMALL)).length
  const prefix = { ...job(ONE), from: `${BUCKET}/${SMALL}`, to: `${BUCKET}/copy/` }
  const version = { command: [process.execPath, XFER, '--version'], env: bareEnvironment(home) }
  return [
    { ...large, before },
    { ...one, before },
    { name: `${count} objects of ${SMALL_BYTES} bytes`, calls: inBoth(folder, call(prefix, ['-r'])), before },
    { name: 'xfer --version', calls: inBoth(folder, version) },
  ]
}

/** The same command of the old tree, and of this one. @param {string} folder @param {import('../clients').Call} call */
function inBoth(folder, call) {
  const old = call.command.map(word => (word === XFER ? XFER.replace(ROOT, folder) : word))
  return [() => ({ ...call, command: old }), () => call]
}

/**
 * @param {Work} work
 * @param {{ runs: number, signal: AbortSignal, say: (line: string) => void, servers: number[] }} how
 * @returns {Promise<ReturnType<typeof compareRuns>>}
 */
async function compare({ name, calls, before }, { runs, ...how }) {
  const contestants = ['before', 'now'].map((tree, i) => ({
    name: tree,
    kind: /** @type {const} */ ('xfer'),
    call: calls[i],
  }))
  const [old, now] = await takeTurns(contestants, { runs, ...how, ...(before && { before }) })
  const failed = [old, now].find(row => row.failed)
  if (failed) throw new Error(`${name}, ${failed.name}: ${failed.failed}`)
  return compareRuns(name, { old: old.runs, now: now.runs })
}

module.exports = { guard }
