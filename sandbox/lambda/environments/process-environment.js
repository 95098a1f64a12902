'use strict'

/** @import { Environment, Outcome, Settings, Version } from '../types' */

const fs = require('node:fs')
const path = require('node:path')
const { startGroup } = require('../../common/processes/group')
const { within } = require('../../common/processes/pool')
const { createCallServer, readBody, sendAnswer } = require('../../common/calls')
const { closeServer, listen } = require('../../common/server')

const BOOTSTRAP = path.join(__dirname, '..', 'runtime', 'bootstrap.js')
/** How long a function may load before its time limit begins. */
const INIT_MS = 10_000
/** @type {Outcome} */
const TIMEOUT = { kind: 'timeout' }

/**
 * Creates environments that are processes. Each has a Runtime API of its own, a process group and a directory, and
 * environment variables that inherit nothing of the service's but PATH.
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {() => string} options.root the parent directory of the environments' directories
 * @param {{ add(pid: number): void, remove(pid: number): void }} options.reaper gets the id of each process
 * @returns {(version: Version) => Environment}
 */
function createProcessEnvironments({ settings, root, reaper }) {
  return version => {
    const { MemorySize, Timeout } = version.configuration
    const directory = fs.mkdtempSync(path.join(root(), 'environment-'))
    /** @type {ReturnType<typeof startGroup> | undefined} */
    let group
    let killed = false
    let isIdle = false
    let spent = false
    /** @type {() => void} */
    let wake = () => {}
    /** @type {Outcome | undefined} */
    let initError

    const api = createRuntimeApi({
      onIdle() {
        isIdle = true
        wake()
      },
      onInitError(body) {
        initError = { kind: 'answer', body, isError: true }
        wake()
      },
    })
    const started = api.listen().then(address => {
      if (killed) throw new Error('the environment was ended before it had started')
      group = startGroup({
        command: process.execPath,
        args: [`--max-old-space-size=${MemorySize}`, BOOTSTRAP],
        directory,
        cwd: version.code.directory,
        env: variablesOf(version, { settings, address, directory }),
        stdio: 'ignore',
        maxBytes: MemorySize * 1024 * 1024,
        reaper,
      })
    })
    started.catch(() => {})
    /** @type {Promise<Outcome>} */
    const exited = started.then(
      async () => {
        const end = await /** @type {NonNullable<typeof group>} */ (group).exited
        api.close()
        return { kind: 'ended', ...end }
      },
      () => {
        api.close()
        fs.rmSync(directory, { recursive: true, force: true })
        return { kind: 'ended', code: null, signal: null, outOfMemory: false }
      },
    )

    /** Waits until the runtime asks for an event. @param {number} ms @returns {Promise<Outcome | undefined>} undefined: it does */
    async function untilIdle(ms) {
      /** @type {Promise<Outcome | undefined>} */
      const idle = new Promise(resolve => {
        wake = () => resolve(initError)
        if (isIdle || initError) wake()
      })
      return within(ms, TIMEOUT, [idle, exited])
    }

    /** @param {import('../types').Invocation} invocation @returns {Promise<Outcome>} */
    async function run({ requestId, event, onSent }) {
      const timeoutMs = Timeout * 1000
      // What cannot load is dead: its process is about to end.
      const unready = await untilIdle(INIT_MS + timeoutMs)
      if (unready) spent = true
      if (unready) return unready
      const endsAt = Date.now() + timeoutMs
      isIdle = false
      /** @type {Promise<Outcome>} */
      const outcome = new Promise(resolve => {
        const headers = {
          'Lambda-Runtime-Deadline-Ms': String(endsAt),
          'Lambda-Runtime-Invoked-Function-Arn': version.arn,
        }
        api.deliver({ requestId, event, headers, onOutcome: resolve })
      })
      onSent?.()
      const first = await within(timeoutMs, TIMEOUT, [outcome, exited])
      // An invocation ends when the runtime asks for the next one. If it does not, its answer counts all the same.
      if (first.kind === 'answer' || first.kind === 'tooLarge') {
        spent = (await untilIdle(Math.max(0, endsAt - Date.now()))) !== undefined
      }
      return first
    }

    return {
      get pid() {
        return group?.child.pid
      },
      warm: false,
      started,
      exited,
      async invoke(invocation) {
        this.warm = true
        group?.watchMemory(true)
        const outcome = await run(invocation)
        group?.watchMemory(false)
        return outcome
      },
      get spent() {
        return spent
      },
      pause: () => group?.pause(),
      resume: () => group?.resume(),
      kill() {
        killed = true
        group?.kill()
      },
    }
  }
}

