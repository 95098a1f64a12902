#!/usr/bin/env node
'use strict'

/**
 * `npm run demo`: copies a large object from one store to another through functions, all on this machine. Ends with status
 * 0 only if both objects have the same SHA-256, and leaves nothing behind.
 */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { formatBytes } = require('../cli/format')
const { deploy } = require('../lib')
const { parseSize } = require('../lib/options')
const { putRandom, sha256Of } = require('./objects')
const { startSandbox, environmentOf, BUCKET } = require('./sandbox')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const KEY = 'big.bin'
const USAGE = 'Usage: npm run demo -- [--size SIZE]    SIZE in MiB, or with a unit as 64MiB (default: 1GiB)'

/** @param {string} text */
const say = text => process.stdout.write(`${text}\n`)

/** @param {AbortSignal} signal */
async function main(signal) {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '1GiB' }, help: { type: 'boolean' } },
  })
  if (values.help) return say(USAGE)
  const bytes = parseSize(values.size, '--size')
  const containers = Math.max(2, availableParallelism())

  say('Starting two S3 stores and an OpenWhisk platform on this machine.')
  const sandbox = await startSandbox({ openwhisk: { containers } })
  try {
    const [source, destination] = sandbox.stores
    const env = { ...process.env, ...environmentOf(sandbox) }
    const { actions } = await deploy({ env, signal })
    say(`Deployed ${actions.map(({ name }) => name).join(', ')} from manifest.yaml to ${sandbox.openwhisk.apihost}.`)
    say(`Making ${formatBytes(bytes)} of random bytes in store A, ${source.endpoint}.`)
    await putRandom(source, { bucket: BUCKET, key: KEY, bytes })

    const args = ['copy', `s3://${BUCKET}/${KEY}`, `s3://${BUCKET}/`, '--engine', 'openwhisk']
    say(`\n$ xfer ${args.join(' ')}`)
    signal.throwIfAborted()
    const copying = spawn(process.execPath, [XFER, ...args], { env, stdio: 'inherit' })
    const [status] = await once(copying, 'exit')
    if (status !== 0) throw new Error(`xfer ended with status ${status}`)

    say('\nReading both objects back.')
    const sums = await Promise.all([source, destination].map(store => sha256Of(store, { bucket: BUCKET, key: KEY })))
    say(`SHA-256 in store A  ${sums[0]}`)
    say(`SHA-256 in store B  ${sums[1]}`)
    if (sums[0] !== sums[1]) throw new Error('the objects differ')
    say('They are equal.\n')
    say('Try next:')
    say('  npm run sandbox                 the same stores and platform, to play with from another terminal')
    say('  node cli/xfer.js copy --help    all options, with examples')
    say('  npm test                        the tests')
  } finally {
    await sandbox.close()
  }
}

/** Whether the options could not be read. @param {any} error */
const isUsage = error => String(error?.code).startsWith('ERR_PARSE_ARGS')

const interrupt = new AbortController()
process.on('SIGINT', () => interrupt.abort()).on('SIGTERM', () => interrupt.abort())

main(interrupt.signal).catch(error => {
  process.stderr.write(`demo: ${error.message}\n${error.hint ? `      ${error.hint}\n` : ''}`)
  if (isUsage(error)) process.stderr.write(`      ${USAGE}\n`)
  process.exitCode = interrupt.signal.aborted ? 130 : isUsage(error) ? 2 : 1
})
