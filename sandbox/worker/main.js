'use strict'

/** A worker as a process of the sandbox: what `xfer serve` runs, which ends when the sandbox does. */

const { startWorker } = require('../../lib/serve')
const { runMember } = require('../common/process')

const { token, ...options } = JSON.parse(process.argv[2] ?? '{}')
const DEFAULTS = { host: '127.0.0.1', port: 0, places: 8, heartbeatMs: 10_000, timeoutMs: 300_000 }

runMember(
  async () => {
    const worker = await startWorker({ ...DEFAULTS, ...options }, { env: { XFER_TOKEN: token }, log: () => {} })
    return { ...worker, on: () => {} }
  },
  ({ url }) => ({ url }),
)
