#!/usr/bin/env node
'use strict'

/**
 * Flips a byte in each of many copies, on the write side and on the read side, and counts the outcomes.
 *
 *     npm run flips -- [--tries 1000] [--seed 1] [--at-once 4] [--only TEXT] [--ends all|NAME,NAME]
 *
 * The kinds are those of kinds.js, and those of modes.js for each mode of the sandbox's store, with a tenth of
 * the tries each. With --ends they are those of ends.js instead: between stores of every kind, with a hundredth of the tries. docs/integrity.md explains the table. Ends with 1 if a byte that must be noticed was not, or if something
 * else failed.
 */

const { parseArgs } = require('node:util')
const { chooseKinds, startKinds } = require('../support/ends')
const { kindsOf, tryEnds } = require('./ends')
const { KINDS } = require('./kinds')
const { MODE_KINDS } = require('./modes')
const { tryKind } = require('./tries')
const { createDraw, sequence } = require('../../bench/simulation/draws')

const USAGE = `Usage: npm run flips -- [--tries 1000] [--seed 1] [--at-once 4] [--only TEXT] [--ends all|NAME,NAME]
       TEXT is some of the words of a kind:
${KINDS.map(({ what }) => `         ${what}`).join('\n')}
       or of a mode in sandbox/store/modes.js; --only 'modes' are all of them, --only 'kinds' all others`

/** @param {string} text @param {string} name */
function countOf(text, name) {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw Object.assign(new Error(`--${name} "${text}" is not a whole number above zero.`), { code: 'ERR_PARSE_ARGS' })
}

/** @param {import('./kinds').Kind} kind @param {import('./tries').Count} count @param {number} elapsedMs */
function rowOf({ what, unnoticed }, count, elapsedMs) {
  const side = unnoticed ? `${what} (not to be noticed)` : what
  const cells = [side, count.tries, count.mended, count.stopped, count.reported, count.unnoticed, count.other.length]
  return `| ${[...cells, (elapsedMs / 1000).toFixed(0)].join(' | ')} |`
}

async function main() {
  const { values } = parseArgs({
    options: {
      tries: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      ends: { type: 'string' },
      'at-once': { type: 'string', default: '4' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const [tries, seed] = [countOf(values.tries, 'tries'), countOf(values.seed, 'seed')]
  const draw = createDraw(seed)
  process.stdout.write(`Seed ${seed}.\n\n`)
  process.stdout.write(
    '| a byte was flipped in | tries | copied right | stopped | failed, and reported | unnoticed | other | s |\n',
  )
  process.stdout.write('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n')
  const { kinds: chosen, missing } = values.ends ? chooseKinds(values.ends) : { kinds: [], missing: [] }
  for (const { name, missing: why } of missing) process.stderr.write(`Left out: ${name}, ${why}.\n`)
  const servers = await startKinds(chosen)
  /** @type {any[]} */
  const all = values.ends ? kindsOf(servers) : [...KINDS, ...MODE_KINDS]
  const tryOne = values.ends ? tryEnds : tryKind
  const least = values.ends ? 100 : 10
  const kinds = all.map((kind, index) => ({ kind, index })).filter(({ kind }) => isMeant(kind, values.only))
  const turn = createTurns(countOf(values['at-once'], 'at-once'))
  const runs = kinds.map(({ kind, index }) =>
    turn(async () => {
      const startedMs = performance.now()
      const count = await tryOne(kind, {
        tries: kind.mode || values.ends ? Math.ceil(tries / least) : tries,
        random: sequence(draw, index),
      })
      return { kind, count, elapsedMs: performance.now() - startedMs }
    }),
  )
  for (const run of runs) {
    const { kind, count, elapsedMs } = await run
    process.stdout.write(`${rowOf(kind, count, elapsedMs)}\n`)
    for (const other of new Set(count.other)) process.stderr.write(`${kind.what}: ${other}\n`)
    const missed = kind.unnoticed ? count.unnoticed < count.tries : count.unnoticed > 0
    if (missed || count.other.length > 0) process.exitCode = 1
  }
  await Promise.all(servers.map(server => server.stop()))
}

/** @param {import('./kinds').Kind} kind @param {string} text */
function isMeant({ what, mode }, text) {
  if (text === 'modes') return mode !== undefined
  return text === 'kinds' ? mode === undefined : what.includes(text)
}

/** Runs several tries at once, because most of a try is the wait for a part's second attempt. @param {number} atOnce */
function createTurns(atOnce) {
  /** @type {Promise<unknown>[]} */
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve())
  let next = 0
  return (/** @type {() => Promise<any>} */ work) => {
    const lane = next++ % atOnce
    const run = lanes[lane].then(work)
    lanes[lane] = run.catch(() => {})
    return run
  }
}

main().catch(error => {
  const usage = String(error.code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`${usage ? `${error.message}\n${USAGE}` : error.stack}\n`)
  process.exitCode = usage ? 2 : 1
})
