'use strict'

/** Errors of AWS Lambda and of its functions: what to do about them, and the row that no other engine has. */

const { EXIT, failuresWith, withRows } = require('../../errors')

/** The command that deploys the function under its name. @param {string} [name] */
function deployCommand(name) {
  const named = name !== undefined && /^[\w:-]+$/.test(name) && name !== 'xfer-copy-range' ? ` --function ${name}` : ''
  return `xfer deploy --engine lambda${named}`
}

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: () => 'Name it with --function or XFER_LAMBDA_FUNCTION.',
  PLATFORM_UNREACHABLE: () => 'Check the region, the endpoint and the network.',
  NOT_A_PLATFORM: () => 'Check AWS_ENDPOINT_URL_LAMBDA and AWS_ENDPOINT_URL, and the endpoints of the profile.',
  PLATFORM_KEY_REFUSED: f => {
    if (f.status === undefined) {
      return 'Run aws configure, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.'
    }
    if (f.type !== 'AccessDeniedException') return `Check the credentials, which came from ${f.keyFrom}.`
    return f.whenRefused ?? 'Allow lambda:InvokeFunction on the function to the user or role of these credentials.'
  },
  PLATFORM_THROTTLED: () => 'Lower --concurrency, or ask AWS for a higher quota of concurrent executions.',
  PLATFORM_ERROR: () => 'Repeat the command; if it fails again, look at the state of AWS in that region.',
  PLATFORM_REFUSED: f => f.whenRefused ?? 'Check the function and its settings.',
  ACTIVATION_OUT_OF_MEMORY: f => `Deploy it with more memory: ${f.deployCommand} --memory 1G.`,
  ACTIVATION_TIMED_OUT: f =>
    `Deploy it with a longer timeout (${f.deployCommand} --timeout 10m), or choose a smaller --chunk.`,
  ACTION_NOT_LOADED: f =>
    f.given
      ? 'Check the network, the keys and the file systems that the function was given; it needs none of them.'
      : 'Repeat the command in a minute.',
}

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  LAMBDA_FOREIGN: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} on ${f.where} was not deployed by xfer, so it is left alone.`,
    hint: () => 'Choose another name with --function, or change it with the tool that has made it.',
  },
}

/** The class with these rows in its table. */
const XferError = withRows(ROWS)

/** Makes an error with the advice for this engine. */
const failure = failuresWith(ADVICE)

module.exports = { ROWS, XferError, deployCommand, failure }
