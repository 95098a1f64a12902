'use strict'

const { copy } = require('../../lib')
const { watchInterrupts } = require('../interrupt')
const { createReporter } = require('../reporters')
const { addSideOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer copy s3://src/big s3://dest/big --chunk 100 --concurrency 1000
  xfer copy s3://old@photos/raid.tar s3://new@backup/          two profiles; keeps the name
  xfer copy s3://data/x s3://data/y --engine local             no platform needed
  xfer copy s3://open-data/set.zip s3://mine/ --source-no-sign-request --source-region us-west-2
  xfer copy s3://a/x s3://b/x --dest-endpoint-url https://minio.example:9000 --no-clobber
  xfer copy s3://a/x s3://b/x --json | tail -n 1               the last line is done or error

SRC and DEST are s3://bucket/key or s3://profile@bucket/key. The key is taken literally. A DEST without a
key, or with one that ends in /, takes the source's last segment, unless --exact-key.

Exit status: 0 copied and verified, 1 failed, 2 usage, 3 not found, 4 access, 5 engine, 6 source changed,
7 destination exists, 8 integrity, 130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {{ end: (status: number) => void, leave: (status: number) => void }} process end: once all is printed; leave: at once
 */
function registerCopy(program, { end, leave }) {
  const command = program
    .command('copy')
    .alias('cp')
    .summary('copy an object from one store to another')
    .description(
      'Copies an object from one store to another. The bytes do not pass through this machine, unless it is the engine.',
    )
    .argument('<SRC>', 's3://bucket/key')
    .argument('<DEST>', 's3://bucket/key')
    .option('--chunk <size>', 'size of a part, in MiB or with a unit', '100')
    .option('--concurrency <n>', 'invocations at once, as far as the engine allows them', '1000')
    .option('--parts-per-invocation <n>', 'parts that an invocation carries, or auto', 'auto')
    .option('--retries <n>', 'attempts of a part beyond its first', '3')
    .option('--io-timeout <s>', 'seconds for which a store, a function or the platform may be silent', '30')
    .option('--engine <name>', 'auto, openwhisk or local', 'auto')
    .option('--apihost <host>', 'OpenWhisk host (default: APIHOST, or of ~/.wskprops)')
    .option('--package <name>', 'package that the function was deployed in (default: xfer)')
    .option(
      '--engine-limits <limits>',
      'what the platform allows: some of concurrent=30,per-minute=60,timeout=60,memory=256,payload=1',
    )
    .option('--no-clobber', 'fail where the destination exists')
    .option('--exact-key', "take DEST's key as it is written")
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action(async (source, destination, flags) => {
      const { onEvent, note } = createReporter(flags)
      const interrupt = watchInterrupts({ leave, note })
      try {
        await copy(source, destination, { ...toOptions(flags), signal: interrupt.signal, onEvent })
        end(0)
      } catch (error) {
        const { exitCode = 1, stack, cause } = /** @type {any} */ (error)
        if (flags.debug) process.stderr.write(`${stack}\n${cause ? `caused by ${cause.stack ?? cause}\n` : ''}`)
        end(exitCode)
      } finally {
        interrupt.stop()
      }
    })
}

/** @param {any} flags @returns {import('../../lib/types').CopyOptions} */
function toOptions(flags) {
  return {
    chunk: flags.chunk,
    concurrency: flags.concurrency,
    partsPerInvocation: flags.partsPerInvocation,
    retries: flags.retries,
    ioTimeout: flags.ioTimeout,
    engine: flags.engine,
    apihost: flags.apihost,
    packageName: flags.package,
    engineLimits: flags.engineLimits,
    clobber: flags.clobber,
    exactKey: flags.exactKey,
    dryRun: flags.dryRun,
    ...sidesOf(flags),
  }
}

module.exports = { registerCopy }
