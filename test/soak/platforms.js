'use strict'

/**
 * What runs functions in a run, by the name of the engine: the processes that are started for it, what a command must know of
 * them, and what they meet.
 */

const { deploy } = require('../../lib')
const { startMember, startWorker } = require('./member')

/** What a platform had promised an answer for when it was killed is waited for longer than that. */
const ACTION_TIMEOUT_S = 15
const ROLE = 'arn:aws:iam::123456789012:role/soak'
const TOKEN = 'soak-token-0123456789'

/**
 * @typedef {object} Platform
 * @property {readonly string[]} members of the run, each can be killed
 * @property {(options: any, tell: (event: any) => void) => Promise<import('./member').Member>} start
 * @property {(ready: any[]) => Record<string, string>} env of a command, from what the members said first
 * @property {(ready: any) => Record<string, unknown>} stays options with which a member is the same again
 * @property {(env: Record<string, string>) => Promise<unknown>} [deploy] the function, before any fault
 * @property {boolean} shows whether it tells of each invocation, and of the process that runs it
 * @property {Record<string, unknown>[]} faults those that pass
 * @property {Record<string, unknown>} options of each member
 * @property {'containers' | 'processes'} [places] the option that bounds its containers
 */

/** @param {string} url */
const portOf = url => Number(new URL(url).port)

/** @type {Record<string, Platform>} */
const PLATFORMS = {
  openwhisk: {
    members: ['platform'],
    start: (options, tell) => startMember('platform', options, tell),
    env: ([{ apihost, auth }]) => ({ APIHOST: apihost, AUTH: auth }),
    stays: ({ apihost, auth }) => ({ auth, port: portOf(apihost) }),
    deploy: env => deploy({ timeout: ACTION_TIMEOUT_S, env }),
    shows: true,
    faults: [
      { status: 500 },
      { status: 503 },
      { cut: true },
      { lose: true },
      { cutAnswer: true },
      { accepted: true },
      { truncate: true },
      { killAfterMs: 0 },
      { death: 'exit' },
      { on: 'actions', status: 500 },
    ],
    options: { limits: { perMinute: 100_000 } },
    places: 'containers',
  },
  lambda: {
    members: ['platform'],
    start: (options, tell) => startMember('lambda', options, tell),
    env: ([{ endpoint, region, accessKeyId, secretAccessKey }]) => ({
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    stays: ({ endpoint, accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey, port: portOf(endpoint) }),
    deploy: env => deploy({ engine: 'lambda', role: ROLE, timeout: ACTION_TIMEOUT_S, env }),
    shows: true,
    faults: [
      { status: 500 },
      { status: 503 },
      { status: 429 },
      { cut: true },
      { lose: true },
      { cutAnswer: true },
      { truncate: true },
      { killAfterMs: 0 },
      { death: 'exit' },
      { death: 'memory' },
      { on: 'GetFunctionConfiguration', status: 500 },
    ],
    options: {},
    places: 'processes',
  },
  http: {
    members: ['worker-1', 'worker-2'],
    start: startWorker,
    env: ready => ({ XFER_WORKERS: ready.map(({ url }) => url).join(','), XFER_TOKEN: TOKEN }),
    stays: ({ url }) => ({ port: portOf(url) }),
    shows: false,
    faults: [],
    options: { token: TOKEN },
  },
}

module.exports = { PLATFORMS }
