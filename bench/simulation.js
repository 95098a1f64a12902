#!/usr/bin/env node
'use strict'

/**
 * Runs the real scheduler on a virtual clock against a model of a platform, and compares it with the best possible time.
 *
 *     node bench/simulation.js [--size 120GB --size 10TB] [--profile upstream …] [--seeds 3]
 *     node bench/simulation.js --stores [--seeds 3]
 *
 * The model is simulation/model.js, the bound simulation/bound.js; docs/design/simulation.md explains the table.
 */

const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/options')
const { busyStores } = require('./simulation/busy')
const { MODEL, POOLS, PROFILES } = require('./simulation/model')
const { simulate } = require('./simulation/run')
const { header, row } = require('./simulation/table')

const USAGE = `Usage: node bench/simulation.js [--size 120GB …] [--profile NAME …] [--seeds 3]
       node bench/simulation.js --stores [--seeds 3]     stores that bear little for a while
       NAME is one of ${Object.keys(PROFILES).join(', ')}; without options all of docs/design/simulation.md.`

async function main() {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', multiple: true, default: ['120GB', '10TB'] },
      profile: { type: 'string', multiple: true, default: Object.keys(PROFILES) },
      stores: { type: 'boolean', default: false },
      seeds: { type: 'string', default: '3' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1)
  if (values.stores) {
    for await (const text of busyStores(seeds)) process.stdout.write(`${text}\n`)
    return
  }
  process.stdout.write(`${header()}\n`)
  for (const size of values.size) {
    for (const profile of values.profile) {
      for (const hedge of [false, true]) {
        const copy = {
          bytes: parseSize(size, '--size'),
          limits: PROFILES[profile],
          containers: POOLS[profile],
          hedge,
          model: MODEL,
        }
        const runs = []
        for (const seed of seeds) runs.push(await simulate({ ...copy, seed }))
        process.stdout.write(`${row({ size, profile, hedge, bytes: copy.bytes, runs })}\n`)
      }
    }
  }
  const { user, system } = process.cpuUsage()
  process.stdout.write(`\n${seeds.length} seeds, medians; ${((user + system) / 1e6).toFixed(0)} s of CPU.\n`)
}

main().catch(error => {
  const usage = String(error.code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`${usage ? `${error.message}\n${USAGE}` : error.stack}\n`)
  process.exitCode = usage ? 2 : 1
})
