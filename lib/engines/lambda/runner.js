'use strict'

/** The function `xfer-run`: `xfer work` on AWS Lambda, with the rights of its role. */

const { runnerFiles } = require('../archive')
const { openClient } = require('./client')
const { deployAs, removeAs, unlessMissing } = require('./deploy')
const { parseFunctionName, providerOf } = require('./settings')

/** @typedef {import('./deploy').LambdaDeployOptions & { every?: number }} LambdaRunnerOptions */
/** @typedef {import('./settings').LambdaSettings} LambdaSettings */

const RUNNER = 'xfer-run'
const ANSWER_MS = 75_000

/** @type {import('./deploy').FunctionKind} */
const KIND = {
  files: runnerFiles,
  description: 'Runs the jobs of xfer that lie in a state',
  // 15 minutes are the most that Lambda allows.
  usual: { MemorySize: 1024, Timeout: 900, Handler: 'lib/runner/function.handler' },
}

/** @param {NodeJS.ProcessEnv} env the function itself has it too */
const nameOf = env => env.XFER_LAMBDA_RUNNER || RUNNER

/** @param {LambdaSettings} settings of the function that copies @param {NodeJS.ProcessEnv} env @returns {import('../contract').OpenRunner} */
function openRunner(settings, env) {
  const name = nameOf(env)
  const own = { ...settings, fn: parseFunctionName(name) }
  /** @template T @param {(client: import('./client').LambdaClient) => Promise<T>} ask */
  async function withClient(ask) {
    const client = openClient(own)
    return await ask(client).finally(client.close)
  }
  return {
    where: settings.where,
    action: name,
    deployed: () =>
      withClient(async ({ call, target }) => {
        const found = await unlessMissing(call('GetFunctionConfiguration', target))
        return found && { provider: providerOf(found.output) }
      }),
    async start(body) {
      await withClient(({ call, target }) => call('InvokeLater', { ...target, body }))
    },
    ask: body => withClient(({ invoke }) => invoke(body, { limitMs: ANSWER_MS })),
  }
}

/** @param {LambdaRunnerOptions} options @returns {Promise<import('../../types').Deployed>} with the policy of its role */
async function deployRunner(options) {
  const { env = process.env, every } = options
  const name = nameOf(env)
  // What moves the bytes of its jobs: as deployed, where nothing names another.
  const copier = options.functionName ?? (env.XFER_LAMBDA_FUNCTION || undefined)
  const kind = {
    ...KIND,
    usualVariables: { XFER_LAMBDA_FUNCTION: 'xfer-copy-range' },
    variables: { XFER_LAMBDA_RUNNER: name, ...(copier && { XFER_LAMBDA_FUNCTION: copier }) },
  }
  const deployed = await deployAs(kind, { ...options, functionName: name })
  const policy = JSON.stringify(policyOf([name, copier ?? 'xfer-copy-range']))
  // The schedules of AWS are another service: the guide has the command.
  return { ...deployed, policy, ...(every !== undefined && { alarm: { everyMs: every, set: false } }) }
}

/** What its role may do besides writing logs (AWSLambdaBasicExecutionRole): call itself and the function that copies, and the buckets. @param {string[]} names or ARNs */
function policyOf(names) {
  const functions = names.map(name => (name.startsWith('arn:') ? name : `arn:aws:lambda:*:*:function:${name}`))
  const allow = (/** @type {string[]} */ actions, /** @type {string[]} */ on) => ({
    Effect: 'Allow',
    Action: actions,
    Resource: on,
  })
  return {
    Version: '2012-10-17',
    Statement: [
      allow(['lambda:InvokeFunction', 'lambda:GetFunctionConfiguration', 'lambda:GetFunctionConcurrency'], functions),
      allow(['s3:ListBucket', 's3:ListBucketMultipartUploads'], ['arn:aws:s3:::BUCKET']),
      allow(
        [
          'GetObject',
          'GetObjectTagging',
          'PutObject',
          'PutObjectTagging',
          'AbortMultipartUpload',
          'ListMultipartUploadParts',
          'DeleteObject',
        ].map(action => `s3:${action}`),
        ['arn:aws:s3:::BUCKET/*'],
      ),
    ],
  }
}

/** @param {LambdaRunnerOptions} options */
async function undeployRunner(options) {
  return await removeAs({ ...options, functionName: nameOf(options.env ?? process.env) })
}

module.exports = { deployRunner, openRunner, undeployRunner }
