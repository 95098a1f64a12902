'use strict'

/** Everything below a prefix, and what is only read. */

const { describeGoldens } = require('./record')
const { MiB, SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, PREFIX, SYNC } = require('./scenario')
const { bytesFor } = require('./world')

describeGoldens([
  { name: 'a prefix', source: TREE, steps: [PREFIX] },
  { name: 'a prefix, filtered', source: TREE, steps: [`${PREFIX} --exclude *.bin --max-size 1`] },
  { name: 'a prefix, --no-clobber', source: TREE, destination: CHANGED, steps: [`${PREFIX} --no-clobber`] },
  { name: 'a prefix, dry run', source: TREE, destination: CHANGED, steps: [`${PREFIX} --dry-run`] },
  { name: 'a prefix, for people', source: TREE, steps: ['copy -r FROM/tree/ INTO/tree/'] },
  { name: 'an empty prefix', source: {}, steps: [PREFIX] },
  {
    name: 'a prefix, one object of which is refused',
    source: { 'tree/a.txt': { text: 'a' }, 'tree/b/c.txt': { text: 'c' } },
    destinationFaults: [{ operation: 'PutObject', key: 'tree/a.txt', status: 403, code: 'AccessDenied' }],
    steps: [PREFIX],
  },
  {
    name: 'a prefix, attributes differ',
    source: { 'tree/a': { text: 'a', attributes: ATTRIBUTES }, 'tree/b': { text: 'b' } },
    steps: [PREFIX],
  },
  { name: 'sync', source: TREE, destination: CHANGED, steps: [SYNC, SYNC] },
  { name: 'sync --delete', source: TREE, destination: CHANGED, steps: [`${SYNC} --delete`] },
  { name: 'sync --delete, dry run', source: TREE, destination: CHANGED, steps: [`${SYNC} --delete --dry-run`] },
  { name: 'sync --checksum', source: TREE, destination: CHANGED, steps: [`${SYNC} --checksum`] },
  { name: 'sync of a source that is empty', source: {}, destination: CHANGED, steps: [`${SYNC} --delete`] },
  { name: 'a move', source: { one: SMALL }, steps: ['mv FROM/one INTO/one --json'] },
  { name: 'a move of a prefix', source: TREE, steps: ['mv -r FROM/tree/ INTO/tree/ --json'] },
  { name: 'a prefix within one store', to: 'same', source: TREE, steps: ['copy -r FROM/tree/ FROM/new/ --json'] },
  { name: 'rm -r', source: TREE, destination: CHANGED, steps: [['rm -r INTO/tree/ --yes --json', { bare: true }]] },
  {
    name: 'verify',
    source: { one: SMALL, two: SMALL },
    destination: { one: SMALL, two: { bytes: 99_999 }, other: SMALL },
    steps: [
      'verify FROM/one INTO/one --json',
      'verify FROM/one INTO/one --read --json',
      'verify FROM/two INTO/two --json',
      'verify FROM/one INTO/other --json',
    ],
  },
  { name: 'verify -r', source: TREE, destination: CHANGED, steps: ['verify -r FROM/tree/ INTO/tree/ --json'] },
  {
    name: 'ls, du and head',
    source: { ...TREE, one: { ...SMALL, attributes: ATTRIBUTES } },
    bare: true,
    steps: ['ls FROM/ --json', 'ls -r FROM/tree/ --json', 'du FROM/tree/ --json', 'head FROM/one --json'],
  },
  {
    name: 'cat',
    source: { one: PARTS },
    steps: [
      ['cat FROM/one', { bytes: true }],
      ['cat FROM/one --range 5-104', { bytes: true }],
    ],
  },
  { name: 'standard output', source: { one: PARTS }, steps: [['copy FROM/one - --chunk 5', { bytes: true }]] },
  {
    name: 'standard input, small',
    source: {},
    steps: [['copy - INTO/one --json', { stdin: bytesFor('in', 100_000) }]],
  },
  {
    name: 'standard input, in parts',
    source: {},
    steps: [['copy - INTO/one --json --chunk 5', { stdin: bytesFor('in', 12 * MiB) }]],
  },
])
