'use strict'

/** The name of the function. */

const { XferError } = require('../../../errors')

const FUNCTION = 'xfer-copy-range'

/** A name, `account:function:name`, or an ARN, each with a version or an alias: API reference, Invoke, FunctionName. */
const NAME =
  /^(?:arn:aws[\w-]*:lambda:(?<region>[a-z]+(?:-[a-z]+)+-\d+):)?(?:(?<account>\d{12}):function:)?[\w-]{1,64}(?<qualifier>:(?:\$LATEST|[\w-]{1,128}))?$/

/**
 * @typedef {object} FunctionName
 * @property {string} text as it was given
 * @property {string} name without version and alias; an ARN stays one
 * @property {string} [qualifier] a version or an alias
 * @property {string} [account] whose function it is, if that was given
 * @property {string} [region] of an ARN
 */

/**
 * @param {string} [text] from `--function`
 * @returns {FunctionName}
 * @throws {XferError} USAGE
 */
function parseFunctionName(text = FUNCTION) {
  const { account, region, qualifier } = NAME.exec(text)?.groups ?? {}
  const fits = NAME.test(text) && (!text.startsWith('arn:') || /:\d{12}:function:/.test(text))
  if (!fits) {
    throw new XferError('USAGE', {
      text: `--function "${text}" cannot be the name of a function.`,
      advice: 'Give it as name, name:alias or arn:aws:lambda:region:account:function:name.',
    })
  }
  return {
    text,
    name: qualifier ? text.slice(0, -qualifier.length) : text,
    ...(qualifier && { qualifier: qualifier.slice(1) }),
    ...(account && { account }),
    ...(region && { region }),
  }
}

module.exports = { parseFunctionName }
