'use strict'

const { runMember } = require('../common/process')
const { startPlatform } = require('.')

/**
 * Runs one platform as a process: `node sandbox/platform/main.js '{"containers":4}'`. The argument is the options of `startPlatform`
 * as JSON. What it prints, and when it ends, with all its containers: ../common/process.js.
 */

runMember(
  async () => {
    const platform = await startPlatform(JSON.parse(process.argv[2] ?? '{}'))
    const { apihost, auth, activations, close } = platform
    return { apihost, auth, close, on: activations.on.bind(activations) }
  },
  ({ apihost, auth }) => ({ apihost, auth }),
  ['start', 'run', 'container-start', 'container-exit'],
)
