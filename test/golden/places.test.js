'use strict'

/** Each kind of place, and each engine. */

const { gzipSync } = require('node:zlib')
const { describeGoldens } = require('./record')
const { SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, COPY, PREFIX, SYNC, IN_PARTS } = require('./scenario')

const GZIPPED = { text: gzipSync('text'), attributes: { headers: { 'content-encoding': 'gzip' }, user: {}, tags: [] } }

describeGoldens([
  ['a file up', { from: 'file', source: { 'one.csv': SMALL } }, 'copy FROM/one.csv INTO/one.csv --json'],
  ['a file up, in parts', { from: 'file', source: { one: PARTS } }, IN_PARTS],
  ['a file down, in parts', { to: 'file', source: { one: PARTS } }, IN_PARTS],
  ['a folder up', { from: 'file', source: TREE }, PREFIX],
  ['a folder down, twice', { to: 'file', source: TREE }, SYNC, SYNC],
  ['to Azure, small', { to: 'azure', source: { one: { ...SMALL, attributes: ATTRIBUTES } } }, COPY],
  ['to Azure, in parts', { to: 'azure', source: { one: PARTS } }, IN_PARTS],
  [
    'to Azure with folders, which has no tags',
    { to: 'azure', toOptions: { hierarchical: true }, source: { one: { ...PARTS, attributes: ATTRIBUTES } } },
    IN_PARTS,
    'copy FROM/one INTO/two --json --chunk 5 --tags none',
  ],
  ['from Azure', { from: 'azure', source: { one: PARTS } }, IN_PARTS],
  ['a prefix to Azure', { to: 'azure', source: TREE, destination: CHANGED }, `${SYNC} --delete`],
  ['to Google, in parts', { to: 'google', madeUpEtags: true, source: { one: PARTS } }, IN_PARTS],
  ['from Google', { from: 'google', source: { one: SMALL } }, COPY],
  ['from Google, as it is stored', { from: 'google', source: { one: GZIPPED } }, COPY],
  ['within Google', { from: 'google', to: 'same', source: { one: PARTS } }, `${IN_PARTS} --route auto`],
  ['a prefix to Google', { to: 'google', madeUpEtags: true, source: TREE, destination: CHANGED }, `${SYNC} --delete`],
  ['OpenWhisk, in parts', { engine: 'openwhisk', source: { one: PARTS } }, IN_PARTS],
  ['OpenWhisk, small', { engine: 'openwhisk', source: { one: SMALL } }, COPY],
  ['OpenWhisk, a prefix', { engine: 'openwhisk', source: TREE }, PREFIX],
  ['AWS Lambda, in parts', { engine: 'lambda', source: { one: PARTS } }, IN_PARTS],
  ['workers, in parts', { engine: 'http', source: { one: PARTS } }, IN_PARTS],
])
