'use strict'

/** One object, in every way that it can go well or wrong. */

const { describeGoldens } = require('./record')
const { MiB, SMALL, PARTS, ATTRIBUTES, COPY, IN_PARTS, ONE_BY_ONE } = require('./scenario')

const part = (/** @type {number} */ number) => (/** @type {any} */ event) =>
  event.type === 'part' && event.partNumber === number

const WITHIN = /** @type {const} */ ({ to: 'same', source: { one: { ...SMALL, attributes: ATTRIBUTES } } })
const IN_PLACE = 'copy FROM/one FROM/one --json --route auto --content-type text/plain --retries 1'
const UNKNOWN = { serverName: 'Oddity/1.0' }
const into = (/** @type {object} */ toOptions) => ({ source: { one: PARTS }, toOptions })
const busyUntil = (/** @type {number} */ first) => ({
  ...WITHIN,
  sourceFaults: [{ operation: 'CopyObject', first, status: 500 }],
})

describeGoldens([
  ['one object, empty', { source: { one: { text: '' } } }, COPY],
  ['one object, small', { source: { one: SMALL } }, COPY],
  ['one object in parts', { source: { one: PARTS } }, IN_PARTS],
  ['one object, the name is kept', { source: { 'dir/one': SMALL } }, 'copy FROM/dir/one INTO/ --json'],
  ['the parts of the source', { source: { one: { ...PARTS, kind: 'parts' } } }, `${COPY} --chunk match`],
  [
    'the parts of the source, which has checksums of them',
    { source: { one: { ...PARTS, kind: 'parts-composite' } } },
    COPY,
  ],
  [
    '--no-clobber, and something is there',
    { source: { one: SMALL }, destination: { one: { text: 'there' } } },
    `${COPY} --no-clobber`,
  ],
  ['--no-clobber, and nothing is there', { source: { one: PARTS } }, `${COPY} --no-clobber --chunk 5`],
  [
    '--if-match, right and wrong',
    { source: { one: SMALL }, destination: { one: { text: 'there' } } },
    `${COPY} --if-match 42`,
    `${COPY} --if-match d850f04cdb48312a9be171e214c0b4ee`,
  ],
  [
    '--if-match, at a store that compares the quotes, too',
    {
      source: { one: SMALL },
      destination: { one: { text: 'there' } },
      toOptions: { ifMatch: 'quotes', serverName: 'Ceph Object Gateway (squid)' },
    },
    `${COPY} --if-match d850f04cdb48312a9be171e214c0b4ee`,
    `${COPY} --if-match d850f04cdb48312a9be171e214c0b4ee`,
  ],
  ['attributes are copied', { source: { one: { ...SMALL, attributes: ATTRIBUTES } } }, COPY],
  ['attributes are copied, in parts', { source: { one: { ...PARTS, attributes: ATTRIBUTES } } }, IN_PARTS],
  [
    'attributes are replaced',
    { source: { one: { ...SMALL, attributes: ATTRIBUTES } } },
    `${COPY} --metadata replace --metadata-set size=xl --content-type text/plain --tags none`,
  ],
  ['--storage-class and --sse', { source: { one: SMALL } }, `${COPY} --storage-class STANDARD_IA --sse AES256`],
  ['--verify full', { source: { one: PARTS } }, `${COPY} --chunk 5 --verify full`],
  ['--verify full, small', { source: { one: SMALL } }, `${COPY} --verify full`],
  ['--no-clobber, small, and nothing is there', { source: { one: SMALL } }, `${COPY} --no-clobber`],
  ['--verify size', { source: { one: SMALL } }, `${COPY} --verify size`],
  ['--verify none', { source: { one: SMALL } }, `${COPY} --verify none`],
  [
    'a destination that checks nothing is read back',
    { source: { one: PARTS }, toOptions: { checksums: false, md5Etags: false }, madeUpEtags: true },
    IN_PARTS,
  ],
  ['a destination that takes any checksum', into({ ...UNKNOWN, checksumCheck: false }), IN_PARTS],
  ['a destination that wants a checksum of each part', into({ requirePartChecksums: true }), IN_PARTS],
  ['a destination that answers 411 to trailers', into({ ...UNKNOWN, checksums: false, trailerStatus: 411 }), IN_PARTS],
  ['a dry run', { source: { one: PARTS } }, `${COPY} --chunk 5 --dry-run`],
  [
    'killed, and resumed',
    {
      source: { one: { bytes: 16 * MiB } },
      // The third part never arrives, so the command is killed when the store has two.
      destinationFaults: [{ operation: 'UploadPart', partNumber: 3, delayMs: 600_000 }],
    },
    [ONE_BY_ONE, { until: part(2) }],
    [ONE_BY_ONE, { healed: true }],
  ],
  ['within one store', WITHIN, COPY],
  [
    'within one store, which refuses half-way',
    {
      ...{ to: 'same', source: { one: { bytes: 11 * MiB } } },
      sourceFaults: [{ operation: 'UploadPartCopy', partNumber: 3, status: 403 }],
    },
    `${ONE_BY_ONE} --route auto --on-failure keep`,
  ],
  ['in place', busyUntil(1), IN_PLACE],
  ['in place, by a store that fails', busyUntil(99), IN_PLACE],
  ['for people', { source: { one: SMALL } }, 'copy FROM/one INTO/one'],
  ['no such object', {}, COPY],
  ['no such bucket', { source: { one: SMALL } }, 'copy FROM/one s3://nowhere/one --json'],
  [
    'access is denied',
    { source: { one: SMALL }, destinationFaults: [{ operation: 'PutObject', status: 403, code: 'AccessDenied' }] },
    COPY,
  ],
  ['an option that is misspelled', {}, 'copy FROM/one INTO/one --verfy full'],
  ['a value that is none', {}, 'copy FROM/one INTO/one --chunk 1'],
  ['a location that is none', {}, 'copy s3:/one INTO/one'],
  ['the same place twice', { to: 'same', source: { one: SMALL } }, 'copy FROM/one FROM/one --json'],
  [
    'a part that is damaged on its way',
    { source: { one: PARTS }, sourceFaults: [{ operation: 'GetObject', nth: 2, flipByteAt: 100 }] },
    ONE_BY_ONE,
  ],
  [
    'a part that the store puts off',
    { source: { one: PARTS }, destinationFaults: [{ operation: 'UploadPart', nth: 1, status: 503, code: 'SlowDown' }] },
    ONE_BY_ONE,
  ],
])
