#!/usr/bin/env node
'use strict'

const { runMember } = require('../common/process')
const { startStore } = require('.')

/** Runs one store as a process: `node main.js '{"buckets":["a"]}'`. What it prints, and when it ends: ../common/process.js. */
runMember(
  async () => startStore(JSON.parse(process.argv[2] ?? '{}')),
  ({ endpoint, accessKeyId, secretAccessKey, region }) => ({ endpoint, accessKeyId, secretAccessKey, region }),
)