/**
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 *
 * @param {Version} version
 * @param {{ settings: Settings, address: string, directory: string }} facts
 * @returns {NodeJS.ProcessEnv}
 */
function variablesOf({ name, configuration, code }, { settings, address, directory }) {
  return {
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    LANG: 'en_US.UTF-8',
    ...configuration.Environment?.Variables,
    _HANDLER: configuration.Handler,
    AWS_REGION: settings.region,
    // Those of the function's role: here there is one account.
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(configuration.MemorySize),
    AWS_LAMBDA_RUNTIME_API: address,
    LAMBDA_TASK_ROOT: code.directory,
  }
}

const BASE = '/2018-06-01/runtime'
/** The response's limit is 6 MB, and some room for what is wrapped around it. */
const RESPONSE_BYTES = 6 * 1024 ** 2 + 100

/**
 * @typedef {object} Delivery
 * @property {string} requestId
 * @property {Buffer} event
 * @property {Record<string, string>} headers
 * @property {(outcome: Outcome) => void} onOutcome
 */

/**
 * The Runtime API of one environment: the runtime asks for an event, and says what came of it.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 *
 * @param {object} options
 * @param {() => void} options.onIdle the runtime asks for the next event
 * @param {(report: Buffer) => void} options.onInitError the runtime could not load the function, and says why
 */
function createRuntimeApi({ onIdle, onInitError }) {
  /** @type {import('node:http').ServerResponse | undefined} */
  let waiting
  /** @type {Delivery | undefined} */
  let current

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function handle(request, response) {
    /** @param {number} status @param {object} body */
    const reply = (status, body) => sendAnswer(request, response, { status, body }, {})
    const path = request.url ?? ''
    if (request.method === 'GET' && path === `${BASE}/invocation/next`) {
      waiting = response
      return onIdle()
    }
    const body = await readBody(request, RESPONSE_BYTES)
    if (request.method === 'POST' && path === `${BASE}/init/error`) {
      onInitError(body.bytes)
      return reply(202, { status: 'OK' })
    }
    const [, id, how] = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? []
    if (request.method !== 'POST' || !how) return reply(404, { errorType: 'NotFound', errorMessage: path })
    if (id !== current?.requestId) {
      return reply(400, { errorType: 'InvalidRequestID', errorMessage: 'Invalid request ID' })
    }
    const { onOutcome } = current
    current = undefined
    if (body.length > RESPONSE_BYTES) {
      onOutcome({ kind: 'tooLarge', bytes: body.length })
      const errorMessage = `Exceeded maximum allowed payload size (${RESPONSE_BYTES} bytes).`
      return reply(413, { errorType: 'RequestEntityTooLarge', errorMessage })
    }
    onOutcome({ kind: 'answer', body: body.bytes, isError: how === 'error' })
    return reply(202, { status: 'OK' })
  }

  const server = createCallServer(handle)
  // The runtime may be frozen for as long as it likes.
  server.keepAliveTimeout = 0

  return {
    /** @returns {Promise<string>} host and port */
    async listen() {
      const { port } = await listen(server, { port: 0 })
      return `127.0.0.1:${port}`
    },
    /** Gives the runtime, which waits, an event. @param {Delivery} delivery */
    deliver(delivery) {
      const response = /** @type {import('node:http').ServerResponse} */ (waiting)
      waiting = undefined
      current = delivery
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': delivery.event.length,
        'Lambda-Runtime-Aws-Request-Id': delivery.requestId,
        ...delivery.headers,
      })
      response.end(delivery.event)
    },
    close: () => closeServer(server),
  }
}

module.exports = { createProcessEnvironments, RESPONSE_BYTES }
