'use strict'

const { runMember } = require('../common/process')
const { startLambda } = require('.')

/**
 * Runs one Lambda service as a process: `node sandbox/lambda/main.js '{"processes":4}'`. The argument is the options of
 * `startLambda` as JSON. What it prints, and when it ends, with all its environments: ../common/process.js.
 */

runMember(
  async () => {
    const service = await startLambda(JSON.parse(process.argv[2] ?? '{}'))
    return { ...service, on: service.events.on.bind(service.events) }
  },
  ({ endpoint, region, accessKeyId, secretAccessKey }) => ({ endpoint, region, accessKeyId, secretAccessKey }),
  ['request', 'start', 'run', 'end', 'environment-start', 'environment-exit'],
)
