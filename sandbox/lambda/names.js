'use strict'

const { LambdaError } = require('./errors')

const NAME = /^[A-Za-z0-9-_]{1,64}$/
const QUALIFIER = /^(\$LATEST|[A-Za-z0-9-_]{1,128})$/

/**
 * A function as a path or an ARN names it: its name, its partial or its full ARN, with or without a version or an alias.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_RequestParameters
 *
 * @param {string} text decoded
 * @param {{ region: string, accountId: string }} where
 * @returns {{ name: string, qualifier: string | undefined }}
 * @throws {LambdaError}
 */
function parseFunctionName(text, { region, accountId }) {
  const [, arnRegion, account, rest] = /^(?:arn:[\w-]+:lambda:([\w-]+):)?(?:(\d{12}):function:)?(.+)$/.exec(text) ?? []
  const [name, qualifier, ...more] = (rest ?? '').split(':')
  if (!NAME.test(name) || more.length > 0 || (qualifier !== undefined && !QUALIFIER.test(qualifier))) {
    throw new LambdaError('ValidationException', {
      message:
        `1 validation error detected: Value '${text}' at 'functionName' failed to satisfy constraint: Member must satisfy ` +
        'regular expression pattern: (arn:(aws[a-zA-Z-]*)?:lambda:)?([a-z]{2}(-gov)?-[a-z]+-\\d{1}:)?(\\d{12}:)?(function:)?' +
        '([a-zA-Z0-9-_]+)(:(\\$LATEST|[a-zA-Z0-9-_]+))?',
    })
  }
  if (arnRegion !== undefined && arnRegion !== region) {
    throw new LambdaError('ResourceNotFoundException', {
      message: `Functions from '${arnRegion}' are not reachable in this region ('${region}')`,
    })
  }
  if (account !== undefined && account !== accountId) throw new LambdaError('AccessDeniedException')
  return { name, qualifier }
}

/** @param {{ region: string, accountId: string }} where @param {string} name @param {string} [qualifier] */
function arnOf({ region, accountId }, name, qualifier) {
  return `arn:aws:lambda:${region}:${accountId}:function:${name}${qualifier ? `:${qualifier}` : ''}`
}

module.exports = { arnOf, parseFunctionName }
