'use strict'

/**
 * What a handler is told of its invocation. https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 *
 * @param {import('node:http').IncomingHttpHeaders} headers of the event
 * @param {NodeJS.ProcessEnv} env
 */
function createContext(headers, env) {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms'])
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  }
}

module.exports = { createContext }
