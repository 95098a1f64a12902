'use strict'

/** Whole prefixes: what is chosen of them, the files that name some of it, and places that are not there. */

const COPY = 'copy -r s3://src/tree/ s3://dst/new/'
const SYNC = 'sync s3://src/tree/ s3://dst/new/'

/** @param {string} option @param {string} value @param {string} says @param {object} [more] */
const bad = (option, value, says, more) => ({
  it: `${option} "${value}"`,
  command: [...COPY.split(' '), option, value],
  exit: 2,
  code: 'USAGE',
  says,
  ...more,
})

/** @param {string} it @param {string} command @param {object} more */
const usage = (it, command, more) => ({ it, command, exit: 2, code: 'USAGE', ...more })

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- which objects
  ...['', 'soon', '7x', '-7d', '2026-02-30', '2026-13-01', '2026-01-31T25:00', '31.1.2026'].flatMap(when => [
    bad('--newer-than', when, `--newer-than "${when}" is neither an age nor a date`, { advises: '7d' }),
    bad('--older-than', when, `--older-than "${when}" is neither an age nor a date`),
  ]),
  bad('--newer-than', '5', '--newer-than "5" lacks a unit', { advises: '5d' }),
  ...['', '-1', 'big', '5X', '1e9'].flatMap(size => [
    bad('--min-size', size, `--min-size "${size}" is not a size`),
    bad('--max-size', size, `--max-size "${size}" is not a size`),
  ]),
  bad('--min-size', '1,5M', '--min-size "1,5M" has a separator between its digits', { advises: '1.5' }),
  bad('--max-size', '8mb', '--max-size "8mb" is ambiguous', { advises: 'Give 8MB for bytes (or 8MiB' }),
  usage('sizes of which none is between', `${COPY} --min-size 5M --max-size 5000K`, { says: 'as large as --min-size' }),
  usage('times of which none is between', `${COPY} --newer-than 1d --older-than 2d`, {
    says: 'after --newer-than',
    advises: 'the greater age',
  }),
  usage('dates of which none is between', `${SYNC} --newer-than 2026-02-01 --older-than 2026-02-01`, {
    says: 'after --newer-than',
  }),
  ...['-1', '1.5', 'many', ''].map(many =>
    bad('--max-errors', many, `--max-errors "${many}" is not a whole number from 0`),
  ),
  ...['--include', '--exclude', '--newer-than', '--files-from', '--failures', '--max-errors'].map(option =>
    usage(`${option} without its value`, `${COPY} ${option}`, {
      says: option,
      json: [...COPY.split(' '), '--json', option],
    }),
  ),
  ...[
    ['--include', '*'],
    ['--exclude', '*'],
    ['--newer-than', '7d'],
    ['--older-than', '7d'],
    ['--min-size', '1'],
    ['--max-size', '1'],
    ['--files-from', '-'],
    ['--max-errors', '1'],
    ['--failures', 'failed'],
  ].map(([option, value]) =>
    usage(`${option} for one object`, `copy s3://src/object s3://dst/new ${option} ${value}`, {
      says: `${option} applies to a prefix`,
      advises: 'Add -r to copy',
    }),
  ),
  usage('--ignore-existing for one object', 'copy s3://src/object s3://dst/new --ignore-existing', {
    says: '--ignore-existing applies to a prefix',
  }),

  // --- what is of other commands
  ...['--delete', '--size-only', '--checksum'].map(option =>
    usage(`${option} of a copy`, `${COPY} ${option}`, { says: `Unknown option "${option}"` }),
  ),
  ...['--if-match 9b2cf5'].map(option =>
    usage(`${option} of a prefix`, `${COPY} ${option}`, {
      says: 'with one object',
      advises: '--no-clobber',
    }),
  ),
  ...['-r', '--version-id x'].map(option =>
    usage(`${option} of a sync`, `${SYNC} ${option}`, { says: `Unknown option "${option.split(' ')[0]}"` }),
  ),
  usage('--version-id of a prefix', `${COPY} --version-id x`, {
    says: '--version-id names a version of one object',
    advises: 'by itself, without -r',
  }),
  usage('--size-only and --checksum', `${SYNC} --size-only --checksum`, { says: 'cannot be used together' }),
  usage('--delete of what a file names', `${SYNC} --delete --files-from {missingNames}`, {
    says: '--delete and --files-from',
  }),

  // --- files
  usage('names in a file that is not there', `${COPY} --files-from {folder}/none`, { says: 'cannot be read (ENOENT)' }),
  usage('names in a folder', `${COPY} --files-from {folder}`, { says: 'cannot be read (EISDIR)' }),
  usage('names in a loop of links', `${SYNC} --files-from {loop}`, { says: 'cannot be read (ELOOP)' }),
  usage('a name that is no JSON string', `${COPY} --files-from {badNames}`, {
    says: 'Line 2 of',
    advises: '\\"name\\"',
    planned: true,
  }),
  usage('a name that no key can be', `${COPY} --files-from {loneNames}`, { says: 'Line 1 of', planned: true }),
  usage('a name without an end', `${COPY} --files-from {longName}`, { says: 'too long for a name', planned: true }),
  usage('names that are not UTF-8', `${COPY} --files-from {binaryNames}`, { says: 'is not UTF-8', planned: true }),
  {
    it: 'names that the source has not',
    command: `${COPY} --files-from {missingNames}`,
    exit: 1,
    code: 'OBJECTS_FAILED',
    says: '2 of 2 objects could not be copied',
    advises: '--failures FILE',
    planned: true,
  },
  usage('a file of failures in a folder that is not there', `${COPY} --failures {folder}/none/failed`, {
    says: 'cannot be written (ENOENT)',
    advises: '--failures',
  }),
  usage('a folder for failures', `${SYNC} --failures {folder}`, { says: 'cannot be written (EISDIR)' }),
  usage('failures over the names', `${COPY} --files-from {missingNames} --failures {folder}/../missingNames`, {
    says: 'name the same file, which would be overwritten',
  }),

  // --- places
  usage('standard input as a prefix', 'copy -r - s3://dst/new/', { says: 'Standard input is one object' }),
  usage('a sync of standard input', 'sync - s3://dst/new/', { says: 'Standard input is one object' }),
  usage('a folder that is missing', 'sync ./tree s3://dst/new/', {
    ...{ exit: 3, code: 'NO_SUCH_BUCKET', says: '/tree' },
    planned: true,
  }),
  usage('a prefix without a bucket', 'sync s3:// s3://dst/new/', { code: 'BAD_LOCATION', says: 'names no bucket' }),
  usage('a bucket that is a pattern', 'copy -r s3://* s3://dst/new/', {
    code: 'BAD_LOCATION',
    says: 'name of a bucket',
  }),
  usage('one prefix alone', 'sync s3://src/tree/', { says: 'DEST' }),
  usage('a prefix within itself', 'copy -r s3://src/tree s3://src/tree/deeper --dest-endpoint-url {source}', {
    code: 'OVERLAP',
    says: 'overlap',
  }),
  usage(
    'a prefix within itself, by another name',
    'sync s3://src s3://src/x --dest-endpoint-url http://localhost:{sourcePort}',
    {
      code: 'OVERLAP',
    },
  ),
  ...['copy -r', 'sync'].flatMap(command => [
    {
      it: `${command} of a mistyped prefix`,
      command: `${command} s3://src/tre/ s3://dst/new/`,
      exit: 3,
      code: 'SOURCE_EMPTY',
      says: 'nothing below s3://src/tre/',
      advises: '--allow-empty-source',
      planned: true,
    },
    {
      it: `${command} of one object`,
      command: `${command} s3://src/object s3://dst/new/ --max-errors 3`,
      exit: 3,
      code: 'SOURCE_EMPTY',
      says: 'nothing below s3://src/object/',
      advises: 's3://src/object is one object, not a prefix; copy it with: xfer copy s3://src/object s3://dst/new/',
      planned: true,
    },
    {
      it: `${command} from no such bucket`,
      command: `${command} s3://nowhere/tree/ s3://dst/new/`,
      exit: 3,
      code: 'NO_SUCH_BUCKET',
      says: 'source bucket "nowhere"',
      planned: true,
    },
    {
      it: `${command} to no such bucket`,
      command: `${command} s3://src/tree/ s3://nowhere/new/`,
      exit: 3,
      code: 'NO_SUCH_BUCKET',
      says: 'destination bucket "nowhere"',
      planned: true,
    },
    {
      it: `${command} to no such bucket, with --dry-run`,
      command: `${command} s3://src/tree/ s3://nowhere/new/ --dry-run`,
      exit: 3,
      code: 'NO_SUCH_BUCKET',
      says: 'destination bucket "nowhere"',
      planned: true,
    },
    {
      it: `${command} from where nothing listens`,
      command: `${command} s3://src/tree/ s3://dst/new/ --source-endpoint-url http://{closed} --retries 1`,
      exit: 1,
      code: 'STORE_UNREACHABLE',
      says: 'source',
      planned: true,
    },
    {
      it: `${command} with a wrong key`,
      command: `${command} s3://src/tree/ s3://dst/new/`,
      env: { XFER_SOURCE_ACCESS_KEY_ID: 'nobody' },
      exit: 4,
      code: 'CREDENTIALS_REFUSED',
      says: 'source',
      planned: true,
    },
  ]),
  {
    it: 'a prefix to a bucket that may only be read',
    command: COPY,
    env: { XFER_DEST_ACCESS_KEY_ID: 'reader-key-id', XFER_DEST_SECRET_ACCESS_KEY: 'reader-SECRET-x9' },
    exit: 1,
    code: 'OBJECTS_FAILED',
    says: '2 of 2 objects could not be copied',
    planned: true,
    ended: true,
  },
  usage('a chunk of nothing for a prefix', `${SYNC} --chunk 0`, { says: '--chunk "0" is not a size' }),
  usage('an unknown route for a prefix', `${COPY} --route pigeon`, { says: '--route "pigeon" is unknown' }),
]
