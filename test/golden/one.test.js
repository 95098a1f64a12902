'use strict'

/** One object, in every way that it can go well or wrong. */

const { describeGoldens } = require('./record')
const { MiB, SMALL, PARTS, ATTRIBUTES, COPY } = require('./scenario')

const part = (/** @type {number} */ number) => (/** @type {any} */ event) =>
  event.type === 'part' && event.partNumber === number

describeGoldens([
  { name: 'one object, empty', source: { one: { text: '' } }, steps: [COPY] },
  { name: 'one object, small', source: { one: SMALL }, steps: [COPY] },
  { name: 'one object in parts', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'one object, the name is kept', source: { 'dir/one': SMALL }, steps: ['copy FROM/dir/one INTO/ --json'] },
  { name: 'the parts of the source', source: { one: { ...PARTS, kind: 'parts' } }, steps: [`${COPY} --chunk match`] },
  {
    name: 'the parts of the source, which has checksums of them',
    source: { one: { ...PARTS, kind: 'parts-composite' } },
    steps: [COPY],
  },
  {
    name: '--no-clobber, and something is there',
    source: { one: SMALL },
    destination: { one: { text: 'there' } },
    steps: [`${COPY} --no-clobber`],
  },
  { name: '--no-clobber, and nothing is there', source: { one: PARTS }, steps: [`${COPY} --no-clobber --chunk 5`] },
  {
    name: '--if-match, right and wrong',
    source: { one: SMALL },
    destination: { one: { text: 'there' } },
    steps: [`${COPY} --if-match 42`, `${COPY} --if-match 16fc41c8ad0e0ba7dd5ae0ec5d2d2c7c`],
  },
  { name: 'attributes are copied', source: { one: { ...SMALL, attributes: ATTRIBUTES } }, steps: [COPY] },
  {
    name: 'attributes are copied, in parts',
    source: { one: { ...PARTS, attributes: ATTRIBUTES } },
    steps: [`${COPY} --chunk 5`],
  },
  {
    name: 'attributes are replaced',
    source: { one: { ...SMALL, attributes: ATTRIBUTES } },
    steps: [`${COPY} --metadata replace --metadata-set size=xl --content-type text/plain --tags none`],
  },
  {
    name: '--storage-class and --sse',
    source: { one: SMALL },
    steps: [`${COPY} --storage-class STANDARD_IA --sse AES256`],
  },
  { name: '--verify full', source: { one: PARTS }, steps: [`${COPY} --chunk 5 --verify full`] },
  { name: '--verify size', source: { one: SMALL }, steps: [`${COPY} --verify size`] },
  { name: '--verify none', source: { one: SMALL }, steps: [`${COPY} --verify none`] },
  {
    name: 'a destination that checks nothing is read back',
    source: { one: PARTS },
    toOptions: { checksums: false, md5Etags: false },
    madeUpEtags: true,
    steps: [`${COPY} --chunk 5`],
  },
  { name: 'a dry run', source: { one: PARTS }, steps: [`${COPY} --chunk 5 --dry-run`] },
  {
    name: 'killed, and resumed',
    source: { one: { bytes: 16 * MiB } },
    // The third part never arrives, so the command is killed when the store has two.
    destinationFaults: [{ operation: 'UploadPart', partNumber: 3, delayMs: 600_000 }],
    steps: [
      [`${COPY} --chunk 5 --concurrency 1`, { until: part(2) }],
      [`${COPY} --chunk 5 --concurrency 1`, { healed: true }],
    ],
  },
  { name: 'within one store', to: 'same', source: { one: { ...SMALL, attributes: ATTRIBUTES } }, steps: [COPY] },
  { name: 'for people', source: { one: SMALL }, steps: ['copy FROM/one INTO/one'] },
  { name: 'no such object', source: {}, steps: [COPY] },
  { name: 'no such bucket', source: { one: SMALL }, steps: ['copy FROM/one s3://nowhere/one --json'] },
  {
    name: 'access is denied',
    source: { one: SMALL },
    destinationFaults: [{ operation: 'PutObject', status: 403, code: 'AccessDenied' }],
    steps: [COPY],
  },
  { name: 'an option that is misspelled', steps: ['copy FROM/one INTO/one --verfy full'] },
  { name: 'a value that is none', steps: ['copy FROM/one INTO/one --chunk 1'] },
  { name: 'a location that is none', steps: ['copy s3:/one INTO/one'] },
  { name: 'the same place twice', to: 'same', source: { one: SMALL }, steps: ['copy FROM/one FROM/one --json'] },
  {
    name: 'a refusal that passes',
    source: { one: PARTS },
    destinationFaults: [{ operation: 'UploadPart', nth: 2, status: 503, code: 'SlowDown' }],
    steps: [`${COPY} --chunk 5 --concurrency 1`],
  },
  {
    name: 'a part that is damaged on its way',
    source: { one: PARTS },
    sourceFaults: [{ operation: 'GetObject', nth: 2, flipByteAt: 100 }],
    steps: [`${COPY} --chunk 5 --concurrency 1`],
  },
  {
    name: 'a completion whose answer is lost',
    source: { one: PARTS },
    destinationFaults: [{ operation: 'CompleteMultipartUpload', nth: 1, loseAnswer: true }],
    steps: [`${COPY} --chunk 5`],
  },
  {
    name: 'a completion with an error in its body',
    source: { one: PARTS },
    destinationFaults: [{ operation: 'CompleteMultipartUpload', nth: 1, errorInBody: true }],
    steps: [`${COPY} --chunk 5`],
  },
])
