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
const { NEW, OLD, writeProfiles, lambdaEnvironment, startSandbox, workersEnvironment } = require('./sandbox')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const KEY = 'big.bin'
const USAGE =
  'Usage: npm run demo -- [--size SIZE] [--engine openwhisk|lambda|http]    SIZE in MiB, or as 64MiB (default: 1GiB)'

/**
 * The platforms that the demo has: which options of the sandbox start it, and how functions come to it.
 *
 * @type {Record<string, {
 *   title: string,
 *   options: (processes: number) => Parameters<typeof startSandbox>[0],
 *   environment: (sandbox: import('./sandbox').Sandbox) => Record<string, string>,
 *   deployment?: object | 'none',
 * }>} deployment: options of `deploy`; none: nothing is deployed
 */
const PLATFORMS = {
  openwhisk: {
    title: 'an OpenWhisk platform',
    options: containers => ({ openwhisk: { containers } }),
    environment: ({ openwhisk: { apihost, auth } }) => ({ APIHOST: apihost, AUTH: auth }),
  },
  lambda: {
    title: 'AWS Lambda',
    options: processes => ({ lambda: { processes } }),
    environment: ({ lambda }) => lambdaEnvironment(/** @type {import('./sandbox').LambdaAccess} */ (lambda)),
    // The sandbox's Lambda takes any role.
    deployment: { role: 'arn:aws:iam::123456789012:role/xfer' },
  },
  http: {
    title: 'workers (xfer serve)',
    options: workers => ({ workers }),
    environment: ({ workers }) => workersEnvironment(/** @type {import('./sandbox').WorkersAccess} */ (workers)),
    deployment: 'none',
  },
}

/** @param {string} text */
const say = text => process.stdout.write(`${text}\n`)

/** @param {AbortSignal} signal */
async function main(signal) {
  const { values } = parseArgs({
    options: {
      size: { type: 'string', default: '1GiB' },
      engine: { type: 'string', default: 'openwhisk' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return say(USAGE)
  const bytes = parseSize(values.size, '--size')
  const { engine } = values
  const platform = Object.hasOwn(PLATFORMS, engine) ? PLATFORMS[engine] : undefined
  if (!platform) throw Object.assign(new Error(`There is no demo of the engine ${engine}.`), { code: 'ERR_PARSE_ARGS' })

  say(`Starting two S3 stores and ${platform.title} on this machine.`)
  const stores = [OLD, NEW].map(({ bucket }) => ({ buckets: [bucket] }))
  const sandbox = await startSandbox({ stores, ...platform.options(Math.max(2, availableParallelism())) })
  const [source, destination] = sandbox.stores
  let profiles
  try {
    profiles = await writeProfiles(sandbox.stores)
    const env = { ...process.env, AWS_CONFIG_FILE: profiles.file, ...platform.environment(sandbox) }
    if (platform.deployment === 'none') say(`Workers: ${sandbox.workers?.urls.join(', ')}.`)
    else {
      const { actions, apihost } = await deploy({
        engine: /** @type {any} */ (engine),
        env,
        signal,
        ...platform.deployment,
      })
      say(`Deployed ${actions.map(({ name }) => name).join(', ')} to ${apihost}.`)
    }
    say(`Making ${formatBytes(bytes)} of random bytes in the store ${OLD.profile}, ${source.endpoint}.`)
    await putRandom(source, { bucket: OLD.bucket, key: KEY, bytes })

    const [from, to] = [`s3://${OLD.profile}@${OLD.bucket}/${KEY}`, `s3://${NEW.profile}@${NEW.bucket}/`]
    const args = ['copy', from, to, '--engine', engine]
    say(`\n$ xfer ${args.join(' ')}`)
    signal.throwIfAborted()
    const copying = spawn(process.execPath, [XFER, ...args], { env, stdio: 'inherit' })
    const [status] = await once(copying, 'exit')
    if (status !== 0) throw new Error(`xfer ended with status ${status}`)

    say('\nReading both objects back.')
    const sums = await Promise.all([
      sha256Of(source, { bucket: OLD.bucket, key: KEY }),
      sha256Of(destination, { bucket: NEW.bucket, key: KEY }),
    ])
    say(`SHA-256 in ${OLD.profile}  ${sums[0]}`)
    say(`SHA-256 in ${NEW.profile}  ${sums[1]}`)
    if (sums[0] !== sums[1]) throw new Error('the objects differ')
    say('They are equal.\n')
    say('Try next:')
    say('  npm run sandbox                 the same stores and platform, to play with from another terminal')
    say('  node cli/xfer.js copy --help    all options, with examples')
    say('  npm test                        the tests')
  } finally {
    await profiles?.remove()
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
