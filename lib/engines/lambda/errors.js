'use strict'

/** Errors of AWS Lambda and of its functions. */

const { EXIT, why, withRows } = require('../../errors')

/** @typedef {Record<string, any>} Facts */

/** The command that deploys the function under its name. @param {string} [name] */
function deployCommand(name) {
  const named = name !== undefined && /^[\w:-]+$/.test(name) && name !== 'xfer-copy-range' ? ` --function ${name}` : ''
  return `xfer deploy --engine lambda${named}`
}

/** @param {Facts} f */
const deployWith = f => f.deployCommand ?? deployCommand()

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  NO_LAMBDA: {
    exit: EXIT.ENGINE,
    message: f =>
      f.neededBy
        ? `No function of AWS Lambda is configured, and ${f.neededBy} needs one.`
        : 'The lambda engine was asked for, and no function of AWS Lambda is configured.',
    hint: () => 'Name it with --function or XFER_LAMBDA_FUNCTION.',
  },
  LAMBDA_NO_CREDENTIALS: {
    exit: EXIT.ENGINE,
    message: f => `There are no credentials for AWS Lambda (${why(f)}).`,
    hint: () =>
      'Run aws configure, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE.',
  },
  LAMBDA_KEY_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} refuses the request (${f.type}: ${f.reason}).`,
    hint: f => {
      if (f.type !== 'AccessDeniedException') return `Check the credentials, which came from ${f.keyFrom}.`
      return f.advice ?? 'Allow lambda:InvokeFunction on the function to the user or role of these credentials.'
    },
  },
  LAMBDA_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} cannot be reached (${why(f)}).`,
    hint: () => 'Check the region, the endpoint and the network.',
    retryable: true,
    shared: true,
    uncertain: true,
  },
  LAMBDA_LOST: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} gave no answer within ${Math.round(f.afterMs / 1000)} s.`,
    hint: () => 'Look at the logs of the function.',
    retryable: true,
    uncertain: true,
  },
  NOT_LAMBDA: {
    exit: EXIT.ENGINE,
    message: f => `What answers in place of ${f.where} is something else (${why(f)}).`,
    hint: () => 'Check AWS_ENDPOINT_URL_LAMBDA and AWS_ENDPOINT_URL, and the endpoints of the profile.',
  },
  LAMBDA_NOT_DEPLOYED: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} has no function ${f.action}.`,
    hint: f => `Run ${deployWith(f)}, then repeat the command.`,
  },
  LAMBDA_BROKEN: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} cannot be started (${f.reason}).`,
    hint: f => `Run ${deployWith(f)}, then repeat the command.`,
  },
  LAMBDA_NOT_READY: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} is not ready (${f.reason}).`,
    hint: () => 'Repeat the command in a minute.',
    retryable: true,
  },
  LAMBDA_THROTTLED: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} asks for fewer requests (${f.reason}).`,
    hint: () => 'Lower --concurrency, or ask AWS for a higher quota of concurrent executions.',
    retryable: true,
    throttled: true,
  },
  LAMBDA_ERROR: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} failed (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at the state of AWS in that region.',
    retryable: true,
    shared: true,
    uncertain: true,
  },
  LAMBDA_ENVIRONMENT: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} cannot start the function ${f.action} (${f.type}: ${f.reason}).`,
    hint: () => 'Check the network, the keys and the file systems that the function was given; it needs none of them.',
    retryable: true,
  },
  LAMBDA_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `${f.where} refused the request (HTTP ${f.status}, ${f.type}: ${f.reason}).`,
    hint: f => f.advice ?? 'Check the function and its settings.',
  },
  LAMBDA_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} failed: ${f.reason}.`,
    hint: () => 'Look at the logs of the function.',
    retryable: true,
    uncertain: true,
  },
  LAMBDA_OUT_OF_MEMORY: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} ran out of memory.`,
    hint: f => `Deploy it with more memory: ${deployWith(f)} --memory 1G.`,
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  LAMBDA_TIMED_OUT: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} exceeded its time limit (${f.reason}).`,
    hint: f => `Deploy it with a longer timeout (${deployWith(f)} --timeout 10m), or choose a smaller --chunk.`,
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  LAMBDA_EXITED: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} ended without an answer (${f.reason}).`,
    hint: () => 'Look at the logs of the function; deploy it with more memory if it was short.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  LAMBDA_PAYLOAD_TOO_LARGE: {
    exit: EXIT.ENGINE,
    message: f => `The parameters or the result of an invocation are larger than Lambda allows (${f.reason}).`,
    hint: () => 'Choose a larger --chunk.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  LAMBDA_NO_ROLE: {
    exit: EXIT.USAGE,
    message: f => `The function ${f.action} does not exist yet, and a new one needs a role.`,
    hint: () =>
      'Give --role with the ARN of a role that lambda.amazonaws.com may assume, and that has the policy AWSLambdaBasicExecutionRole; it needs no rights to stores.',
  },
  LAMBDA_NOT_ACTIVE: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} did not become ready on AWS Lambda (${why(f)}).`,
    hint: () => 'Look at the function in the console of AWS Lambda, then repeat the command.',
  },
  LAMBDA_FOREIGN: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} on ${f.where} was not deployed by xfer, so it is left alone.`,
    hint: () => 'Choose another name with --function, or change it with the tool that has made it.',
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError, deployCommand }
