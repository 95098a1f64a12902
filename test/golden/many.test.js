'use strict'

/** Everything below a prefix, and what is only read. */

const { describeGoldens } = require('./record')
const { MiB, SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, PREFIX, SYNC, VERIFY } = require('./scenario')
const { bytesFor } = require('./world')

describeGoldens([
  ['a prefix', { source: TREE }, PREFIX],
  ['a prefix, filtered', { source: TREE }, `${PREFIX} --exclude *.bin --max-size 1`],
  ['a prefix, --no-clobber', { source: TREE, destination: CHANGED }, `${PREFIX} --no-clobber`],
  ['a prefix, dry run', { source: TREE, destination: CHANGED }, `${PREFIX} --dry-run`],
  ['a prefix, for people', { source: TREE }, 'copy -r FROM/tree/ INTO/tree/'],
  ['an empty prefix', {}, PREFIX],
  [
    'a prefix, one object of which is refused',
    {
      source: { 'tree/a.txt': { text: 'a' }, 'tree/b/c.txt': { text: 'c' } },
      destinationFaults: [{ operation: 'PutObject', key: 'tree/a.txt', status: 403, code: 'AccessDenied' }],
    },
    PREFIX,
  ],
  [
    'a prefix, attributes differ',
    { source: { 'tree/a': { text: 'a', attributes: ATTRIBUTES }, 'tree/b': { text: 'b' } } },
    PREFIX,
  ],
  [
    'a source that tells neither ETags nor times',
    { fromOptions: { etags: false, times: false }, source: { one: SMALL, 'tree/b': { text: 'b' } } },
    ['head FROM/one --json', { bare: true }],
    'copy FROM/one INTO/one --json',
    PREFIX,
  ],
  ['sync', { source: TREE, destination: CHANGED }, SYNC, SYNC],
  ['sync --delete', { source: TREE, destination: CHANGED }, `${SYNC} --delete`],
  ['sync --delete, dry run', { source: TREE, destination: CHANGED }, `${SYNC} --delete --dry-run`],
  ['sync --checksum', { source: TREE, destination: CHANGED }, `${SYNC} --checksum`],
  ['sync of a source that is empty', { destination: CHANGED }, `${SYNC} --delete`],
  [
    'sync of a folder with a mark to the root of a bucket',
    { source: { 'tree/': { text: '' }, 'tree/a': { text: 'a' } } },
    'sync FROM/tree/ INTO/ --json --delete',
  ],
  ['a move', { source: { one: SMALL } }, 'mv FROM/one INTO/one --json'],
  ['a move of a prefix', { source: TREE }, 'mv -r FROM/tree/ INTO/tree/ --json'],
  ['a prefix within one store', { to: 'same', source: TREE }, 'copy -r FROM/tree/ FROM/new/ --json'],
  ['rm -r', { source: TREE, destination: CHANGED }, ['rm -r INTO/tree/ --yes --json', { bare: true }]],
  [
    'verify',
    { source: { one: SMALL, two: SMALL }, destination: { one: SMALL, two: { bytes: 99_999 }, other: SMALL } },
    'verify FROM/one INTO/one --json',
    'verify FROM/one INTO/one --read --json',
    'verify FROM/two INTO/two --json',
    'verify FROM/one INTO/other --json',
  ],
  ['verify -r', { source: TREE, destination: CHANGED }, VERIFY],
  [
    'verify -r, one object of which may not be looked at',
    {
      source: TREE,
      destination: TREE,
      destinationFaults: [{ operation: 'HeadObject', key: 'tree/a.txt', status: 403, code: 'AccessDenied' }],
    },
    `${VERIFY} --read`,
  ],
  [
    'ls, du and head',
    { source: { ...TREE, one: { ...SMALL, attributes: ATTRIBUTES } }, bare: true },
    'ls FROM/ --json',
    'ls -r FROM/tree/ --json',
    'du FROM/tree/ --json',
    'head FROM/one --json',
  ],
  [
    'cat',
    { source: { one: PARTS } },
    ['cat FROM/one', { bytes: true }],
    ['cat FROM/one --range 5-104', { bytes: true }],
  ],
  ['standard output', { source: { one: PARTS } }, ['copy FROM/one - --chunk 5', { bytes: true }]],
  ['standard input, small', {}, ['copy - INTO/one --json', { stdin: bytesFor('in', 100_000) }]],
  ['standard input, in parts', {}, ['copy - INTO/one --json --chunk 5', { stdin: bytesFor('in', 12 * MiB) }]],
])
