'use strict'

const { createHash, randomUUID } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { unzip } = require('../../common/unzip')
const { LambdaError } = require('../errors')
const { arnOf } = require('../names')

/** @import { Code, Configuration, LambdaFunction, Settings, Version } from '../types' */

/**
 * The functions of the account, with their code unpacked.
 *
 * @param {{ settings: Settings, root: () => string }} options root: the directory that code is unpacked below
 */
function createFunctions({ settings, root }) {
  /** @type {Map<string, LambdaFunction>} */
  const functions = new Map()
  let revisions = 0
  let archives = 0

  /** @param {Buffer} zip @returns {Code} @throws {LambdaError} InvalidParameterValueException */
  function unpack(zip) {
    const { zipBytes, unzippedBytes } = settings.limits
    if (zip.length > zipBytes) throw new LambdaError('RequestTooLargeException')
    archives += 1
    const directory = path.join(root(), `code-${archives}`)
    try {
      unzip(zip, directory)
    } catch {
      throw new LambdaError('InvalidParameterValueException', {
        message: 'Could not unzip uploaded file. Please check your file, then try to upload again.',
      })
    }
    if (bytesBelow(directory) > unzippedBytes) {
      fs.rmSync(directory, { recursive: true })
      throw new LambdaError('InvalidParameterValueException', {
        message: `Unzipped size must be smaller than ${unzippedBytes} bytes`,
      })
    }
    return { zip, sha256: createHash('sha256').update(zip).digest('base64'), directory }
  }

  /** @param {string} name @param {Configuration} configuration @param {Code} code @returns {Version} */
  function latestOf(name, configuration, code) {
    return { name, arn: arnOf(settings, name), revision: ++revisions, configuration, code }
  }

  const stamp = () => ({
    lastModified: new Date(settings.clock()).toISOString().replace('Z', '+0000'),
    revisionId: randomUUID(),
  })

  /** Stores all functions, where a service that starts later finds them. */
  function save() {
    if (!settings.file) return
    const list = [...functions.values()].map(({ latest, previous: _, ...rest }) => ({
      ...rest,
      configuration: latest.configuration,
      zip: latest.code.zip.toString('base64'),
    }))
    fs.writeFileSync(`${settings.file}.new`, JSON.stringify(list))
    fs.renameSync(`${settings.file}.new`, settings.file)
  }

  function load() {
    if (!settings.file || !fs.existsSync(settings.file)) return
    for (const { configuration, zip, ...rest } of JSON.parse(fs.readFileSync(settings.file, 'utf8'))) {
      const latest = latestOf(rest.name, configuration, unpack(Buffer.from(zip, 'base64')))
      functions.set(rest.name, { ...rest, latest })
    }
  }
  load()

  return {
    list: () => [...functions.values()],
    /** @param {string} name */
    find: name => functions.get(name),
    /** @param {string} name @param {string} [qualifier] @throws {LambdaError} ResourceNotFoundException */
    get(name, qualifier = '$LATEST') {
      const found = qualifier === '$LATEST' ? functions.get(name) : undefined
      if (found) return found
      throw new LambdaError('ResourceNotFoundException', {
        message: `Function not found: ${arnOf(settings, name, qualifier === '$LATEST' ? undefined : qualifier)}`,
      })
    },
    /**
     * @param {string} name
     * @param {{ configuration: Configuration, zip: Buffer }} what
     * @returns {LambdaFunction}
     */
    create(name, { configuration, zip }) {
      const latest = latestOf(name, configuration, unpack(zip))
      const activeAtMs = settings.clock() + settings.pendingMs
      /** @type {LambdaFunction} */
      const created = {
        name,
        latest,
        ...stamp(),
        activeAtMs,
        updatedAtMs: activeAtMs,
      }
      functions.set(name, created)
      save()
      return created
    },
    /**
     * The version that runs until the update is done stays where it is.
     *
     * @param {LambdaFunction} fn
     * @param {{ configuration?: Configuration, zip?: Buffer }} what
     */
    update(fn, { configuration = fn.latest.configuration, zip }) {
      const code = zip ? unpack(zip) : fn.latest.code
      fn.previous = fn.latest
      fn.latest = latestOf(fn.name, configuration, code)
      Object.assign(fn, stamp(), { updatedAtMs: settings.clock() + settings.pendingMs })
      save()
    },
    /** @param {LambdaFunction} fn */
    remove(fn) {
      functions.delete(fn.name)
      save()
    },
    save,
    /**
     * What an invocation runs.
     *
     * @param {LambdaFunction} fn
     * @returns {Version}
     */
    versionOf: fn => (fn.previous && settings.clock() < fn.updatedAtMs ? fn.previous : fn.latest),
    reservedInAll: () => [...functions.values()].reduce((sum, { reserved = 0 }) => sum + reserved, 0),
  }
}

const CREATING = { reason: 'The function is being created.', code: 'Creating' }

/**
 * A function as the API tells it. https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 * @returns {Record<string, unknown>}
 */
function describe(fn, now) {
  const { arn, code, configuration, name } = fn.latest
  return {
    FunctionName: name,
    FunctionArn: arn,
    ...configuration,
    CodeSize: code.zip.length,
    CodeSha256: code.sha256,
    LastModified: fn.lastModified,
    Version: '$LATEST',
    TracingConfig: { Mode: 'PassThrough' },
    RevisionId: fn.revisionId,
    ...stateOf(fn, now),
    PackageType: 'Zip',
    SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
    LoggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${name}` },
  }
}

/**
 * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 */
function stateOf({ activeAtMs, updatedAtMs }, now) {
  if (now < activeAtMs) return { State: 'Pending', StateReason: CREATING.reason, StateReasonCode: CREATING.code }
  if (now >= updatedAtMs) return { State: 'Active', LastUpdateStatus: 'Successful' }
  return {
    State: 'Active',
    LastUpdateStatus: 'InProgress',
    LastUpdateStatusReason: CREATING.reason,
    LastUpdateStatusReasonCode: CREATING.code,
  }
}

/** @param {string} directory @returns {number} */
function bytesBelow(directory) {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

/** @typedef {ReturnType<typeof createFunctions>} Functions */

module.exports = { createFunctions, describe, stateOf }
