'use strict'

/** What people type who know the AWS CLI, rclone, s5cmd, mc or azcopy: each answer names what they want, or who has it. */

const OBJECTS = 's3://src/object s3://dst/new'
const PREFIXES = 's3://src/tree/ s3://dst/new/'

const SIGNED = 'https://user:hunter2@minio.example:9000/bkt/key?X-Amz-Signature=hunter2&x=1'

/** @param {string | string[]} command @param {string} advises @param {object} [more] */
const usage = (command, advises, more) => ({
  it: [command].flat().join(' '),
  command,
  exit: 2,
  code: 'USAGE',
  advises,
  ...more,
})

/** @param {string} option @param {string} advises @param {object} [more] */
const ofCopy = (option, advises, more) => usage(`copy ${OBJECTS} ${option}`, advises, more)

/** @param {string} option @param {string} advises */
const ofSync = (option, advises) => usage(`sync ${PREFIXES} ${option}`, advises)

/** @param {string} location @param {string} advises @param {object} [more] */
const source = (location, advises, more) =>
  usage(['copy', location, 's3://dst/new'], advises, { code: 'UNKNOWN_SCHEME', ...more })

/** A path where nothing is. @param {string} location @param {string} advises */
const missing = (location, advises) =>
  usage(['copy', location, 's3://dst/new'], advises, { code: 'NO_SUCH_KEY', exit: 3, says: 'There is no source file' })

