'use strict'

/** Errors of deployments to AWS Lambda. */

const { EXIT, why, withRows } = require('../../../errors')

/** @type {Record<string, import('../../../errors').Row>} */
const ROWS = {
  LAMBDA_NO_ROLE: {
    exit: EXIT.USAGE,
    message: f => `The function ${f.action} does not exist yet, and a new one needs a role.`,
    hint: () =>
      'Give --role with the ARN of a role that Lambda may assume, or --create-role to have the smallest one made.',
  },
  LAMBDA_NOT_ACTIVE: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} did not become ready on AWS Lambda (${why(f)}).`,
    hint: () => 'Look at the function in the console of AWS Lambda, then repeat the command.',
  },
  LAMBDA_CHANGED: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} was changed by somebody else during the deployment.`,
    hint: () => 'Repeat the command.',
    retryable: true,
  },
  LAMBDA_FOREIGN: {
    exit: EXIT.ENGINE,
    message: f => `The function ${f.action} on ${f.where} was not deployed by xfer, so it is left alone.`,
    hint: () => 'Choose another name with --function, or delete that function first.',
  },
  LAMBDA_SEALED: {
    exit: EXIT.ENGINE,
    message: f => `The variables of the function ${f.action} may not be read (${why(f)}), so it is left alone.`,
    hint: () => 'Get the permission kms:Decrypt for the key of the function.',
  },
  LAMBDA_ACCESS_UNREAD: {
    exit: EXIT.ENGINE,
    message: f => `The access rules of the function ${f.action} cannot be read, so they cannot be kept.`,
    hint: () => 'Say with --allow-hosts what it may connect to, or give it the rules of a new function with --reset.',
  },
  LAMBDA_CODE_UNREAD: {
    exit: EXIT.ENGINE,
    message: f =>
      `The certificates that ${f.action} trusts cannot be read from its code (${why(f)}), so they cannot be kept.`,
    hint: () => 'Give them again with --ca-bundle, or leave them out with --reset.',
  },
  LAMBDA_ROLE_FOREIGN: {
    exit: EXIT.ENGINE,
    message: f => `There is a role ${f.role} that xfer has not made for ${f.action}.`,
    hint: f => `Give the role that the function is to have with --role, or delete ${f.role} first.`,
  },
  LAMBDA_ROLE_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `IAM refuses to ${f.what} the role ${f.role} (${why(f)}).`,
    hint: f =>
      f.what === 'remove'
        ? 'The function has been removed: delete the role with an account that may do so.'
        : 'Use credentials that may create roles, or give an existing role with --role.',
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
