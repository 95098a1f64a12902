#!/usr/bin/env node
'use strict'

const { runMember } = require('../common/process')
const { startAzureStore } = require('.')

/** Runs one Azure store as a process: `node main.js '{"containers":["photos"]}'`. What it prints, and when it ends: ../common/process.js. */
runMember(
  () => startAzureStore(JSON.parse(process.argv[2] ?? '{}')),
  ({ endpoint, account, key, authority }) => ({ endpoint, account, key, authority }),
)
