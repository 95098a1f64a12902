'use strict'

/** Foreign options about which objects are copied, and when one is replaced or deleted. */

const SYNC = ['sync']
const NEWER = 'the destination lacks it, or has it with another size or older'

/** @type {import('./index').Row[]} */
module.exports = [
  // --- which objects
  {
    typed: ['--recurse', '--recursive', '-r', '-R'],
    hints: [
      { of: SYNC, hint: 'Leave it out: xfer sync always takes everything below the prefix.' },
      'Use -r, or --recursive.',
    ],
  },
  {
    typed: ['--version-id', '--source-version-id', '--vid', '--list-of-versions'],
    hints: [
      {
        of: SYNC,
        hint: 'Copy each object of which you want a version by itself, with xfer copy SRC DEST --version-id ID.',
      },
      'Use --version-id ID.',
    ],
  },
  {
    typed: ['-n'],
    hints: [
      {
        of: SYNC,
        hint: 'Use --dry-run to see what would be done, or --no-clobber to leave objects alone that the destination has.',
      },
      'Use --dry-run to see what would be done, or --no-clobber to fail if the destination exists (with -r: to leave it alone).',
      { of: ['clean'], hint: 'Leave it out: without --yes nothing is aborted.' },
    ],
  },
  {
    typed: ['--dry-run', '--dryrun', '--dry_run', '--just-print', '--fake'],
    hints: [
      'Use --dry-run, which prints what would be done.',
      { of: ['clean'], hint: 'Leave it out: without --yes nothing is aborted.' },
    ],
  },
  {
    typed: ['--update', '-u', '--if-source-newer', '--newer', '--exact-timestamps'],
    hints: [
      { of: SYNC, hint: `Leave it out: xfer sync copies an object only if ${NEWER}.` },
      { of: ['copy'], hint: `Use xfer sync, which copies an object only if ${NEWER}.` },
    ],
  },
  {
    typed: ['--if-size-differ', '-s'],
    hints: [
      'Use --size-only, which takes objects of equal size for equal.',
      { of: ['copy'], hint: 'Use xfer sync --size-only, which copies objects that are missing or of another size.' },
    ],
  },
  {
    typed: ['--ignore-times', '-I', '--mirror-mode'],
    hints: [
      { of: ['copy'], hint: 'Leave it out: xfer copy -r copies everything, whatever the destination has.' },
      { of: SYNC, hint: 'Use xfer copy -r, which copies everything, whatever the destination has.' },
    ],
  },
  {
    typed: ['--immutable', '--no-overwrite', '--skip-existing'],
    hints: [
      { of: SYNC, hint: 'Use --no-clobber, which leaves objects alone that the destination has.' },
      'Use --no-clobber, which fails if the destination exists, and with -r leaves objects alone that it has.',
    ],
  },
  {
    typed: ['--overwrite'],
    hints: [
      { of: SYNC, hint: 'Leave it out: objects that differ are replaced, unless you give --no-clobber.' },
      'Leave it out: objects are replaced, unless you give --no-clobber, and xfer sync replaces only what differs.',
    ],
  },
  {
    typed: ['--force', '-f', '--yes', '-y', '--no-confirm'],
    hints: [
      { of: ['clean'], hint: 'Use --yes, which aborts the uploads that are listed.' },
      { of: ['rm'], hint: 'Use --yes, which deletes without asking.' },
      { of: ['copy', 'sync', 'resume', 'verify', 'abort', 'deploy'], hint: 'Leave it out: xfer asks no questions.' },
    ],
  },
  { typed: ['--incomplete', '-I'], hints: [{ of: ['rm'], hint: 'Use xfer clean, which aborts unfinished uploads.' }] },
  {
    typed: ['--versions', '--all-versions', '--include-versions'],
    hints: [{ of: ['rm'], hint: 'Name the version with --version-id ID: one command deletes one version.' }],
  },
  { typed: ['--interactive', '-i', '--confirm'], hints: ['Use --dry-run to see what would be done.'] },
  {
    typed: [
      ...['--delete', '--delete-during', '--delete-after', '--delete-before', '--delete-destination', '--remove'],
      ...['--delete-removed', '--del'],
    ],
    hints: [
      'Use --delete, which deletes what the source does not have, after everything is copied.',
      {
        of: ['copy'],
        hint: 'Use xfer sync --delete, which deletes what the source does not have, after everything is copied.',
      },
    ],
  },
  {
    typed: ['--delete-excluded'],
    hints: [{ of: SYNC, hint: 'Leave it out: what filters leave out is neither copied nor deleted.' }],
  },
  {
    typed: ['--exclude-from', '--include-from', '--filter', '--filter-from'],
    hints: ['Repeat --exclude PATTERN and --include PATTERN: the last one that matches a name decides.'],
  },
  {
    typed: ['--include-pattern', '--include-path', '--include-regex'],
    hints: ["Use --exclude '*' --include PATTERN, to copy only what matches."],
  },
  {
    typed: ['--exclude-pattern', '--exclude-path', '--exclude-regex'],
    hints: ["Repeat --exclude with each pattern, which is a glob for the whole name: --exclude 'tmp/*' for a folder."],
  },
  {
    typed: ['--files-from-raw', '--list-of-files', '--include-file'],
    hints: ['Use --files-from FILE, with one name on each line.'],
  },
  {
    typed: ['--max-age', '--include-after'],
    hints: ['Use --newer-than AGE, such as 7d: only objects that are not older.'],
  },
  {
    typed: ['--min-age', '--include-before'],
    hints: ['Use --older-than AGE, such as 7d: only objects that are not newer.'],
  },
  { typed: ['--raw'], hints: ['Leave it out: every key is taken as it is written.'] },
  {
    typed: ['--no-traverse', '--no-check-dest'],
    hints: [{ of: ['copy'], hint: 'Leave it out: xfer copy -r does not list the destination.' }],
  },
  { typed: ['--fast-list'], hints: ['Leave it out: both sides are listed in large pages, in ranges at once.'] },
  { typed: ['--watch', '-w'], hints: ['Leave it out: repeat xfer sync, for example from cron.'] },
  { typed: ['--expected-size'], hints: ['Leave it out: the store tells the size.'] },
  {
    typed: ['--exit-on-error', '--error-on-no-transfer'],
    hints: ['Use --max-errors 0, which starts nothing more after the first failure.'],
  },
  {
    typed: ['--skip-errors', '--ignore-errors'],
    hints: [
      { of: ['copy', 'sync'], hint: 'Leave it out: an object that fails stops no other, and nothing is deleted then.' },
    ],
  },
  { typed: ['--compare-hash'], hints: ['Use --checksum, which compares checksums and ETags.'] },
  {
    typed: ['--flatten', '--as-subdir', '--create-empty-src-dirs'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: names stay as they are below the prefix.' }],
  },
  {
    typed: ['--from-to'],
    hints: ['Leave it out: the locations say it, as in s3://PROFILE@bucket/key and az://ACCOUNT/container/key.'],
  },
  {
    typed: ['--backup-dir', '--suffix'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: versions of the bucket keep what is replaced or deleted.' }],
  },
  {
    typed: ['--rewind', '--s3-version-at', '--s3-versions'],
    hints: ['Use --version-id ID, which copies one version of one object.'],
  },
  {
    typed: ['--force-glacier-transfer', '--ignore-glacier-warnings'],
    hints: [
      { of: ['copy', 'sync'], hint: 'Leave it out: archived objects must be restored before they can be copied.' },
    ],
  },
]