/** @param {string} location @param {string} advises */
const destination = (location, advises) =>
  usage(['copy', 's3://src/object', location], advises, {
    code: /^https?:/.test(location) ? 'BAD_LOCATION' : 'UNKNOWN_SCHEME',
  })

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- prefixes without -r
  usage('cp s3://src s3://dst/new', 'everything in it: xfer copy -r s3://src s3://dst/new', { code: 'BAD_LOCATION' }),
  usage('copy s3://src/tree/ s3://dst/', 'everything below it: xfer copy -r s3://src/tree/ s3://dst/', {
    code: 'BAD_LOCATION',
  }),
  usage('copy s3://src/ s3://dst/all/ --chunk 8M --no-clobber', '--chunk 8M --no-clobber', {
    code: 'BAD_LOCATION',
  }),
  ...['tree', 'tree/'].map(key => ({
    it: `a prefix as the key ${key}`,
    command: `copy s3://src/${key} s3://dst/new --retries=2`,
    exit: 3,
    code: 'NO_SUCH_KEY',
    advises: `Perhaps you mean everything below it: xfer copy -r s3://src/${key} s3://dst/new`,
  })),
  usage('verify s3://src s3://dst', 'xfer verify -r s3://src s3://dst', {
    code: 'BAD_LOCATION',
  }),
  {
    it: 'a prefix to verify',
    command: 'verify s3://src/tree s3://dst/existing --read --dest-addressing path',
    exit: 3,
    code: 'NO_SUCH_KEY',
    advises: 'xfer verify -r s3://src/tree s3://dst/existing --read --dest-addressing path',
  },

  // --- wildcards
  ...[
    ['*.jpg', "xfer copy -r s3://src/ s3://dst/new --exclude '*' --include '*.jpg'"],
    ['tree/*', 'xfer copy -r s3://src/tree/ s3://dst/new'],
    ['tree/?.jpg', "xfer copy -r s3://src/tree/ s3://dst/new --exclude '*' --include '?.jpg'"],
    ['tr*/[ab]', "xfer copy -r s3://src/ s3://dst/new --exclude '*' --include 'tr*/[ab]'"],
  ].map(([key, advises]) => ({
    it: `a key with a wildcard, ${key}`,
    command: `copy s3://src/${key} s3://dst/new`,
    exit: 3,
    code: 'NO_SUCH_KEY',
    advises,
  })),
  {
    it: 'a prefix with a wildcard',
    command: 'copy -r s3://src/tree/*.jpg s3://dst/new --chunk 8',
    exit: 3,
    code: 'SOURCE_EMPTY',
    advises: "xfer copy -r s3://src/tree/ s3://dst/new --exclude '*' --include '*.jpg'",
    planned: true,
  },

  // --- words before the command, and words of other tools
  usage('-r copy s3://src/tree/ s3://dst/new/', 'Put it behind the command: xfer copy s3://src/tree/ s3://dst/new/ -r'),
  usage(`--chunk 5 cp ${OBJECTS}`, `Put it behind the command: xfer cp ${OBJECTS} --chunk 5`),
  usage(`--profile x copy ${OBJECTS}`, '--source-profile NAME or --dest-profile NAME'),
  usage('-v', 'xfer --version', { json: ['--json', '-v'] }),
  usage(`s3 cp ${OBJECTS}`, `Leave out "s3": xfer cp ${OBJECTS}`),
  usage(`s3 sync ${PREFIXES} --delete`, `xfer sync ${PREFIXES} --delete`),
  usage(`s3 sync ${PREFIXES} --secret-key hunter2`, 'Leave out "s3"; for --secret-key, keys are no options'),
  usage('s3 ls s3://src', 'Leave out "s3": xfer ls s3://src'),
  usage(`s3 --profile x cp ${OBJECTS} --dryrun`, 'Leave out "s3"; for --profile, name the side: --source-profile NAME'),
  usage(`s3 cp ${OBJECTS} --acl x --dryrun`, '; for --acl, leave it out: no ACL is set', {
    it: 's3 cp --acl --dryrun: the first of two',
  }),
  usage(`s3 cp ${OBJECTS} --acl x --dryrun`, '; for --dryrun, use --dry-run, which prints what would be done.', {
    it: 's3 cp --acl --dryrun: the second',
  }),
  usage('s3 cp s3://src/object -', 'Leave out "s3"'),
  usage('mirror --remove a/src b/dst', '; for --remove, use --delete, which deletes'),
  usage(
    'mirror a/src b/dst',
    'Perhaps you mean sync; if "a" and "b" are profiles of the AWS CLI, and no folders: xfer sync s3://a@src s3://b@dst',
  ),
  usage(`move ${OBJECTS}`, `Perhaps you mean mv: xfer mv ${OBJECTS}`),
  usage(`COPYTO ${OBJECTS}`, `Perhaps you mean copy: xfer copy ${OBJECTS}`),
  usage(`mirror ${PREFIXES}`, `Perhaps you mean sync: xfer sync ${PREFIXES}`),
  usage(`Copy ${OBJECTS}`, `Write it in lower case: xfer copy ${OBJECTS}`),
  ...[
    ['lsf', 'Perhaps you mean ls: xfer ls s3://src/object'],
    ['remove', 'Perhaps you mean rm'],
    ['purge', 'xfer rm -r'],
    ['mkdir', 'Perhaps you mean mb: xfer mb s3://src/object'],
    ['rb', 'aws s3 rb'],
    ['size', 'Perhaps you mean du: xfer du s3://src/object'],
    ['stat', 'Perhaps you mean head: xfer head s3://src/object'],
    ['info', 'Perhaps you mean head: xfer head s3://src/object'],
    ['check', 'xfer verify SRC DEST'],
    ['cryptcheck', 'xfer verify SRC DEST'],
    ['login', 'aws configure'],
    ['config', 'aws configure'],
    ['remote', 'aws configure'],
    ['share', 'Perhaps you mean presign: xfer presign s3://src/object'],
    ['ping', 'xfer doctor SRC DEST'],
    ['list', 'Perhaps you mean ls: xfer ls s3://src/object'],
    ['bench', 'xfer copy --json'],
    ['run', 'a shell script'],
    ['undeploy', 'xfer deploy --undeploy'],
    ['mount', 'rclone mount'],
    ['bisync', 'rclone bisync'],
    ['hashsum', 'xfer verify SRC DEST'],
    ['listremotes', 'aws configure'],
    ['ilm', 'aws s3api or mc'],
  ].map(([command, advises]) => usage(`${command} s3://src/object`, advises)),
  usage(OBJECTS, `Name the command: xfer copy ${OBJECTS}`),
  usage('ls', 's3:// lists the buckets'),
  usage('ls s3://src s3://dst', 'xfer ls takes one location, and no wildcard: repeat it for each.'),
  usage('ls s3://src --human-readable', 'Use --human'),
  usage('ls s3://src --summarize', 'Use xfer du'),
  usage(
    'head s3://src/object --profile x',
    'Use --source-profile NAME, or write the location as s3://NAME@bucket/key.',
  ),
  usage('presign s3://src/object --expires-in 60', '--expires'),
  usage('mb s3://new --profile x', 'Use --dest-profile NAME.'),
  usage('help rb', 'aws s3 rb', { json: ['help', '--json', 'rb'] }),
  usage('help copy --chunk 8', 'Run xfer --help'),
  usage('jobs list', 'xfer jobs alone'),
  usage('jobs resume {state}', 'xfer resume JOB'),

  // --- passwords and signatures in the wrong place
  usage(SIGNED, 'Run xfer --help'),
  usage(['help', SIGNED], 'Run xfer --help', { json: ['help', '--json', SIGNED] }),
  usage(`copyto ${OBJECTS} --dest-endpoint-url=${SIGNED}`, '--dest-endpoint-url=https://minio.example:9000/bkt/key'),
  usage(
    `--source-endpoint-url=${SIGNED} copy ${OBJECTS}`,
    `xfer copy ${OBJECTS} --source-endpoint-url=https://minio.example:9000/bkt/key`,
  ),
  usage('copy user:hunter2@minio.example/bkt/key', 'as in xfer copy minio.example/bkt/key s3://bucket/key'),
  usage('copy bkt.s3.amazonaws.com/key?X-Amz-Signature=hunter2', 'as in xfer copy bkt.s3.amazonaws.com/key s3://'),
  ...['resume', 'abort'].map(command =>
    usage(`${command} ${SIGNED}`, 'xfer jobs', {
      exit: 3,
      code: 'NO_SUCH_JOB',
      says: 'job "https://minio.example:9000/bkt/key"',
    }),
  ),
  ...['--chunk', '--bandwidth', '--engine', '--sse', '--source-region', '--ca-bundle'].map(option =>
    usage(`copy ${OBJECTS} ${option} ${SIGNED}`, '', { says: 'https://minio.example:9000/bkt/key' }),
  ),
  usage(`copy ${OBJECTS} --chunk ${SIGNED} --debug`, '', { says: 'https://minio.example:9000/bkt/key', debug: true }),

  // --- dry runs and no clobbering
  ofCopy('-n', '--dry-run to see what would be done, or --no-clobber to fail'),
  ofSync('-n', '--dry-run to see what would be done, or --no-clobber to leave'),
  ofCopy('-nr', '--dry-run to see what would be done, or --no-clobber to fail'),
  ofCopy('-rn', '--dry-run to see what would be done, or --no-clobber to fail'),
  ...['--dryrun', '--dry_run'].map(option => ofCopy(option, 'Use --dry-run')),
  ...['--dryrun', '--dry-run'].map(option => usage(`clean s3://dst ${option}`, 'without --yes')),

  // --- options of other tools
  ofCopy('-n --transfers 8 --bwlimit 8M', '; for --bwlimit, use --bandwidth RATE'),
  ...[
    ['--profile x', '--source-profile NAME or --dest-profile NAME'],
    ['--endpoint-url http://x', '--source-endpoint-url URL'],
    ['--region x', '--source-region REGION'],
    ['--no-sign-request', '--source-no-sign-request'],
    ['--insecure', '--ca-bundle FILE'],
    ['--access-key-id hunter2', 'XFER_SOURCE_ACCESS_KEY_ID'],
    ['--transfers=8', '--concurrency N'],
    ['--checkers 8', '--concurrency N'],
    ['--multi-thread-streams 8', '--concurrency N'],
    ['--numworkers 8', '--concurrency N'],
    ['-c 8', '--concurrency N'],
    ['-p 8', '--chunk SIZE'],
    ['--part-size 8', '--chunk SIZE'],
    ['--s3-chunk-size 8M', '--chunk SIZE'],
    ['--block-size-mb 8', '--chunk SIZE'],
    ['--bwlimit 8M', '--bandwidth RATE'],
    ['--limit-upload 8M', '--bandwidth RATE'],
    ['--cap-mbps 8', '--bandwidth RATE'],
    ['--size-only', 'xfer sync'],
    ['--exact-timestamps', 'Use xfer sync'],
    ['--if-size-differ', 'xfer sync --size-only'],
    ['--if-source-newer', 'Use xfer sync'],
    ['--update', 'Use xfer sync'],
    ['-u', 'Use xfer sync'],
    ['--immutable', '--no-clobber'],
    ['--overwrite', '--no-clobber'],
    ['--acl private', 'no ACL is set'],
    ['--grants x', 'no ACL is set'],
    ['--exclude-from x', 'Repeat --exclude PATTERN'],
    ['--filter x', 'Repeat --exclude PATTERN'],
    ['--include-pattern x', "--exclude '*' --include PATTERN"],
    ['--max-age 7d', '--newer-than AGE'],
    ['--min-age 7d', '--older-than AGE'],
    ['--log-level INFO', '--debug'],
    ['--log-file x', '--json'],
    ['--stats 1s', '--json'],
    ['--attr a=b', '--metadata-set NAME=VALUE'],
    ['--remove', 'xfer sync --delete'],
    ['--delete-after', 'xfer sync --delete'],
    ['--force', 'xfer asks no questions'],
    ['-f', 'xfer asks no questions'],
    ['--yes', 'xfer asks no questions'],
    ['--only-show-errors', '--quiet'],
    ['--recurse', 'Use -r, or --recursive'],
    ['--raw', 'as it is written'],
    ['--recursive=true', 'Write --recursive without a value'],
    ['-recursive', 'Write it with two dashes: --recursive'],
    ['-sp', 'Use --progress'],
    ['--exit-on-error', '--max-errors 0'],
    ['--block-blob-tier Cool', '--storage-class NAME'],
    ['--sas-token hunter2', 'set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN'],
    ['--disable-multipart', '--chunk SIZE'],
    ['--retention-mode governance', 'no object lock is set'],
    ['--flatten', 'names stay'],
    ['--metadata team=blue', '--metadata-set NAME=VALUE'],
    ['--tags team=blue', 'no other tags than those of the source'],
    ['--sse', '--sse AES256'],
    ['-profile x', '--source-profile NAME'],
  ].map(([option, advises]) => ofCopy(option, advises)),
  ...[
    ['--update', 'Leave it out'],
    ['--mirror-mode', 'xfer copy -r'],
    ['--compare-hash=MD5', '--checksum'],
    ['--exclude-path=tmp;cache', "--exclude 'tmp/*' for a folder"],
    ['--log-file=x', 'Redirect the output'],
    ['--delete-during', 'Use --delete,'],
    ['--recursive', 'Leave it out'],
    ['--immutable', 'Use --no-clobber, which leaves'],
    ['--version-id', 'by itself, with xfer copy'],
    ['--exact-key', '--exact-key is an option of xfer copy, xfer verify and xfer mv'],
  ].map(([option, advises]) => ofSync(option, advises)),
  usage('clean s3://dst --profile x', 'Use --dest-profile NAME'),
  usage('clean s3://dst --force', 'Use --yes'),
  usage(`verify ${OBJECTS} --verify full`, 'Use --read, which reads both'),
  usage(`verify ${OBJECTS} --full`, 'Use --read, which reads both'),
  usage('jobs --transfers 8', 'Run xfer jobs --help'),

  // --- too many words, and too few
  usage(`copy ${OBJECTS} s3://dst/more`, 'one source and one destination'),
  usage(`copy -r ${PREFIXES} --include a.jpg b.jpg`, "in quotes, such as '*.jpg'"),
  usage(`copy ${OBJECTS} --request-payer requester`, 'gave --request-payer a value'),
  usage(
    'copy s3://src/other',
    'Name the destination behind the source, as in xfer copy s3://src/other s3://bucket/key',
  ),
  usage('copy s3://key-id:hunter2@src/other', 'as in xfer copy s3://src/other s3://bucket/key'),

  // --- locations
  source('az://container/file.bin', 'Write it as az://account/container/key', { code: 'BAD_LOCATION' }),
  destination('https://acc.blob.core.windows.net/con/a%20b', "Write it as 'az://acc/con/a b'."),
  destination(
    'https://acc.blob.core.windows.net/con/x?sv=1&sp=r&sig=hunter2',
    'Write it as az://acc/con/x, and put its SAS, which stands behind the question mark, into XFER_DEST_AZURE_STORAGE_SAS_TOKEN',
  ),
  destination(
    'https://acc.z12.blob.storage.azure.net/con/x',
    'az://acc/con/x with --dest-endpoint-url https://acc.z12.blob.storage.azure.net',
  ),
  destination(
    'https://acc.blob.core.usgovcloudapi.net/con/x',
    'az://acc/con/x with --dest-endpoint-url https://acc.blob.core.usgovcloudapi.net',
  ),
  destination(
    'https://acc.blob.core.chinacloudapi.cn/con/x',
    'az://acc/con/x with --dest-endpoint-url https://acc.blob.core.chinacloudapi.cn',
  ),
  destination('https://acc.dfs.core.windows.net/con/x', 'Write it as az://acc/con/x.'),
  destination(
    'http://127.0.0.1:10000/devstoreaccount1/con/x',
    'az://devstoreaccount1/con/x with --dest-endpoint-url http://127.0.0.1:10000',
  ),
  source('abfss://con@acc.dfs.core.windows.net/a/b', 'Write it as az://acc/con/a/b.'),
  source('wasbs://con@acc.blob.core.windows.net/a/b', 'Write it as az://acc/con/a/b.'),
  source('azure://acc/con/a', 'Write it as az://acc/con/a.'),
  source('azblob://con/a', 'Write it as az://ACCOUNT/con/a.'),
  source('azureblob:con/a', 'Write it as az://ACCOUNT/con/a.'),
  source('az:acc/con/a', 'Write it as az://acc/con/a.'),
  source('az:///acc/con/a', 'Write it as az://acc/con/a.', { code: 'BAD_LOCATION' }),
  source('az://acc.blob.core.windows.net/con/a', 'Write it as az://acc/con/a.', { code: 'BAD_LOCATION' }),
  source(
    'az://acc/con/a?sv=1&sig=hunter2',
    'Write it as az://acc/con/a, and put its SAS, which stands behind the question mark, into XFER_SOURCE_AZURE_STORAGE_SAS_TOKEN',
    { code: 'BAD_LOCATION' },
  ),
  source('DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=hunter2==', 'AZURE_STORAGE_CONNECTION_STRING'),
  ...[
    [
      'copy one:src/x two:dst --chunk 8',
      '"one" and "two" are profiles of the AWS CLI: xfer sync s3://one@src/x s3://two@dst',
    ],
    ['copy one:src/x two:dst', '(for one object: xfer copy s3://one@src/x s3://two@dst'],
    ['copy one:src one:dst', 'If "one" is a profile of the AWS CLI: xfer sync s3://one@src s3://one@dst'],
    ['copy one:src/x.tar two:dst/', 'of the AWS CLI: xfer copy s3://one@src/x.tar s3://two@dst/'],
    ['copy -r one:src/x two:dst', 'of the AWS CLI: xfer copy s3://one@src/x s3://two@dst'],
    ['sync one:src two:dst', 'add --delete to delete what only the destination has, as rclone sync does'],
    ['sync one:src two:dst --delete', 'of the AWS CLI: xfer sync s3://one@src s3://two@dst'],
  ].map(([typed, advises]) => usage(typed, advises, { code: 'UNKNOWN_SCHEME' })),
  destination('https://storage.cloud.google.com/bkt/x', 'Write it as gs://bkt/x.'),
  destination('https://storage.googleapis.com/bkt/a%20b?X-Goog-Signature=hunter2', "Write it as 'gs://bkt/a b'."),
  destination('https://bkt.storage.googleapis.com/dir/x', 'Write it as gs://bkt/dir/x.'),
  destination(
    'https://console.cloud.google.com/storage/browser/_details/bkt/x;tab=live_object',
    'Write it as gs://bkt/x.',
  ),
  source('gcs://bkt/x', 'Write it as gs://bkt/x.'),
  source('gs:/bkt/x', 'Write it as gs://bkt/x.'),
  destination(
    'https://my.b.s3.eu-west-1.amazonaws.com/a%20b?X-Amz-Signature=hunter2',
    "'s3://my.b/a b' with --dest-region",
  ),
  destination('https://s3.us-west-2.amazonaws.com/bkt/dir/key', 's3://bkt/dir/key with --dest-region us-west-2'),
  source('https://u:hunter2@minio.example:9000/bkt/key', 'Write it as https://host/path.', { code: 'BAD_LOCATION' }),
  destination('https://minio.example:9000/bkt/key', 's3://bkt/key with --dest-endpoint-url https://minio.example:9000'),
  destination('https://bkt.s3.amazonaws.com/key', 'Write it as s3://bkt/key.'),
  destination('https://example.org/x.iso', 'curl or rclone'),
  source('ftp://host/x', 'rclone'),
  ...['C:\\x', 'C:'].map(file => source(file, 'a path of this system')),
  source('file:/x', 'file:///path'),
  ...['file:///x', './x', '/x', '~/x', 'x/y.tar'].map(file => missing(file, 'Check the path')),
  usage(['verify', '-', 's3://dst/new'], 'with xfer copy - DEST', { code: 'UNKNOWN_SCHEME' }),
  usage(['verify', 's3://src/object', '-'], 'with xfer cat', { code: 'UNKNOWN_SCHEME' }),
  source('remote:bucket/key', 's3://remote@bucket/key'),
  missing('alias/bucket/key', 's3://alias@bucket/key'),
  missing('bucket/key', 'Write it as s3://bucket/key'),
  source('s3:bucket/key', 'Write it as s3://bucket/key.'),
  source('s3:/bucket/key', 'Write it as s3://bucket/key.'),
  source('s3a://bucket/key', 'Write it as s3://bucket/key.'),
  source('s3:///bucket/key', 'Write it as s3://bucket/key.', { code: 'BAD_LOCATION' }),
  source('arn:aws:s3:::bucket/key', 'Write it as s3://bucket/key.'),
  source('key-id:hunter2@bucket/key', 'Write it as s3://bucket/key'),
]
