#!/usr/bin/env node
'use strict'

/**
 * Commands drawn at random: `node test/random --runs 500 --seed 1`. Each run draws two stores of the kinds that are installed,
 * objects, what goes wrong on the wires and with the functions, which byte is flipped, and when the command is killed (draw.js), and
 * holds what is there afterwards against one invariant (judge.js).
 */

const { randomInt } = require('node:crypto')
const { parseArgs } = require('node:util')
const { drawRun } = require('./draw')
const { runOnce } = require('./run')
const { chooseKinds, createPark } = require('./world')

const USAGE = `Usage: node test/random [--runs N] [--seed N] [--only RUN] [--kinds all|sandbox|servers|NAME,NAME]
                               [--kill SHARE] [--flip SHARE] [--faults SHARE] [--lie SHARE] [--machines SHARE]
                               [--chain SHARE] [--at-once N] [--verbose]
A share is that of the runs, from 0 to 1, in which something is killed, flipped or faulty, or the destination answers a write well
and keeps something else, or nothing, or in which two machines share the job, or it is left to functions (--detach): of those that can be, on stores of S3.
`

/** The shares of the runs, where no other ones are given. @type {Record<keyof import('./draw').Shares, string>} */
const USUAL = { kill: '0.4', flip: '0.3', faults: '0.6', lie: '0.1', machines: '0.25', chain: '0' }

/** @template T @param {(name: keyof typeof USUAL) => T} of @returns {Record<keyof typeof USUAL, T>} */
const sharesBy = of =>
  /** @type {any} */ (
    Object.fromEntries(Object.keys(USUAL).map(name => [name, of(/** @type {keyof typeof USUAL} */ (name))]))
  )

/** @param {string[]} args */
function readArguments(args) {
  const text = (/** @type {string} */ value) => ({ type: /** @type {const} */ ('string'), default: value })
  const { values } = parseArgs({
    args,
    options: {
      ...{ runs: text('300'), seed: text(String(randomInt(1, 1_000_000))), kinds: text('all'), 'at-once': text('2') },
      ...sharesBy(name => text(USUAL[name])),
      only: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (/** @type {string} */ value) => {
    if (!/^\d{1,9}(\.\d+)?$/.test(value)) throw new Error(`"${value}" is no number`)
    return Number(value)
  }
  const { runs, seed, only, kinds, verbose, help } = values
  const given = Object.keys(USUAL).map(name => `--${name} ${values[name]}`)
  return {
    ...{ kinds, verbose, help, seed: number(seed), atOnce: Math.max(1, number(values['at-once'])) },
    shares: sharesBy(name => number(values[name])),
    numbers: only === undefined ? Array.from({ length: number(runs) }, (_, i) => i + 1) : [number(only)],
    /** What makes a run the same again. */
    again: `--seed ${seed} --kinds ${kinds} ${given.join(' ')}`,
  }
}

/** @param {import('./run').Report} report */
function lineOf({ run, script, status, code, violations, struck, killed, proved, shared, elapsedMs }) {
  const { source, destination, oneStore, command, engine, verify, condition, deletes, objects, change, chain } = script
  const what = [command, deletes && '--delete', verify === 'full' && 'full', condition !== 'none' && condition]
  const end = code === 'NOT_TRIED' ? 'not tried' : status === 0 ? 'exit 0' : `exit ${status} ${code}`
  return [
    `run ${run}: ${oneStore ? 'within' : `${source} →`} ${destination}`,
    [...what, chain ? 'detached' : engine !== 'local' && `on ${engine}`, change && 'changed', ...shared]
      .filter(Boolean)
      .join(' '),
    `${objects.length} objects, ${struck} faults, ${killed} kills, ${proved} parts kept`,
    `${(elapsedMs / 1000).toFixed(1)} s`,
    violations.length === 0 ? `right (${end})` : `WRONG (${violations.join('; ')})`,
  ].join(' · ')
}

/** @param {import('./run').Report[]} reports @param {string} again */
function summaryOf(reports, again) {
  const wrong = reports.filter(({ violations }) => violations.length > 0)
  const sum = (/** @type {(report: import('./run').Report) => number} */ of) =>
    reports.reduce((all, report) => all + of(report), 0)
  const done = reports.filter(({ status }) => status === 0).length
  return [
    `${reports.length - wrong.length} of ${reports.length} right, ${done} with exit 0 (${again});`,
    `${sum(one => one.struck)} faults struck, ${sum(one => one.killed)} kills, ${sum(one => one.proved)} parts kept.`,
    ...wrong.map(({ run }) => `\nRepeat a wrong one: node test/random ${again} --only ${run} --verbose`),
  ].join(' ')
}

/** @param {string[]} args @returns {Promise<boolean>} whether all was right */
async function main(args) {
  const { numbers, seed, kinds: names, shares, atOnce, verbose, help, again } = readArguments(args)
  if (help) return process.stdout.write(USAGE)
  const { kinds, missing } = chooseKinds(names)
  for (const { name, missing: why } of missing) process.stdout.write(`Left out: ${name}, ${why}.\n`)
  process.stdout.write(`Seed ${seed}, ${numbers.length} runs between ${kinds.length} kinds of stores.\n`)
  // Each child and folder of a run goes with this process.
  process.setMaxListeners(0)
  const park = createPark(kinds)
  /** @type {import('./run').Report[]} */
  const reports = []
  const waiting = [...numbers]
  async function work() {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const report = await runOnce(park, drawRun(seed, run, kinds, shares), { seed, run, kinds })
      reports.push(report)
      const details = [JSON.stringify(report.script), ...report.story].map(line => `    ${line}\n`)
      const shows = verbose || report.violations.length > 0
      process.stdout.write(`${lineOf(report)}\n${shows ? details.join('') : ''}`)
    }
  }
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(130))
  await Promise.all(Array.from({ length: atOnce }, work))
  await park.close()
  process.stdout.write(`${summaryOf(reports, again)}\n`)
  return reports.every(({ violations }) => violations.length === 0)
}

main(process.argv.slice(2)).then(
  isRight => process.exit(isRight ? 0 : 1),
  error => {
    process.stderr.write(
      `${/^ERR_PARSE_ARGS|^undefined/.test(String(error.code)) ? error.message : error.stack}\n${USAGE}`,
    )
    process.exit(2)
  },
)
