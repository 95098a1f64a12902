'use strict'

/**
 * A job that is left to functions: what is drawn of it, the platform that runs them, and what a command with `--detach` comes to. Runs of
 * a few seconds follow one another; runs and copiers are killed, calls are lost, and the platform is started anew.
 */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { UpdateFunctionConfigurationCommand } = require('@aws-sdk/client-lambda')
const { deploy } = require('../../lib')
const { startPlatform } = require('../../sandbox/platform')
const { ROLE, clientOf } = require('../sandbox/lambda/target')
const { startFunction } = require('../support/lambda')
const { some } = require('./faults')

/**
 * @typedef {ReturnType<typeof import('./draw').diceOf>} Dice
 *
 * @typedef {object} Chain
 * @property {'openwhisk' | 'lambda'} engine
 * @property {number} timeoutS how long one run may take
 * @property {string} bandwidth so that the job takes several of them
 * @property {Record<string, unknown>[]} faults of the platform
 */

const MiB = 1024 ** 2
/** Stores whose keys a profile has. */
const HAS_PROFILE = /^(sandbox:|versitygw|minio)/
/** @type {Record<Chain['engine'], Record<string, unknown>[]>} */
const OF_CHAIN = {
  openwhisk: [
    { on: 'invoke', lost: true },
    { on: 'invoke', killAfterMs: 300 },
    { on: 'invoke', status: 503 },
    { on: 'invoke', death: 'exit' },
  ],
  lambda: [{ killAfterMs: 300 }, { status: 500 }, { death: 'exit' }],
}
const PROFILES = /** @type {const} */ (['source', 'dest', 'state'])

/**
 * @param {Dice} dice
 * @param {Pick<import('./draw').Script, 'command' | 'objects' | 'change'>} script
 * @param {{ source: string, destination: string }} names of kinds
 * @returns {Chain | undefined} where it is nothing that functions can be left with
 */
function drawChain(dice, { command, objects, change }, names) {
  const { integer, pick } = dice
  if (command === 'verify' || ![names.source, names.destination].every(name => HAS_PROFILE.test(name))) return undefined
  const isLarge = [...objects, ...(change ? [change] : [])].some(({ bytes }) => bytes > 4 * MiB)
  const bytes = objects.reduce((sum, object) => sum + object.bytes, 0)
  const engine = pick(/** @type {const} */ (['openwhisk', 'openwhisk', 'lambda']))
  return {
    engine,
    timeoutS: integer(15, 20),
    // No part takes longer than a run.
    bandwidth: `${isLarge ? integer(1200, 2000) : Math.max(400, Math.ceil(bytes / 1024 / integer(5, 15)))}K`,
    faults: some(dice, OF_CHAIN[engine], 2, [5, 15]),
  }
}

/** @typedef {Record<typeof PROFILES[number], Record<string, string>>} Sides what each side needs in the environment */

/**
 * @param {Chain} chain
 * @param {object} of
 * @param {string} of.folder
 * @param {Sides} of.sides
 */
async function openChain({ engine, timeoutS, bandwidth, faults }, of) {
  /** Processes of runs that are under way. @type {Set<number>} */
  const runs = new Set()
  const opened = await OPEN[engine](of, `${timeoutS}s`, pid => void runs.add(pid))
  return {
    ...opened,
    flags: ['--bandwidth', bandwidth, '--engine', engine],
    faults: {
      add: () => void opened.rules().add(...faults),
      clear: () => opened.rules().clear(),
      hits: () => opened.rules().hits(),
    },
    /** @returns {boolean} whether there was one */
    killRun() {
      const killed = [...runs].map(pid => {
        try {
          return process.kill(pid, 'SIGKILL')
        } catch {
          return false
        }
      })
      runs.clear()
      return killed.includes(true)
    },
  }
}

