#!/usr/bin/env node
'use strict'

/**
 * Runs one store, platform or worker as a process: `node sandbox/main.js store '{"buckets":["a"]}'`, with its options as JSON. What
 * it prints, and when it ends: common/process.js.
 */

const { runMember } = require('./common/process')

/** What `startWorker` of lib/engines/http/serve needs to be told, as `xfer serve` does. */
const WORKER = { host: '127.0.0.1', port: 0, places: 8, heartbeatMs: 10_000, timeoutMs: 300_000 }

/**
 * How each kind is started, what its first line tells, and its events.
 *
 * @type {Record<string, { start: (options: any) => Promise<any>, tells: string[], events?: string[] }>}
 */
const KINDS = {
  store: {
    start: options => require('./store').startStore(options),
    tells: ['endpoint', 'accessKeyId', 'secretAccessKey', 'region'],
  },
  azure: {
    start: options => require('./azure').startAzureStore(options),
    tells: ['endpoint', 'account', 'key', 'authority'],
  },
  platform: {
    async start(options) {
      const platform = await require('./platform').startPlatform(options)
      return { ...platform, on: platform.activations.on.bind(platform.activations) }
    },
    tells: ['apihost', 'auth'],
    events: ['start', 'run'],
  },
  lambda: {
    async start(options) {
      const service = await require('./lambda').startLambda(options)
      return { ...service, on: service.events.on.bind(service.events) }
    },
    tells: ['endpoint', 'region', 'accessKeyId', 'secretAccessKey'],
    events: ['request', 'start', 'run', 'end'],
  },
  worker: {
    start: ({ token, ...options }) =>
      require('../lib/engines/http/serve').startWorker(
        { ...WORKER, ...options },
        { env: { XFER_TOKEN: token }, log: () => {} },
      ),
    tells: ['url'],
    events: [],
  },
}

const [, , kind, options = '{}'] = process.argv
const { start, tells, events } = KINDS[kind]
runMember(
  async () => start(JSON.parse(options)),
  member => Object.fromEntries(tells.map(name => [name, member[name]])),
  events,
)
