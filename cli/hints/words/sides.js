'use strict'

/** Foreign options about the sides of a copy, its speed and its output. */

/** @type {import('./index').Row[]} */
module.exports = [
  // --- sides and credentials
  {
    typed: ['--profile', '--s3-profile'],
    hints: [
      'Name the side: --source-profile NAME or --dest-profile NAME, or write its location as s3://NAME@bucket/key.',
      'Use --dest-profile NAME.',
      'Use --source-profile NAME, or write the location as s3://NAME@bucket/key.',
    ],
  },
  {
    typed: ['--endpoint-url', '--endpoint', '--s3-endpoint', '--host'],
    hints: [
      'Name the side: --source-endpoint-url URL or --dest-endpoint-url URL.',
      'Use --dest-endpoint-url URL.',
      'Use --source-endpoint-url URL.',
    ],
  },
  {
    typed: ['--region', '--s3-region'],
    hints: [
      'Name the side: --source-region REGION or --dest-region REGION.',
      'Use --dest-region REGION.',
      'Use --source-region REGION.',
    ],
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
    typed: [
      ...['--account-key', '--sas-token', '--connection-string', '--account-name', '--storage-account', '--auth-mode'],
      ...['--azureblob-account', '--azureblob-key', '--azureblob-sas-url', '--azureblob-connection-string'],
      ...['--tenant-id', '--tenant', '--client-id', '--client-secret', '--aad-endpoint'],
    ],
    hints: [
      'The account stands in the location, as in az://ACCOUNT/container/key, and secrets are no options: set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING, or run az login.',
    ],
  },
  {
    typed: ['--config', '--config-file', '--conf', '--credentials-file', '--config-dir'],
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
  { typed: ['--low-level-retries', '--retry-count', '--max-retries', '--retry'], hints: ['Use --retries N.'] },
  {
    typed: ['--contimeout', '--cli-read-timeout', '--cli-connect-timeout', '--read-timeout', '--connect-timeout'],
    hints: ['Use --io-timeout SECONDS: how long a store, a function or the platform may be silent.'],
  },
  {
    typed: ['--max-duration'],
    hints: ['Use --timeout DURATION, such as 45m: what was copied by then can be resumed.'],
  },

  {
    typed: [
      '--disable-multipart',
      '--s3-upload-cutoff',
      '--s3-copy-cutoff',
      '--multi-thread-cutoff',
      '--put-blob-size-mb',
    ],
    hints: ['Use --chunk SIZE: what is not larger is copied in one request.'],
  },
  {
    typed: ['--server-side-across-configs', '--s3-no-check-bucket', '--page-size', '--s3-provider', '--s3-env-auth'],
    hints: [{ of: ['copy', 'sync'], hint: 'Leave it out: this is done by itself.' }],
  },

  // --- output
  {
    typed: ['--only-show-errors', '--silent'],
    hints: ['Use --quiet, which prints errors only.'],
  },
  {
    typed: ['--stats', '--stats-one-line', '--stat', '--show-progress', '-sp', '--summary'],
    hints: ['Use --progress, or --json, whose progress events have the numbers.'],
  },
  {
    typed: ['--output', '-o', '--output-type', '--use-json-log'],
    hints: ['Use --json, which prints one event on each line.'],
  },
  {
    typed: ['--log-file'],
    hints: [
      'Redirect the output to a file, as in >FILE 2>&1: --verbose prints a line about each object, --json every event.',
    ],
  },
  {
    typed: ['--log-level', '--log', '--output-level'],
    hints: [
      'Use --verbose for a line about each object, --json for every event, or --debug for the stack traces of errors.',
    ],
  },
  { typed: ['--no-color', '--color'], hints: ['Leave it out: NO_COLOR=1 in the environment turns colours off.'] },
]
