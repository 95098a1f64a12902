'use strict'

/** What `xfer verify` cannot be asked, and what `xfer copy` cannot be proved with. */

const COPY = 'copy s3://src/object s3://dst/new'
const VERIFY = 'verify s3://src/object s3://dst/existing'
const usage = { exit: 2, code: 'USAGE' }

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- copy
  ...['sideways', '', 'FULL', 'true', 'constructor'].map(how => ({
    it: `--verify "${how}"`,
    command: [...COPY.split(' '), '--verify', how],
    ...usage,
    says: `--verify "${how}" is unknown`,
    advises: 'auto, full, size, none',
  })),
  { it: '--verify without its value', command: `${COPY} --verify`, ...usage, says: '--verify' },
  ...['MATCH', 'mtach', 'match,5'].map(chunk => ({
    it: `--chunk "${chunk}"`,
    command: [...COPY.split(' '), '--chunk', chunk],
    ...usage,
    says: `--chunk "${chunk}" is not a size`,
  })),
  {
    it: 'a destination that stores a byte wrong, read back',
    command: 'copy s3://src/object s3://dst/stored-wrong --verify full',
    exit: 8,
    code: 'WRONG_COPY',
    says: 'it was removed',
    planned: true,
    ended: true,
  },

  // --- verify
  { it: 'nothing to verify', command: 'verify', ...usage, says: 'SRC', advises: 'xfer verify --help' },
  { it: 'one object to verify', command: 'verify s3://src/object', ...usage, says: 'DEST' },
  { it: 'three objects to verify', command: `${VERIFY} s3://dst/other`, ...usage, says: '2' },
  { it: 'verify with an option of copy', command: `${VERIFY} --no-clobber`, ...usage, says: '--no-clobber' },
  { it: 'verify with a way to prove a copy', command: `${VERIFY} --verify full`, ...usage, says: '--verify' },
  { it: 'verify with a value for a switch', command: `${VERIFY} --read=yes`, ...usage, says: '--read' },
  { it: 'verify in ranges of no size', command: `${VERIFY} --chunk abc`, ...usage, says: '--chunk "abc"' },
  { it: 'verify by an unknown engine', command: `${VERIFY} --engine fargate`, ...usage, says: '"fargate"' },
  {
    it: 'verify of one object with an option of prefixes',
    command: `${VERIFY} --one-way`,
    ...usage,
    says: '--one-way applies to a prefix',
    advises: 'Add -r to compare everything below two prefixes',
  },
  {
    it: 'verify of prefixes with a version',
    command: `verify -r s3://src/tree s3://dst/tree --version-id x`,
    ...usage,
    says: '--version-id',
  },
  {
    it: 'verify of a prefix with itself',
    command: 'verify -r s3://src/tree s3://src/tree --dest-endpoint-url {source}',
    exit: 2,
    code: 'OVERLAP',
    says: 's3://src/tree/',
  },
  {
    it: 'verify of two prefixes with nothing below them',
    command: 'verify -r s3://src/nowhere s3://dst/nowhere',
    exit: 3,
    code: 'SOURCE_EMPTY',
    says: 's3://src/nowhere/',
    planned: true,
  },
  {
    it: 'verify of a file that is missing',
    command: 'verify s3://src/object ./object',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: '/object',
  },
  {
    it: 'verify of one object with itself',
    command: 'verify s3://src/object s3://src/object --dest-endpoint-url {source}',
    exit: 2,
    code: 'SAME_OBJECT',
    says: 's3://src/object',
  },
  {
    it: 'verify of an object that there is not',
    command: 'verify s3://src/nowhere s3://dst/existing',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: 'source',
  },
  {
    it: 'verify with an object that there is not',
    command: 'verify s3://src/object s3://dst/nowhere',
    exit: 3,
    code: 'NO_SUCH_KEY',
    says: 'destination',
  },
  {
    it: 'verify in a bucket that there is not',
    command: 'verify s3://src/object s3://nowhere/object',
    exit: 3,
    code: 'NO_SUCH_BUCKET',
    says: '"nowhere"',
  },
  { it: 'verify of objects of other sizes', command: VERIFY, exit: 8, code: 'OBJECTS_DIFFER', says: '2,000 bytes' },
  {
    it: 'verify of an object that may not be read',
    command: 'verify s3://src/denied-later s3://src/object --dest-endpoint-url {source}',
    exit: 4,
    code: 'ACCESS_DENIED',
    planned: true,
  },
  {
    it: 'verify of an object that changes',
    command: 'verify s3://src/changing s3://src/object --dest-endpoint-url {source}',
    exit: 6,
    code: 'OBJECT_CHANGED',
    says: 's3://src/changing',
    planned: true,
  },
  {
    it: 'verify with an object whose reading breaks off',
    command: 'verify s3://src/object s3://src/cut --dest-endpoint-url {source} --retries 0',
    exit: 1,
    code: 'CONNECTION_FAILED',
    says: 'to the destination failed (it was cut)',
    planned: true,
  },
  {
    it: 'verify by functions without a platform',
    command: `${VERIFY} --engine openwhisk`,
    exit: 5,
    code: 'NO_PLATFORM',
  },
  {
    it: 'verify without credentials',
    command: VERIFY,
    bare: true,
    exit: 4,
    code: 'NO_CREDENTIALS',
    says: 'source',
  },
]