/** @type {Record<Chain['engine'], (of: { folder: string, sides: Sides }, timeout: string, onRun: (pid: number) => void) => Promise<any>>} */
const OPEN = {
  async openwhisk({ folder, sides }, timeout, onRun) {
    const config = join(folder, 'config')
    writeFileSync(config, PROFILES.map(name => profileOf(name, sides[name])).join('\n'))
    const options = { containers: 12, limits: { perMinute: 1e6 }, file: join(folder, 'platform') }
    let platform = await startPlatform(options)
    const { auth, apihost, port } = platform
    const env = { APIHOST: apihost, AUTH: auth, AWS_CONFIG_FILE: config }
    const own = { env: { ...env, HOME: folder, PATH: process.env.PATH } }
    await deploy(own)
    await deploy({ ...own, runner: true, runnerProfile: [...PROFILES], timeout })
    function watch() {
      platform.activations.on('run', ({ action, pid }) => void (action.endsWith('/run') && onRun(pid)))
    }
    watch()
    return {
      env,
      named: true,
      rules: () => platform.faults,
      close: () => platform.close(),
      /** Everything that runs dies, and it is started again. @param {number} downMs */
      async restart(downMs) {
        await platform.close()
        await delay(downMs)
        platform = await startPlatform({ ...options, auth, port })
        watch()
      },
    }
  },

  async lambda({ folder, sides }, timeout, onRun) {
    const service = await startFunction()
    const env = { ...service.env, ...sides.source, ...sides.dest, ...sides.state }
    await deploy({ runner: true, engine: 'lambda', role: ROLE, timeout, env: { ...env, HOME: folder } })
    const client = clientOf(service)
    const { HOME: _, AWS_REGION: __, AWS_ACCESS_KEY_ID: ___, AWS_SECRET_ACCESS_KEY: ____, ...Variables } = env
    const Environment = { Variables: { ...Variables, XFER_INTERFACE: '2' } }
    await client.send(new UpdateFunctionConfigurationCommand({ FunctionName: 'xfer-run', Environment }))
    client.destroy()
    service.events.on('run', ({ function: name, pid }) => void (name === 'xfer-run' && onRun(pid)))
    // It cannot be stopped as a whole.
    return { env, named: false, rules: () => service.faults, close: () => service.close(), restart: async () => {} }
  },
}

/** @param {string} name @param {Record<string, string>} side */
function profileOf(name, side) {
  const of = (/** @type {string} */ what) => Object.entries(side).find(([key]) => key.endsWith(what))?.[1] ?? ''
  return [
    `[profile ${name}]`,
    `aws_access_key_id = ${of('_ACCESS_KEY_ID')}`,
    `aws_secret_access_key = ${of('_SECRET_ACCESS_KEY')}`,
    `region = ${of('_REGION')}`,
    `endpoint_url = ${of('_ENDPOINT_URL')}`,
    '',
  ].join('\n')
}

/**
 * What a command with `--detach` and then `xfer attach` have told, as the events of one that stays.
 *
 * @param {import('./run').Ended} detached
 * @param {import('./run').Ended} attached
 * @returns {import('./run').Ended}
 */
function asOne(detached, attached) {
  const { last, status } = attached
  const { job, id = job, notices = [], failures = [], ended, ...report } = last ?? {}
  const told = [
    ...notices.map((/** @type {any} */ notice) => ({ type: 'notice', ...notice })),
    ...failures.map((/** @type {any} */ failure) => ({ type: 'failure', ...failure })),
  ]
  const end =
    status === 0
      ? { ...report, type: 'done', job: id }
      : { hint: '', ...last, ...ended, type: 'error', job: report.state === 'stopped' ? id : undefined }
  return {
    ...attached,
    args: detached.args,
    stderr: detached.stderr + attached.stderr,
    events: [...detached.events.filter(({ type }) => type !== 'detached'), ...told, end],
    last: end,
  }
}

module.exports = { asOne, drawChain, openChain }
