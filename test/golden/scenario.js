'use strict'

/** What the scenarios copy, and the commands that most of them type. FROM/ and INTO/ are the two places. */

const MiB = 1024 ** 2
const SMALL = { bytes: 100_000 }
const PARTS = { bytes: 6 * MiB }
const ATTRIBUTES = {
  headers: { 'content-type': 'text/csv', 'cache-control': 'max-age=60', 'content-language': 'de' },
  user: { colour: 'red', mtime: '1700000000.5' },
  tags: /** @type {[string, string][]} */ ([['team', 'a b']]),
}
const TREE = {
  'tree/a.txt': { text: 'a' },
  'tree/b/c.txt': { text: 'c' },
  'tree/b/large.bin': { bytes: 6 * MiB },
  'tree/empty': { text: '' },
  'other.txt': { text: 'beside the prefix' },
}
/** Newer, older by size, the same, and one more. */
const CHANGED = {
  'tree/a.txt': { text: 'b' },
  'tree/b/c.txt': { text: 'longer' },
  'tree/b/large.bin': { bytes: 6 * MiB },
  'tree/extra.txt': { text: 'only here' },
  'beside.txt': { text: 'beside the prefix' },
}
const COPY = 'copy FROM/one INTO/one --json'
const IN_PARTS = `${COPY} --chunk 5`
const ONE_BY_ONE = `${IN_PARTS} --concurrency 1`
const PREFIX = 'copy -r FROM/tree/ INTO/tree/ --json --chunk 5 --concurrency 1'
const SYNC = 'sync FROM/tree/ INTO/tree/ --json --chunk 5 --concurrency 1'
const VERIFY = 'verify -r FROM/tree/ INTO/tree/ --json'

module.exports = { MiB, SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, COPY, IN_PARTS, ONE_BY_ONE, PREFIX, SYNC, VERIFY }
