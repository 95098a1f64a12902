'use strict'

/**
 * The part of wskdeploy's manifest that xfer uses: `packages.<p>.actions.<a>` with `function` (a folder), `runtime`,
 * `inputs`, `limits` and `annotations`. https://github.com/apache/openwhisk-wskdeploy/blob/master/specification/README.md
 */

const { readFile } = require('node:fs/promises')
const { dirname, join } = require('node:path')
const { parse } = require('yaml')
const { XferError, asXferError } = require('../../errors')
const { readFolder } = require('../archive')

/**
 * @typedef {object} ActionSpec
 * @property {string} packageName
 * @property {string} name
 * @property {string} runtime
 * @property {Record<string, unknown>} annotations
 * @property {Record<string, unknown>} parameters bound to the action
 * @property {{ timeout?: number, memory?: number, logs?: number, concurrency?: number }} limits milliseconds, MB, MB, activations
 *   that may share a container
 * @property {import('../archive').Files} files
 */

/**
 * @param {string} path
 * @returns {Promise<ActionSpec[]>} at least one
 * @throws {XferError} USAGE
 */
async function readManifest(path) {
  /** @param {string} reason @param {unknown} [cause] */
  const bad = (reason, cause) => {
    const text = `The manifest ${path} cannot be used: ${reason}.`
    return new XferError('USAGE', { text, advice: 'Use the manifest.yaml that came with this xfer.' }, { cause })
  }
  /** @type {any} */
  let document
  try {
    document = parse(await readFile(path, 'utf8'))
  } catch (error) {
    // The first line of a YAML error gives its position; the following lines quote the file.
    throw bad(asXferError(error).facts.reason.split('\n')[0].replace(/[:.]$/, ''), error)
  }
  const described = Object.entries(document?.packages ?? {}).flatMap(([packageName, content]) =>
    Object.entries(/** @type {any} */ (content)?.actions ?? {}).map(entry => ({ packageName, entry })),
  )
  if (described.length === 0) throw bad('it describes no action')
  return Promise.all(described.map(readAction))

  /** @param {{ packageName: string, entry: [name: string, action: any] }} described @returns {Promise<ActionSpec>} */
  async function readAction({ packageName, entry: [name, action] }) {
    const { function: named, runtime = 'nodejs:default', annotations, inputs, limits } = action ?? {}
    if (typeof named !== 'string') throw bad(`the action ${name} names no function`)
    const folder = join(dirname(path), named)
    const files = await readFolder(folder).catch(cause => {
      throw bad(`the folder ${folder} of the action ${name} cannot be read (${cause.code})`, cause)
    })
    return {
      ...{ packageName, name, files },
      runtime,
      annotations: annotations ?? {},
      parameters: Object.fromEntries(Object.entries(inputs ?? {}).map(([key, input]) => [key, inputValue(input)])),
      limits: {
        timeout: limits?.timeout,
        memory: limits?.memorySize,
        logs: limits?.logSize,
        concurrency: limits?.concurrentActivations,
      },
    }
  }
}

/** The value of an input, which is the value itself, or an object with `value` and `type`. @param {any} input */
function inputValue(input) {
  return input?.value === undefined ? input : input.value
}

module.exports = { readManifest }
