'use strict'

/** Each kind of place, and each engine. */

const { describeGoldens } = require('./record')
const { SMALL, PARTS, ATTRIBUTES, TREE, CHANGED, COPY, PREFIX, SYNC } = require('./scenario')

describeGoldens([
  { name: 'a file up', from: 'file', source: { 'one.csv': SMALL }, steps: ['copy FROM/one.csv INTO/one.csv --json'] },
  { name: 'a file up, in parts', from: 'file', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'a file down, in parts', to: 'file', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'a folder up', from: 'file', source: TREE, steps: [PREFIX] },
  { name: 'a folder down, twice', to: 'file', source: TREE, steps: [SYNC, SYNC] },
  { name: 'to Azure, small', to: 'azure', source: { one: { ...SMALL, attributes: ATTRIBUTES } }, steps: [COPY] },
  { name: 'to Azure, in parts', to: 'azure', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'from Azure', from: 'azure', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'a prefix to Azure', to: 'azure', source: TREE, destination: CHANGED, steps: [`${SYNC} --delete`] },
  {
    name: 'to Google, in parts',
    to: 'google',
    madeUpEtags: true,
    source: { one: PARTS },
    steps: [`${COPY} --chunk 5`],
  },
  { name: 'from Google', from: 'google', source: { one: SMALL }, steps: [COPY] },
  {
    name: 'a prefix to Google',
    to: 'google',
    madeUpEtags: true,
    source: TREE,
    destination: CHANGED,
    steps: [`${SYNC} --delete`],
  },
  { name: 'OpenWhisk, in parts', engine: 'openwhisk', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'OpenWhisk, a prefix', engine: 'openwhisk', source: TREE, steps: [PREFIX] },
  { name: 'AWS Lambda, in parts', engine: 'lambda', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
  { name: 'workers, in parts', engine: 'http', source: { one: PARTS }, steps: [`${COPY} --chunk 5`] },
])
