#!/usr/bin/env node
'use strict'

/**
 * The kill soak: `npm run soak -- --runs 200 --seed 7`. Each run copies an object between two stores that fail now and then, while the
 * command, a store, the platform or one of its containers is killed, several times, and goes on with `xfer resume` until it is
 * done. Then the copy must be byte-identical, no upload and no journal be left, and no part have been copied again that the journal or
 * ListParts had proved before the command began. With --prefix it is a prefix of many objects, small and large.
 * With --ends the stores are of other kinds and makers (test/support/ends); that one of them is down means that it cannot be reached.
 * With --engine the functions run on that platform, or on workers that are killed.
 * With --first-cli the first command of each run is another checkout's `cli/xfer.js`, so that later ones meet its journals.
 */

const { parseArgs } = require('node:util')
const { randomInt } = require('node:crypto')
const { PLATFORMS } = require('./platforms')
const { soakOnce } = require('./run')
const { chooseKinds, pairOf, startKinds } = require('../support/ends')
const { runAll } = require('../support/numbered-runs')

const USAGE = `npm run soak -- [--prefix] [--ends all|NAME,NAME] [--engine NAME] [--runs N] [--seed N] [--only RUN] [--at-once N] [--first-cli FILE] [--verbose]
`

/** @param {string[]} args */
function readArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '20' },
      seed: { type: 'string' },
      only: { type: 'string' },
      'at-once': { type: 'string', default: '2' },
      prefix: { type: 'boolean', default: false },
      'first-cli': { type: 'string' },
      ends: { type: 'string' },
      engine: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (/** @type {string} */ text) => {
    if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is no number`)
    return Number(text)
  }
  return {
    runs: number(values.runs),
    seed: values.seed === undefined ? randomInt(1, 1_000_000) : number(values.seed),
    only: values.only === undefined ? undefined : number(values.only),
    atOnce: Math.max(1, number(values['at-once'])),
    prefix: values.prefix,
    firstCli: values['first-cli'],
    ends: values.ends,
    engine: engineOf(values.engine),
    verbose: values.verbose,
    help: values.help,
  }
}

/** @param {string | undefined} name */
function engineOf(name) {
  const known = ['local', ...Object.keys(PLATFORMS)]
  if (name === undefined || known.includes(name)) return name
  throw new Error(`"${name}" is none of ${known.join(', ')}`)
}

/** @param {import('./run').Report} report */
function lineOf({ run, place, script, story, violations, commands, proved, elapsedMs }) {
  const { bytes, tree, engine, flags } = script
  const kills = story.filter(text => / killed /.test(text)).map(text => text.replace(' killed', ''))
  return [
    `run ${run}: ${place ? `${place}, ` : ''}${engine}, ${tree ? `${whatOf(tree)} of at most ` : ''}${(bytes / 1024 ** 2).toFixed(1)} MiB by ${flags[1]}`,
    `${commands} commands`,
    `${proved} ${tree ? 'objects and parts' : 'parts'} proved`,
    `${(elapsedMs / 1000).toFixed(1)} s`,
    violations.length === 0 ? 'right' : `WRONG (${violations.join('; ')})`,
    `killed ${kills.join(', ') || 'nothing'}`,
  ].join(' · ')
}

/** @param {import('./draw-tree').Tree} tree */
function whatOf({ mode, deletes, source, later }) {
  const changes = later.length > 0 ? `, ${later.length} of which change` : ''
  return `${mode}${deletes ? ' --delete' : ''} of ${source.length} objects${changes},`
}

async function main() {
  const { runs, seed, only, atOnce, prefix, firstCli, ends, engine, verbose, help } = readArguments(
    process.argv.slice(2),
  )
  if (help) return process.stdout.write(USAGE)
  const numbers = only === undefined ? Array.from({ length: runs }, (_, i) => i + 1) : [only]
  process.stdout.write(`Seed ${seed}, ${numbers.length} runs.\n`)
  const startedMs = Date.now()
  const { kinds, missing } = ends ? chooseKinds(ends) : { kinds: [], missing: [] }
  for (const { name, missing: why } of missing) process.stdout.write(`Left out: ${name}, ${why}.\n`)
  const servers = await startKinds(kinds)
  const runOnce = (/** @type {number} */ run) =>
    soakOnce(seed, run, { prefix, engine, firstCli, ends: ends ? pairOf(servers, run) : undefined })
  const { reports, status } = await runAll(numbers, { atOnce, verbose, runOnce, lineOf, detailsOf })
  await Promise.all(servers.map(server => server.stop()))
  process.stdout.write(summaryOf(reports, { seed, ends, engine, elapsedMs: Date.now() - startedMs }))
  process.exitCode = status
}

/** @param {import('./run').Report} report */
function detailsOf({ script, story }) {
  return [JSON.stringify(script), ...story].map(line => `    ${line}`).join('\n')
}

/** @param {import('./run').Report[]} reports @param {{ seed: number, ends?: string, engine?: string, elapsedMs: number }} how */
function summaryOf(reports, { seed, ends, engine, elapsedMs }) {
  const wrong = reports.filter(({ violations }) => violations.length > 0)
  const sum = (/** @type {(report: import('./run').Report) => number} */ of) =>
    reports.reduce((all, one) => all + of(one), 0)
  const members = engine === 'local' ? [] : PLATFORMS[engine ?? 'openwhisk'].members
  const victims = ['cli', 'source', 'destination', ...members, 'container']
  const kills = victims.map(victim => `${sum(({ killed }) => killed[victim] ?? 0)} ${victim}`)
  return [
    `${reports.length - wrong.length} of ${reports.length} byte-identical, nothing left over, nothing proved copied again (seed ${seed}).`,
    `Killed: ${kills.join(', ')}. Commands: ${sum(({ commands }) => commands)}. Found proved: ${sum(({ proved }) => proved)}.`,
    `${(sum(({ script }) => script.bytes) / 1024 ** 3).toFixed(1)} GiB in ${Math.round(elapsedMs / 1000)} s.`,
    ...wrong.map(
      ({ run }) =>
        `Repeat a wrong one: npm run soak -- ${wrong[0].script.tree ? '--prefix ' : ''}${ends ? `--ends ${ends} ` : ''}${engine ? `--engine ${engine} ` : ''}--seed ${seed} --only ${run}`,
    ),
    '',
  ].join('\n')
}

main().catch(error => {
  process.stderr.write(`soak: ${error.message}\n${USAGE}`)
  process.exit(2)
})
