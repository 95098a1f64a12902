'use strict'

/** Stores that are not there, not reachable, or not for us. */

const COPY = 'copy s3://src/object s3://dst/new'
const from = at => `${COPY} --source-endpoint-url ${at}`
const to = at => `${COPY} --dest-endpoint-url ${at}`
const big = at => `copy s3://src/large s3://dst/new --chunk 5 --dest-endpoint-url ${at}`

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- not there, not allowed
  {
    it: 'no such source bucket',
    command: 'copy s3://nowhere/object s3://dst/new',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
    says: 'source bucket "nowhere"',
  },
  {
    it: 'no such destination bucket',
    command: 'copy s3://src/object s3://nowhere/new',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
    says: 'destination bucket "nowhere"',
    planned: true,
  },
  {
    it: 'no such destination bucket, in parts',
    command: 'copy s3://src/large s3://nowhere/new --chunk 5',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
    says: 'destination bucket "nowhere"',
    planned: true,
  },
  {
    it: 'no such destination bucket, with --no-clobber',
    command: 'copy s3://src/object s3://nowhere/new --no-clobber',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
  },
  {
    it: 'no such destination bucket, with --dry-run',
    command: 'copy s3://src/object s3://nowhere/new --dry-run',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
    says: 'destination',
  },
  {
    it: 'no such key',
    command: 'copy s3://src/none s3://dst/new',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: '"none" in the source bucket "src"',
  },
  {
    it: 'a key that is percent-encoded',
    command: 'copy s3://src/%6fbject s3://dst/new',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: '"%6fbject"',
  },
  {
    it: 'a key with a query',
    command: 'copy s3://src/object?versionId=1 s3://dst/new',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: '"object?versionId=1"',
  },
  {
    it: 'a bucket that these credentials may not read',
    command: COPY,
    env: { XFER_SOURCE_ACCESS_KEY_ID: 'guest-key-id', XFER_SOURCE_SECRET_ACCESS_KEY: 'guest-SECRET-x9' },
    exit: 4,
    code: 'ACCESS_DENIED',
    says: 'source',
  },
  {
    it: 'a bucket that these credentials may not write',
    command: COPY,
    env: { XFER_DEST_ACCESS_KEY_ID: 'reader-key-id', XFER_DEST_SECRET_ACCESS_KEY: 'reader-SECRET-x9' },
    exit: 4,
    code: 'ACCESS_DENIED',
    says: 'destination',
    planned: true,
  },
  {
    it: 'a bucket that these credentials may not write in parts',
    command: 'copy s3://src/large s3://dst/new --chunk 5',
    env: { XFER_DEST_ACCESS_KEY_ID: 'reader-key-id', XFER_DEST_SECRET_ACCESS_KEY: 'reader-SECRET-x9' },
    exit: 4,
    code: 'ACCESS_DENIED',
    says: 'destination',
    planned: true,
  },
  {
    it: 'a destination that exists',
    command: 'copy s3://src/object s3://dst/existing --no-clobber',
    exit: 7,
    code: 'DESTINATION_EXISTS',
    says: 's3://dst/existing',
  },
  {
    it: 'an object too large for the destination',
    command: 'copy s3://huge/object s3://dst/new',
    exit: 2,
    code: 'TOO_LARGE',
    says: '60000000000000',
  },

  // --- not reachable
  {
    it: 'a source where nothing listens',
    command: from('http://{closed}'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'source',
  },
  {
    it: 'a destination where nothing listens',
    command: to('http://{closed}'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'destination',
    planned: true,
  },
  {
    it: 'a destination where nothing listens, in parts',
    command: big('http://{closed}'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'destination',
    planned: true,
  },
  {
    it: 'a host that does not exist',
    command: from('http://s3.invalid'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'source',
  },
  {
    it: 'a source that never answers',
    command: `${from('http://{silent}')} --io-timeout 1 --retries 1`,
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'no answer',
  },
  { it: 'a source that closes at once', command: from('http://{closes}'), exit: 1, code: 'STORE_UNREACHABLE' },
  {
    it: 'https where http is spoken',
    command: `${COPY} --source-endpoint-url https://{html}`,
    exit: 1,
    code: 'NOT_A_STORE',
    says: 'TLS',
  },
  { it: 'http where https is spoken', command: from('http://{tls}'), exit: 1, code: 'STORE_UNREACHABLE', says: 'cut' },
  {
    it: 'http where https is spoken, by a server that says so',
    command: from('http://{goTls}'),
    exit: 1,
    code: 'STORE_REFUSED',
    says: 'HTTP 400',
  },
  {
    it: 'a certificate that nobody vouches for',
    command: from('https://{untrusted}'),
    exit: 1,
    code: 'CERTIFICATE_REFUSED',
    says: 'no trusted authority has signed it',
    advises: 'by --ca-bundle',
  },
]
