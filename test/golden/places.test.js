'use strict'

/** Each kind of place, and each engine. */

const { describeGoldens } = require('./record')
const { SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, COPY, PREFIX, SYNC, IN_PARTS } = require('./scenario')

describeGoldens([
  ['a file up', { from: 'file', source: { 'one.csv': SMALL } }, 'copy FROM/one.csv INTO/one.csv --json'],
  ['a file up, in parts', { from: 'file', source: { one: PARTS } }, IN_PARTS],
  ['a file down, in parts', { to: 'file', source: { one: PARTS } }, IN_PARTS],
  ['a folder up', { from: 'file', source: TREE }, PREFIX],
  ['a folder down, twice', { to: 'file', source: TREE }, SYNC, SYNC],
  ['to Azure, small', { to: 'azure', source: { one: { ...SMALL, attributes: ATTRIBUTES } } }, COPY],
  ['to Azure, in parts', { to: 'azure', source: { one: PARTS } }, IN_PARTS],
  ['from Azure', { from: 'azure', source: { one: PARTS } }, IN_PARTS],
  ['a prefix to Azure', { to: 'azure', source: TREE, destination: CHANGED }, `${SYNC} --delete`],
  ['to Google, in parts', { to: 'google', madeUpEtags: true, source: { one: PARTS } }, IN_PARTS],
  ['from Google', { from: 'google', source: { one: SMALL } }, COPY],
  ['a prefix to Google', { to: 'google', madeUpEtags: true, source: TREE, destination: CHANGED }, `${SYNC} --delete`],
  ['OpenWhisk, in parts', { engine: 'openwhisk', source: { one: PARTS } }, IN_PARTS],
  ['OpenWhisk, small', { engine: 'openwhisk', source: { one: SMALL } }, COPY],
  ['OpenWhisk, a prefix', { engine: 'openwhisk', source: TREE }, PREFIX],
  ['AWS Lambda, in parts', { engine: 'lambda', source: { one: PARTS } }, IN_PARTS],
  ['workers, in parts', { engine: 'http', source: { one: PARTS } }, IN_PARTS],
])
