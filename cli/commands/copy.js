'use strict'

const { copyEither } = require('../copy-either')
const { addAttributeOptions, attributeOptionsOf } = require('./attribute-options')
const { addRunOptions, runOptionsOf } = require('./run-options')
const { addSelectOptions } = require('./select-options')
const { addSideOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer copy s3://src/big s3://dest/big --chunk 100 --concurrency 1000
  xfer copy s3://old@photos/raid.tar s3://new@backup/          two profiles; keeps the name
  xfer copy s3://data/x s3://data/y                            within one store, which copies by itself
  xfer copy s3://data/x s3://data/y --route engine --engine local   read and written, without a platform
  xfer copy s3://open-data/set.zip s3://mine/ --source-no-sign-request --source-region us-west-2
  xfer copy s3://a/x s3://b/x --dest-endpoint-url https://minio.example:9000 --no-clobber
  xfer copy s3://a/x s3://b/x --if-match 9b2cf535f27731c974343645a3985328
  xfer copy s3://a/x s3://b/x --chunk match --verify full      the same ETag, and read twice
  xfer copy s3://a/x s3://b/x --bandwidth 20M                  at most 20 MiB/s, whatever runs at once
  xfer copy s3://a/x s3://b/x --chunk auto --dry-run           says which size it would take, and why
  xfer copy s3://a/x s3://b/x --storage-class STANDARD_IA --content-type text/csv --metadata-set team=blue
  xfer copy s3://a/x s3://b/x --version-id 3sL4kqtJlcpXroDTDmJ  an older version
  xfer copy s3://a/x s3://b/x --json | tail -n 1               the last line is done or error
  xfer copy -r s3://a/photos/ s3://b/photos/                   all that lies below a prefix
  xfer copy -r s3://a s3://b --exclude '*' --include '*.jpg' --newer-than 7d
  xfer copy -r s3://data/x/ s3://data/y/ --route server        by the store itself, or not at all

SRC and DEST are s3://bucket/key or s3://profile@bucket/key. The key is taken literally. A DEST without a
key, or with one that ends in /, takes the source's last segment, unless --exact-key. With -r both are prefixes, to
which a slash is added where there is none, and buckets alone will do.

Content headers, user metadata, tags and storage class are the source's, unless options say otherwise. A customer's
own key (SSE-C) comes from XFER_SOURCE_SSE_C_KEY and XFER_DEST_SSE_C_KEY (base64), or from a file; it is given to no
function, so the engine is this machine then.

A copy that is interrupted, killed or fails keeps what it has: the same command, or xfer resume, goes on with it.

Exit status: 0 copied and verified, 1 failed, 2 usage, 3 not found, 4 access, 5 engine, 6 source changed,
7 destination exists, 8 integrity, 130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerCopy(program, process) {
  const command = program
    .command('copy')
    .alias('cp')
    .summary('copy an object, or all below a prefix, from one store to another')
    .description(
      'Copies an object, or with -r all that lies below a prefix, from one store to another. The bytes do not pass through this machine, unless it is the engine.',
    )
    .argument('<SRC>', 's3://bucket/key, or with -r s3://bucket/prefix')
    .argument('<DEST>', 's3://bucket/key, or with -r s3://bucket/prefix')
    .option('--chunk <size>', 'size of a part, in MiB or with a unit; match: that of the source; auto: weighed', '100')
  addSelectOptions(command.option('-r, --recursive', 'copy all that lies below SRC to below DEST'))
  addRunOptions(command, { defaults: true })
  addAttributeOptions(command)
    .option('--no-clobber', 'fail where the destination exists')
    .option('--if-match <etag>', 'replace the destination only where it has this ETag')
    .option('--verify <how>', 'auto, full (read twice, and read back), size (sizes alone) or none', 'auto')
    .option('--exact-key', "take DEST's key as it is written")
    .option('--restart', 'begin anew where an unfinished copy of the same is kept')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--version-id <id>', 'that version of the source, not its newest')
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((source, destination, flags) =>
      copyEither(process, {
        source,
        destination,
        flags,
        options: toOptions(flags),
        recursive: flags.recursive && 'copy',
      }),
    )
}

/** @param {any} flags @returns {import('../../lib/types').CopyOptions} */
function toOptions(flags) {
  return {
    chunk: flags.chunk,
    ...runOptionsOf(flags),
    ...attributeOptionsOf(flags),
    clobber: flags.clobber,
    ifMatch: flags.ifMatch,
    verify: flags.verify,
    exactKey: flags.exactKey,
    restart: flags.restart,
    dryRun: flags.dryRun,
    ...sidesOf(flags),
  }
}

module.exports = { registerCopy }
