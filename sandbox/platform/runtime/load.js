'use strict'

const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const vm = require('node:vm')
const { unzip } = require('../../common/unzip')

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

module.exports = { loadAction }
