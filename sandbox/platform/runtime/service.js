'use strict'

/** @typedef {{ status: number, body: unknown }} Reply */

const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const vm = require('node:vm')
const { unzip } = require('../../common/unzip')

/** @param {number} status @param {string} error @returns {Reply} */
const refusal = (status, error) => ({ status, body: { error } })

/**
 * A container's answers to /init and /run, and its states. Upstream: openwhisk-runtime-nodejs src/service.js.
 */
function createService() {
  /** @type {'ready' | 'starting' | 'running' | 'stopped'} a stopped service stays stopped */
  let status = 'ready'
  /** @type {Main | undefined} */
  let main

  /**
   * @param {{ value: { main: string, code: string, binary: boolean, env: Record<string, string> } }} body
   * @returns {Promise<Reply>}
   */
  async function init({ value: { env, ...action } }) {
    if (main) return refusal(403, 'Cannot initialize the action more than once.')
    if (status !== 'ready') return refusal(403, `System not ready, status is ${status}.`)
    status = 'starting'
    try {
      Object.assign(process.env, env)
      main = loadAction(action)
      status = 'ready'
      // garbage from unpacking must not count against the first activation's memory
      globalThis.gc?.()
      return { status: 200, body: { OK: true } }
    } catch (thrown) {
      const error = /** @type {any} */ (thrown)
      console.error('Error during initialization:', error)
      status = 'stopped'
      return refusal(502, `Initialization has failed due to: ${error?.stack ? String(error.stack) : error}`)
    }
  }

  /**
   * @param {Record<string, unknown>} message
   * @returns {Promise<Reply>}
   */
  async function run(message) {
    const parameters = message.value ?? {}
    if (!main) return refusal(403, 'System not initialized.')
    if (status !== 'ready') return refusal(403, `System not ready, status is ${status}.`)
    status = 'running'
    for (const [key, value] of Object.entries(message)) {
      if (key !== 'value' && typeof value === 'string') process.env[`__OW_${key.toUpperCase()}`] = value
    }
    try {
      const result = await settled(main, parameters)
      status = 'ready'
      if (typeof result !== 'object') return refusal(502, 'The action did not return a dictionary.')
      return { status: 200, body: result }
    } catch (error) {
      // main threw synchronously: the action's state is unknown, so this container is not used again
      console.error(error)
      status = 'stopped'
      return refusal(502, `An error has occurred: ${error}`)
    }
  }

  return { init, run }
}

/**
 * Rejects if main throws synchronously. A promise of main's that rejects is a result, `{ error }`.
 *
 * @param {Main} main
 * @param {unknown} parameters
 * @returns {Promise<unknown>}
 */
async function settled(main, parameters) {
  const returned = main(parameters)
  try {
    const result = await returned
    return result === undefined ? {} : result
  } catch (reason) {
    // upstream shows all of an error's own properties too
    if (reason instanceof Error) return { error: { name: reason.name, message: reason.message, stack: reason.stack } }
    return { error: reason ?? {} }
  }
}

/** @typedef {(parameters: unknown) => unknown} Main */

/**
 * Finds the entry function of an action's code. Upstream: openwhisk-runtime-nodejs runner.js, initializeActionHandler.
 *
 * @param {{ code: string, main: string, binary?: boolean }} message the value of /init
 * @returns {Main}
 * @throws {Error | string} what the code throws while it loads, or a sentence
 */
function loadAction({ code, main, binary }) {
  const handler = binary ? loadArchive(code, main) : loadSource(code, main)
  if (typeof handler !== 'function') throw `Action entrypoint '${main}' is not a function.`
  return handler
}

/**
 * Runs plain source as the body of a sloppy-mode function, without a file. Its `require` resolves from the container's
 * directory. If it resolved from here, an action could use this project's packages, and would fail on a real platform.
 * (Upstream's resolves next to the runtime's own packages, such as openwhisk and express; the sandbox does not have those.)
 *
 * @param {string} code
 * @param {string} main
 * @returns {Main}
 */
function loadSource(code, main) {
  const directory = process.cwd()
  const module = { exports: /** @type {Record<string, unknown>} */ ({}) }
  const body = `${code}
try { return ${main} } catch (error) {
  if (error instanceof ReferenceError) return module.exports.${main} || exports.${main}
  throw error
}`
  const run = vm.compileFunction(body, ['require', 'module', 'exports', '__filename', '__dirname'], {
    filename: 'action.js',
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const file = path.join(directory, 'app.js')
  return run(createRequire(file), module, module.exports, file, directory)
}

/**
 * A zip in base64 is unpacked in a directory of its own below the current one, which it then becomes, and `require`d.
 *
 * @param {string} code
 * @param {string} main `function` of the directory's own module, or `file.function`
 * @returns {Main}
 */
function loadArchive(code, main) {
  const directory = fs.mkdtempSync(path.join(process.cwd(), 'action-'))
  unzip(Buffer.from(code, 'base64'), directory)
  process.chdir(directory)

  const dot = main.indexOf('.')
  const entry = dot < 0 ? directory : path.join(directory, main.slice(0, dot))
  const steps = (dot < 0 ? main : main.slice(dot + 1)).split('.')
  if (dot < 0 && !['package.json', 'index.js'].some(file => fs.existsSync(path.join(directory, file)))) {
    throw 'Zipped actions must contain either package.json or index.js at the root.'
  }
  return steps.reduce((value, step) => value[step], createRequire(path.join(directory, 'app.js'))(entry))
}

module.exports = { createService }
