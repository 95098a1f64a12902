'use strict'

const { CreateFunctionCommand, LambdaClient } = require('@aws-sdk/client-lambda')
const { strToU8, zipSync } = require('fflate')

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

module.exports = { clientOf, createFunction, ROLE }
