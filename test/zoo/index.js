#!/usr/bin/env node
'use strict'

/**
 * The zoo: `npm run zoo -- --runs 500 --seed 1`. Each run draws two stores from the sandbox's modes, what goes wrong on the wires,
 * objects, and a command with its options, and looks at what is there afterwards: judge.js has the invariant. With --ends the stores
 * are of other kinds and makers (test/support/ends), with --servers other S3 servers. --cli PATH tries another xfer's `cli/xfer.js`.
 */

const { randomInt } = require('node:crypto')
const { spawnSync } = require('node:child_process')
const { resolve } = require('node:path')
const { parseArgs } = require('node:util')
const { XFER } = require('../support/run-xfer')
const { summaryOf, lineOf, detailsOf } = require('./report')
const { zooOnce } = require('./run')
const { PEER_KINDS, chooseKinds, splitKinds } = require('../support/ends')
const { openServers } = require('./servers')
const { openPlatform, openWorld } = require('./world')
const { runAll } = require('../support/numbered-runs')

const USAGE = `npm run zoo -- [--servers | --ends all|NAME,NAME] [--runs N] [--seed N] [--only RUN] [--at-once N] [--cli PATH] [--verbose]
`

/** @param {string[]} args */
function readArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '100' },
      seed: { type: 'string' },
      only: { type: 'string' },
      'at-once': { type: 'string', default: '2' },
      cli: { type: 'string', default: XFER },
      servers: { type: 'boolean', default: false },
      ends: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (/** @type {string} */ text) => {
    if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is no number`)
    return Number(text)
  }
  return {
    ...values,
    runs: number(values.runs),
    seed: values.seed === undefined ? randomInt(1, 1_000_000) : number(values.seed),
    only: values.only === undefined ? undefined : number(values.only),
    atOnce: Math.max(1, number(values['at-once'])),
    cli: resolve(values.cli),
  }
}

async function main() {
  const { runs, seed, only, atOnce, cli, servers, ends, verbose, help } = readArguments(process.argv.slice(2))
  if (help) return process.stdout.write(USAGE)
  const numbers = only === undefined ? Array.from({ length: runs }, (_, i) => i + 1) : [only]
  process.stdout.write(`Seed ${seed}, ${numbers.length} runs.\n`)
  const startedMs = Date.now()
  const text = spawnSync(process.execPath, [cli, 'copy', '--help'], { encoding: 'utf8' }).stdout
  const chosen = ends ? chooseKinds(ends) : servers ? splitKinds(PEER_KINDS) : undefined
  for (const { name, missing } of chosen?.missing ?? []) process.stdout.write(`Left out: ${name}, ${missing}.\n`)
  const platform = await openPlatform(cli)
  const park = chosen && (await openServers(platform, chosen.kinds))
  /** @type {import('./run').Zoo} */
  const zoo = {
    cli,
    // An xfer from before there was `--verify size` is asked for `auto` instead.
    knowsSize: /--verify <how>[\s\S]{0,200}\bsize\b/.test(text),
    ...(park ?? { open: script => openWorld(script, platform) }),
  }
  const runOnce = (/** @type {number} */ run) => zooOnce(zoo, seed, run)
  const { reports, status } = await runAll(numbers, { atOnce, verbose, runOnce, lineOf, detailsOf })
  await park?.close()
  await platform.close()
  process.stdout.write(
    summaryOf(reports, {
      seed,
      where: ends ? `--ends ${ends}` : servers ? '--servers' : '',
      elapsedMs: Date.now() - startedMs,
    }),
  )
  process.exitCode = status
}

main().catch(error => {
  process.stderr.write(`zoo: ${error.stack}\n${USAGE}`)
  process.exit(2)
})
