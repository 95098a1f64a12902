#!/usr/bin/env node
'use strict'

/**
 * The matrix: `npm run matrix -- --sizes 0,1,5242881,314572800 --engines local,openwhisk`. Each kind of store that is installed is
 * once the source and once the destination of each other, and of itself, for each size and engine; standard input and an HTTPS host
 * are sources, standard output is a destination. A row tells whether the copy is equal, what proved it, and what it cost. Ends with
 * 1 if a copy failed, differs or was not proved. All contents are files in the folder for temporary ones, never in memory whole.
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { chooseKinds, openEnd, startKinds } = require('../support/ends')
const { XFER } = require('../support/run-xfer')
const { openPlatform } = require('../zoo/world')
const { makeContent } = require('./content')
const { ONE_WAY } = require('./one-way')
const { copyOnce } = require('./run')

/** @typedef {import('./one-way').MatrixEnd} End */

const USAGE = `npm run matrix -- [--ends all|NAME,NAME] [--from NAME,NAME] [--to NAME,NAME] [--sizes BYTES,BYTES]
               [--engines local,openwhisk]
`
const HEAD = ['source', 'destination', 'bytes', 'engine', 'SHA-256', 'proof', 'requests', 's', 'peak MiB']

/** @param {string[]} args */
function readArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      ends: { type: 'string', default: 'all' },
      from: { type: 'string' },
      to: { type: 'string' },
      sizes: { type: 'string', default: '0,1,5242881,314572800' },
      engines: { type: 'string', default: 'local,openwhisk' },
      help: { type: 'boolean', default: false },
    },
  })
  const sizes = values.sizes.split(',').map(text => {
    if (!/^\d{1,10}$/.test(text)) throw new Error(`"${text}" is no size in bytes`)
    return Number(text)
  })
  const engines = values.engines.split(',').map(name => {
    if (name !== 'local' && name !== 'openwhisk') throw new Error(`"${name}" is no engine`)
    return /** @type {'local' | 'openwhisk'} */ (name)
  })
  const { ends, from = ends, to = ends, help } = values
  return { from, to, sizes, engines, help }
}

/** @param {(string | number)[]} cells */
const row = cells => process.stdout.write(`| ${cells.join(' | ')} |\n`)

/** @param {import('./run').Outcome} outcome */
function printRow({ cell: { source, destination, bytes, engine }, wrong, proof, requests, seconds, peakMib }) {
  const proved = proof.join(', ') || 'none is kept'
  row([source.name, destination.name, bytes, engine, wrong ?? 'equal', proved, requests, seconds.toFixed(1), peakMib])
}

/**
 * The ends of these names: servers are started.
 *
 * @param {string} names with commas
 * @returns {Promise<{ ends: End[], stop: () => Promise<void> }>}
 */
async function openEnds(names) {
  const wanted = names.split(',')
  const oneWay = Object.keys(ONE_WAY).filter(name => wanted.includes('all') || wanted.includes(name))
  const others = wanted.filter(name => !(name in ONE_WAY))
  const { kinds, missing } = others.length > 0 ? chooseKinds(others.join(',')) : { kinds: [], missing: [] }
  for (const { name, missing: why } of missing) process.stdout.write(`Left out: ${name}, ${why}.\n`)
  const servers = await startKinds(kinds)
  const ends = await Promise.all([
    ...servers.map(server => openEnd(server, 'matrix')),
    ...oneWay.map(name => ONE_WAY[name]()),
  ])
  return {
    ends,
    async stop() {
      await Promise.all(ends.map(end => end.close()))
      await Promise.all(servers.map(server => server.stop()))
    },
  }
}

/** What stands to what: each of `from` to each of `to`. @param {End[]} ends @param {{ from: string, to: string }} names */
function pairsOf(ends, { from, to }) {
  const among = (/** @type {string} */ names) => {
    const wanted = names.split(',')
    return ends.filter(({ name }) => wanted.includes('all') || wanted.includes(name))
  }
  const sources = among(from).filter(({ put }) => put)
  const destinations = among(to).filter(({ sha256, after }) => sha256 ?? after)
  return sources.map(source => ({
    source,
    // Nothing of that would be of a store.
    destinations: destinations.filter(({ after }) => !source.before || !after),
  }))
}

async function main() {
  const { from, to, sizes, engines, help } = readArguments(process.argv.slice(2))
  if (help) return void process.stdout.write(USAGE)
  const { ends, stop } = await openEnds([from, to].join())
  process.stdout.write('Left out: stdin to stdout, which is no copy. Only this machine reads and writes local ends.\n')
  const folder = await mkdtemp(join(tmpdir(), 'xfer-matrix-'))
  const platform = engines.includes('openwhisk') ? await openPlatform(XFER) : undefined
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), XDG_STATE_HOME: join(folder, 'state') },
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(platform && { APIHOST: platform.apihost, AUTH: platform.auth }),
  }
  const outcomes = []
  try {
    process.stdout.write('\n')
    row(HEAD)
    row(['---', '---', '---:', '---', '---', '---', '---:', '---:', '---:'])
    for (const bytes of sizes) {
      const path = join(folder, `content-${bytes}`)
      const sha256 = await makeContent(path, bytes)
      for (const { source, destinations } of pairsOf(ends, { from, to })) {
        await source.put?.('object', path)
        for (const destination of destinations) {
          const isLocal = source.local || destination.local
          for (const engine of isLocal ? engines.filter(name => name === 'local') : engines) {
            const cell = { source, destination, key: 'object', bytes, sha256, engine }
            const outcome = await copyOnce(cell, env, folder)
            printRow(outcome)
            outcomes.push(outcome)
          }
        }
        await source.remove?.('object')
      }
      await rm(path)
    }
  } finally {
    await stop()
    await platform?.close()
    await rm(folder, { recursive: true, force: true })
  }
  const wrong = outcomes.filter(outcome => outcome.wrong !== undefined)
  process.stdout.write(`\n${outcomes.length - wrong.length} of ${outcomes.length} copies are equal and proved.\n`)
  process.exitCode = wrong.length > 0 ? 1 : 0
}

main().catch(error => {
  process.stderr.write(`matrix: ${error.stack}\n${USAGE}`)
  process.exit(2)
})
