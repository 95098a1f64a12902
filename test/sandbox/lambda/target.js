'use strict'

const fs = require('node:fs')
const { CreateFunctionCommand, InvokeCommand, LambdaClient } = require('@aws-sdk/client-lambda')
const { strToU8, zipSync } = require('fflate')
const { startLambda } = require('../../../sandbox/lambda')

const ROLE = 'arn:aws:iam::123456789012:role/test'

/** @param {string} source of `index.js` @returns the same bytes at any time */
const zipOf = source => zipSync({ 'index.js': strToU8(source) }, { mtime: new Date(1980, 0, 1) })

/** @param {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} service @param {object} [options] */
function clientOf({ endpoint, region, accessKeyId, secretAccessKey }, options) {
  const credentials = { accessKeyId, secretAccessKey }
  return new LambdaClient({ endpoint, region, credentials, maxAttempts: 1, ...options })
}

/** @param {LambdaClient} client @param {string} source @param {object} [options] of CreateFunction */
function createFunction(client, source, options) {
  return client.send(
    new CreateFunctionCommand({
      FunctionName: 'f',
      Runtime: 'nodejs22.x',
      Role: ROLE,
      Handler: 'index.handler',
      Code: { ZipFile: zipOf(source) },
      ...options,
    }),
  )
}

/**
 * A service in this process with one function, `f`, that is active.
 *
 * @param {{ source?: string, configuration?: object } & import('../../../sandbox/lambda/types').LambdaOptions} [options]
 */
async function startFunction({ source = 'exports.handler = async event => event', configuration, ...options } = {}) {
  const service = await startLambda({ pendingMs: 0, ...options })
  const client = clientOf(service)
  await createFunction(client, source, configuration)
  return {
    service,
    client,
    /** @param {unknown} [event] @param {object} [more] of Invoke @returns what came of it, the payload parsed */
    async invoke(event, more) {
      const Payload = event === undefined ? undefined : JSON.stringify(event)
      const answer = await client.send(new InvokeCommand({ FunctionName: 'f', Payload, ...more }))
      const { FunctionError, Payload: bytes, ...rest } = answer
      const text = bytes && Buffer.from(bytes).toString()
      return { error: FunctionError, payload: text ? JSON.parse(text) : undefined, ...rest }
    },
    async close() {
      client.destroy()
      await service.close()
    },
  }
}

/** @param {number} pid @returns {string | undefined} the letter of /proc: `T` is stopped; undefined: it is gone */
function stateOf(pid) {
  try {
    return /^\d+ \(.*\) (\w)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

module.exports = { clientOf, createFunction, startFunction, stateOf, zipOf, ROLE }
