#!/usr/bin/env node
'use strict'

/**
 * The matrix: `npm run matrix -- --sizes 0,1,5242881,314572800 --engines local,openwhisk`. Each kind of store that is installed is
 * once the source and once the destination of each other, and of itself, for each size and engine. A row tells whether the copy is
 * equal, what proved it, and what it cost. Ends with 1 if a copy failed, differs or was not proved.
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { contentOf } = require('../soak/content')
const { chooseKinds, openEnd, startKinds } = require('../support/ends')
const { XFER } = require('../support/run-xfer')
const { openPlatform } = require('../zoo/world')
const { copyOnce, sha256Of } = require('./run')

const USAGE = `npm run matrix -- [--ends all|NAME,NAME] [--sizes BYTES,BYTES] [--engines local,openwhisk]
`
const HEAD = ['source', 'destination', 'bytes', 'engine', 'SHA-256', 'proof', 'requests', 's']

/** @param {string[]} args */
function readArguments(args) {
  const { values } = parseArgs({
    args,
    options: {
      ends: { type: 'string', default: 'all' },
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
  return { ends: values.ends, sizes, engines, help: values.help }
}

/** @param {(string | number)[]} cells */
const row = cells => process.stdout.write(`| ${cells.join(' | ')} |\n`)

/** @param {import('./run').Outcome} outcome */
function printRow({ cell: { source, destination, bytes, engine }, wrong, proof, requests, seconds }) {
  row([source.name, destination.name, bytes, engine, wrong ?? 'equal', proof.join(', '), requests, seconds.toFixed(1)])
}

async function main() {
  const { ends: names, sizes, engines, help } = readArguments(process.argv.slice(2))
  if (help) return void process.stdout.write(USAGE)
  const { kinds, missing } = chooseKinds(names)
  for (const { name, missing: why } of missing) process.stdout.write(`Left out: ${name}, ${why}.\n`)
  const folder = await mkdtemp(join(tmpdir(), 'xfer-matrix-'))
  const servers = await startKinds(kinds)
  const ends = await Promise.all(servers.map(server => openEnd(server, 'matrix')))
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
    row(['---', '---', '---:', '---', '---', '---', '---:', '---:'])
    for (const bytes of sizes) {
      const content = contentOf(bytes, `matrix/${bytes}`)
      const sha256 = sha256Of(content)
      for (const source of ends) {
        await source.write('object', { bytes: content })
        for (const destination of ends) {
          const isLocal = source.local || destination.local
          for (const engine of isLocal ? engines.filter(name => name === 'local') : engines) {
            const outcome = await copyOnce({ source, destination, key: 'object', bytes, sha256, engine }, env)
            printRow(outcome)
            outcomes.push(outcome)
          }
        }
        await source.remove('object')
      }
    }
  } finally {
    await Promise.all(ends.map(end => end.close()))
    await Promise.all(servers.map(server => server.stop()))
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
