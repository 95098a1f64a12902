'use strict'

/**
 * What people type who know other tools, and what they get instead: options and commands of the AWS CLI, rclone, s5cmd, mc and
 * azcopy. Loaded only after a command line failed. A hint is one sentence. Every option in it is one of the command that was
 * typed, or of the command whose name stands before it (`xfer sync --delete`): test/cli/hints.test.js holds that.
 *
 * @typedef {object} Hint
 * @property {string[]} of the commands for which it is
 * @property {string} hint
 *
 * @typedef {object} Row
 * @property {string[]} typed
 * @property {Array<string | Hint>} hints the first that fits the command; a text fits if the command has its options
 */

const SYNC = ['sync']
const NEWER = 'the destination lacks it, or has it with another size or older'
const BY_ITSELF = "the copy gets the source's metadata, tags and storage class by itself"

/** @type {Row[]} */
const OPTIONS = [
  // --- sides and credentials
  {
    typed: ['--profile', '--s3-profile'],
    hints: [
      'Name the side: --source-profile NAME or --dest-profile NAME, or write its location as s3://NAME@bucket/key.',
      'Use --dest-profile NAME.',
    ],
  },
  {
    typed: ['--endpoint-url', '--endpoint', '--s3-endpoint', '--host'],
    hints: ['Name the side: --source-endpoint-url URL or --dest-endpoint-url URL.', 'Use --dest-endpoint-url URL.'],
  },
  {
    typed: ['--region', '--s3-region'],
    hints: ['Name the side: --source-region REGION or --dest-region REGION.', 'Use --dest-region REGION.'],
  },
  {
    typed: ['--no-sign-request', '--anonymous', '--s3-anonymous'],
    hints: ['Use --source-no-sign-request, which reads the source without credentials.'],
  },
  { typed: ['--destination-region'], hints: ['Use --dest-region REGION.'] },
  {
    typed: ['--no-verify-ssl', '--insecure', '--no-check-certificate'],
    hints: ['Certificates are always checked: --ca-bundle FILE trusts those of a private authority.'],
  },
  {
    typed: [
      ...['--access-key-id', '--secret-access-key', '--access-key', '--secret-key', '--session-token'],
      ...['--s3-access-key-id', '--s3-secret-access-key', '--aws-access-key-id', '--aws-secret-access-key'],
    ],
    hints: [
      'Keys are no options, because others could read them in the list of processes: use a profile, or set XFER_SOURCE_ACCESS_KEY_ID, XFER_SOURCE_SECRET_ACCESS_KEY and the same with XFER_DEST.',
    ],
  },
  {
    typed: ['--config', '--config-file', '--conf'],
    hints: ['Leave it out: xfer reads the profiles of the AWS CLI, whose files AWS_CONFIG_FILE can name.'],
  },

  // --- speed
  {
    typed: [
      ...[
        '--transfers',
        '--checkers',
        '--multi-thread-streams',
        '--numworkers',
        '--workers',
        '--parallel',
        '--threads',
      ],
      ...['--max-concurrent-requests', '--upload-concurrency', '--s3-upload-concurrency', '--max-workers', '-j'],
    ],
    hints: ['Use --concurrency N: the maximum number of invocations at a time, each of which copies a part.'],
  },
  {
    typed: ['-c'],
    hints: ['Use --concurrency N for what -c is in s5cmd, or xfer sync --checksum for what it is in rclone.'],
  },
  {
    typed: [
      ...['--part-size', '-p', '--s3-chunk-size', '--block-size-mb', '--block-size', '--multipart-chunksize'],
      ...['--chunk-size', '--multi-thread-chunk-size', '--multipart-chunk-size-mb'],
    ],
    hints: ['Use --chunk SIZE: the size of a part, in MiB or with a unit such as 8M.'],
  },
  {
    typed: ['--bwlimit', '--limit-upload', '--limit-download', '--max-bandwidth', '--cap-mbps'],
    hints: ['Use --bandwidth RATE, in bytes per second and not in bits, such as 10M.'],
  },
  { typed: ['--low-level-retries', '--retry-count', '--max-retries'], hints: ['Use --retries N.'] },
  {
    typed: ['--contimeout', '--cli-read-timeout', '--cli-connect-timeout', '--read-timeout', '--connect-timeout'],
    hints: ['Use --io-timeout SECONDS: how long a store, a function or the platform may be silent.'],
  },
  {
    typed: ['--max-duration'],
    hints: ['Use --timeout DURATION, such as 45m: what was copied by then can be resumed.'],
  },

  // --- which objects
  {
    typed: ['--recurse', '--recursive', '-r', '-R'],
    hints: [
      { of: SYNC, hint: 'Leave it out: xfer sync always takes everything below the prefix.' },
      {
        of: ['verify'],
        hint: 'To compare everything below two prefixes use xfer sync --dry-run --checksum, which writes nothing.',
      },
      'Use -r, or --recursive.',
    ],
  },
  {
    typed: ['--version-id', '--source-version-id'],
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
    typed: ['--ignore-times', '-I'],
    hints: [{ of: SYNC, hint: 'Use xfer copy -r, which copies everything, whatever the destination has.' }],
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
      'Leave it out: objects are replaced, unless you give --no-clobber.',
    ],
  },
  {
    typed: ['--force', '-f', '--yes', '-y', '--no-confirm'],
    hints: [
      { of: ['clean'], hint: 'Use --yes, which aborts the uploads that are listed.' },
      { of: ['copy', 'sync', 'resume', 'verify', 'abort', 'deploy'], hint: 'Leave it out: xfer asks no questions.' },
    ],
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
  { typed: ['--exclude-pattern', '--exclude-path', '--exclude-regex'], hints: ['Use --exclude PATTERN.'] },
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

  // --- attributes and proof
  {
    typed: ['--acl', '--grants', '--s3-acl', '--canned-acl'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: no ACL is set, and the copy gets that of its bucket.' }],
  },
  { typed: ['--s3-storage-class', '--access-tier'], hints: ['Use --storage-class NAME.'] },
  { typed: ['--s3-server-side-encryption', '--server-side-encryption'], hints: ['Use --sse KIND.'] },
  { typed: ['--s3-sse-kms-key-id', '--enc-kms'], hints: ['Use --sse aws:kms --sse-kms-key-id ID.'] },
  {
    typed: ['--sse-c', '--sse-c-key', '--sse-c-copy-source', '--sse-c-copy-source-key', '--enc-c'],
    hints: ['Use --source-sse-c-key-file FILE or --dest-sse-c-key-file FILE.'],
  },
  {
    typed: ['--attr', '--header-upload', '--metadata-mapper'],
    hints: ['Use --metadata-set NAME=VALUE, or for a content header its own option, such as --content-type TYPE.'],
  },
  { typed: ['--metadata-directive'], hints: ['Use --metadata copy or --metadata replace.'] },
  { typed: ['--tagging', '--tagging-directive', '--copy-props'], hints: ['Use --tags copy or --tags none.'] },
  {
    typed: ['--preserve', '-a', '-M', '--s2s-preserve-properties', '--s2s-preserve-blob-tags'],
    hints: [{ of: ['copy', 'sync'], hint: `Leave it out: ${BY_ITSELF}.` }],
  },
  {
    typed: ['--preserve-last-modified-time', '--preserve-times'],
    hints: ['Use --mtime, which keeps the modification time in the metadata, as rclone does.'],
  },
  {
    typed: ['--put-md5', '--check-md5', '--md5', '--check-length', '--checksum-algorithm'],
    hints: ['Leave it out: every copy is proved, and --verify full also reads both sides again.'],
  },

  // --- output
  {
    typed: ['--only-show-errors', '--silent'],
    hints: ['Use --quiet, which prints errors only.'],
  },
  {
    typed: ['--stats', '--stats-one-line'],
    hints: ['Use --progress, or --json, whose progress events have the numbers.'],
  },
  { typed: ['--output', '-o', '--output-type'], hints: ['Use --json, which prints one event on each line.'] },
  {
    typed: ['--log-level', '--log-file', '--log', '--output-level'],
    hints: [
      'Use --verbose for a line about each object, --json for every event, or --debug for the stack traces of errors.',
    ],
  },
]

const NO_FILES = 'xfer copies between S3-compatible stores'
const COMPARE =
  'Use xfer verify SRC DEST for two objects, or xfer sync --dry-run --checksum SRC DEST for everything below two prefixes.'
const SHOW = 'Use xfer copy --dry-run SRC DEST to see the size of an object, or aws s3api head-object for the rest.'

/**
 * Commands of other tools. `instead`: xfer's command that takes the same words; `strip`: the command is the next word.
 *
 * @type {Array<{ typed: string[], instead?: string, strip?: boolean, hint?: string }>}
 */
const COMMANDS = [
  { typed: ['copyto', 'copyfile', 'transfer'], instead: 'copy' },
  { typed: ['mirror', 'clone'], instead: 'sync' },
  {
    typed: ['ls', 'list', 'll', 'dir', 'lsd', 'lsl', 'lsf', 'lsjson', 'tree', 'find'],
    hint: 'Use aws s3 ls or rclone lsf to list objects: xfer sync --dry-run SRC DEST lists what it would copy, and xfer jobs unfinished copies.',
  },
  {
    typed: ['rm', 'remove', 'delete', 'del', 'deletefile', 'purge', 'undo'],
    hint: 'Use aws s3 rm or rclone delete to remove objects: xfer sync --delete SRC DEST removes what the source does not have, and xfer clean DEST unfinished uploads.',
  },
  {
    typed: ['mv', 'move', 'moveto', 'rename'],
    hint: 'Use xfer copy, and when the copy is proved, remove the source with aws s3 rm.',
  },
  { typed: ['mb', 'mkdir', 'make'], hint: 'Use aws s3 mb to create a bucket, which xfer does not do.' },
  { typed: ['rb', 'rmdir'], hint: 'Use aws s3 rb to remove a bucket, which xfer does not do.' },
  { typed: ['cat', 'head', 'pipe', 'rcat', 'tee'], hint: `Use aws s3 cp for standard input and output: ${NO_FILES}.` },
  { typed: ['put', 'get', 'upload', 'download'], hint: `Use aws s3 cp for files: ${NO_FILES}.` },
  {
    typed: ['du', 'size', 'ncdu', 'df'],
    hint: 'Use rclone size or aws s3 ls to add up sizes, which xfer does not do.',
  },
  { typed: ['stat', 'info', 'show', 'about'], hint: SHOW },
  { typed: ['check', 'cryptcheck', 'checksum', 'diff', 'compare', 'cmp'], hint: COMPARE },
  {
    typed: ['login', 'logout', 'config', 'configure', 'remote', 'alias', 'profile'],
    hint: 'Use aws configure: xfer reads the profiles of the AWS CLI, as in s3://PROFILE@bucket/key, and xfer doctor SRC DEST checks them.',
  },
  { typed: ['ping', 'ready', 'test', 'doc'], hint: 'Use xfer doctor SRC DEST, which checks all that a copy needs.' },
  { typed: ['presign', 'share', 'link', 'sign'], hint: 'Use aws s3 presign: xfer makes no signed URLs.' },
  { typed: ['bench', 'benchmark'], hint: 'Use xfer copy --json SRC DEST, whose last line has the rate of the copy.' },
  {
    typed: ['run', 'batch'],
    hint: 'Use a shell script, or xfer copy -r --files-from FILE SRC DEST for many names below one prefix.',
  },
  { typed: ['completions', 'complete', 'autocomplete'], instead: 'completion' },
  { typed: ['status', 'progress', 'ps'], hint: 'Use xfer jobs, which lists unfinished copies.' },
  { typed: ['continue', 'retry', 'restart'], hint: 'Use xfer resume JOB: xfer jobs lists the jobs.' },
  { typed: ['cancel', 'stop', 'kill'], hint: 'Use xfer abort JOB, which removes the parts of an unfinished copy.' },
  { typed: ['cleanup'], hint: 'Use xfer clean DEST, which lists unfinished uploads.' },
  { typed: ['undeploy', 'uninstall'], hint: 'Use xfer deploy --undeploy, which removes the function.' },
  { typed: ['install', 'setup', 'init'], hint: 'Use xfer deploy, which deploys the function that copies.' },
  { typed: ['s3', 's3api', 'xfer'], strip: true, hint: 'Leave it out: the commands are xfer copy and xfer sync.' },
]

/** What people write behind `xfer jobs`. @type {Record<string, string>} */
const OF_JOBS = {
  list: 'Use xfer jobs alone, which lists unfinished copies.',
  ls: 'Use xfer jobs alone, which lists unfinished copies.',
  show: 'Use xfer jobs alone, which says how far each copy is.',
  resume: 'Use xfer resume JOB.',
  remove: 'Use xfer abort JOB, which also removes the parts of the copy.',
  rm: 'Use xfer abort JOB, which also removes the parts of the copy.',
  clean: 'Use xfer abort JOB for each: it also removes the parts of the copy.',
}

module.exports = { COMMANDS, OF_JOBS, OPTIONS }
