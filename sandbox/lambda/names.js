'use strict'

const { LambdaError } = require('./errors')

const ACCOUNT = '123456789012'
const NAME = /^(?:arn:aws:lambda:([\w-]+):\d{12}:function:)?([A-Za-z0-9-_]{1,64})(?::(\$LATEST|[A-Za-z0-9-_]{1,128}))?$/

/**
 * A function as a path or an ARN names it, with or without a version or an alias.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_RequestParameters
 *
 * @param {string} text decoded
 * @param {{ region: string }} where
 * @returns {{ name: string, qualifier: string | undefined }}
 * @throws {LambdaError}
 */
function parseFunctionName(text, { region }) {
  const [found, arnRegion = region, name, qualifier] = NAME.exec(text) ?? []
  if (found === undefined) {
    throw new LambdaError('ValidationException', {
      message: `1 validation error detected: Value '${text}' at 'functionName' failed to satisfy constraint`,
    })
  }
  if (arnRegion === region) return { name, qualifier }
  throw new LambdaError('ResourceNotFoundException', {
    message: `Functions from '${arnRegion}' are not reachable in this region ('${region}')`,
  })
}

/** @param {{ region: string }} where @param {string} name @param {string} [qualifier] */
function arnOf({ region }, name, qualifier) {
  return `arn:aws:lambda:${region}:${ACCOUNT}:function:${name}${qualifier ? `:${qualifier}` : ''}`
}

module.exports = { arnOf, parseFunctionName }
