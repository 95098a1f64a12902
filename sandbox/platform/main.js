'use strict'

/**
 * Runs one platform as a process: `node sandbox/platform/main.js '{"containers":4}'`. The argument is the options of `startPlatform`
 * as JSON. When it is ready it prints one line `{"apihost":…,"auth":…}`, and with `--events` after the options one line for
 * each `start`, `run`, `container-start` and `container-exit`. It ends, with all its containers, on SIGTERM, SIGINT and
 * SIGHUP, when a pipe at its standard input closes, and when its parent dies.
 */

const fs = require('node:fs')
const { onParentGone } = require('../common/parent')
const { startPlatform } = require('.')

/** @returns {boolean} whether standard input is held open by another process; /dev/null and a file end at once */
function inputIsHeld() {
  try {
    const stat = fs.fstatSync(0)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

async function main() {
  const platform = await startPlatform(JSON.parse(process.argv[2] ?? '{}'))
  const end = () => platform.close().then(() => process.exit(0))

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end)
  if (inputIsHeld()) process.stdin.on('close', end).on('error', end).resume()
  onParentGone(end)

  process.stdout.on('error', end)
  /** @param {object} line */
  const print = line => process.stdout.write(`${JSON.stringify(line)}\n`)
  print({ apihost: platform.apihost, auth: platform.auth })
  if (!process.argv.includes('--events')) return
  for (const event of ['start', 'run', 'container-start', 'container-exit']) {
    platform.activations.on(event, facts => print({ event, at: Date.now(), ...facts }))
  }
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
