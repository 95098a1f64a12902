'use strict'

const { copyEither } = require('../copy-either')
const { addAttributeOptions, attributeOptionsOf } = require('./attribute-options')
const { addRunOptions, runOptionsOf } = require('./run-options')
const { addSelectOptions } = require('./select-options')
const { addSideOptions, sidesOf } = require('./side-options')

const EXAMPLES = `
Examples:
  xfer sync s3://old@photos/ s3://new@photos/
  xfer sync s3://a/data/ s3://b/data/ --dry-run                 says what it would do, and why
  xfer sync s3://a/data/ s3://b/data/ --delete                  and deletes what the source has not
  xfer sync s3://a/data/ s3://b/data/ --checksum                compares contents, not times
  xfer sync s3://a/data/ s3://b/data/ --exclude '*' --include '*.jpg'   these alone
  xfer sync s3://a/data/ s3://b/data/ --failures failed.txt
  xfer sync s3://a/data/ s3://b/data/ --files-from failed.txt   and once more what failed

SRC and DEST are prefixes, to which a slash is added where there is none, and buckets alone will do.

An object is copied where the destination has none of its name, one of another size, or an older one. Nothing is deleted
without --delete, and then at the very end, only when both sides were listed to their end and all was copied. What
filters leave out is neither copied nor deleted. An empty source has nothing deleted, nor do more deletions than
--max-delete allows: the command ends with 1 then, and a dry run as well.

Exit status: 0 alike, 1 some failed, 2 usage, 3 no such bucket, 4 access, 5 engine, 130 interrupted.`

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerSync(program, process) {
  const command = program
    .command('sync')
    .summary('make what lies below a prefix the same in another place')
    .description('Copies what lies below SRC and is not alike below DEST.')
    .argument('<SRC>', 's3://bucket/prefix')
    .argument('<DEST>', 's3://bucket/prefix')
    .option('--delete', 'delete what the source has not, once all is copied')
    .option('--max-delete <n|p%>', 'delete nothing where it would be more (default: more than half of more than 100)')
    .option('--size-only', 'take what has the same size for alike')
    .option('--checksum', 'compare checksums and ETags, not times')
    .option('--chunk <size>', 'size of a part, in MiB or with a unit; smaller objects are copied whole', '100')
  addSelectOptions(command)
  addRunOptions(command, { defaults: true })
  addAttributeOptions(command)
    .option('--verify <how>', 'auto, full (read twice, and read back), size (sizes alone) or none', 'auto')
    .option('--restart', 'begin anew where an unfinished sync of the same is kept')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print one event a line on standard output')
    .option('--quiet', 'print errors alone')
  addSideOptions(command)
    .option('--debug', 'print stack traces')
    .helpOption('--help', 'print this help')
    .addHelpText('after', EXAMPLES)
    .action((source, destination, flags) => {
      const { chunk, verify, restart, dryRun } = flags
      const options = {
        chunk,
        verify,
        restart,
        dryRun,
        ...runOptionsOf(flags),
        ...attributeOptionsOf(flags),
        ...sidesOf(flags),
      }
      return copyEither(process, { source, destination, flags, options, recursive: 'sync' })
    })
}

module.exports = { registerSync }
