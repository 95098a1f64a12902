'use strict'

/** Errors of AWS Lambda and of its functions. */

const { EXIT, why, withRows } = require('../../../errors')

/** @typedef {Record<string, any>} Facts */

/**
 * The command that deploys the function under the name, and to the region, that are used.
 *
 * @param {{ action?: string, flags?: string[] }} how
 */
function deployCommand({ action, flags = [] }) {
  const named = action && /^[\w:-]+$/.test(action) && action !== 'xfer-copy-range' ? ['--function', action] : []
  return ['xfer deploy --engine lambda', ...named, ...flags].join(' ')
}

/** @param {Facts} f */
const deployWith = f => f.deployCommand ?? 'xfer deploy --engine lambda'

/** @type {Record<string, import('../../../errors').Row>} */
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
    hint: () => 'Run aws configure, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give --lambda-profile.',
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
    hint: () => 'Check --lambda-endpoint, or AWS_ENDPOINT_URL_LAMBDA and AWS_ENDPOINT_URL.',
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
    hint: () => 'Lower --parts-per-invocation.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError, deployCommand }
