'use strict'

/**
 * The smallest role of the function: Lambda may assume it, and it may write the function's log. It needs no right to any store,
 * because each request that a function sends is signed by the command. https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
 */

const { requestHandler } = require('../../../aws')
const { throwIfAborted, withoutSecrets } = require('../../../errors')
const { XferError } = require('./errors')

const SILENCE_MS = 30_000
const GONE = 'NoSuchEntityException'

/** Says for which function xfer has made the role. */
const TAG = 'xfer-function'
const POLICY = 'log'
/** Of IAM, in characters. */
const MOST_NAME = 64

const TRUST = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
}

/**
 * @param {string} arn of the role, which names the partition and the account
 * @param {{ name: string, region: string }} target
 */
function policyOf(arn, { name, region }) {
  const [, partition, , , account] = arn.split(':')
  const group = `arn:${partition}:logs:${region}:${account}:log-group:/aws/lambda/${name}`
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: [group, `${group}:*`],
      },
    ],
  }
}

/** The name of the role. Roles belong to no region, so it names the one of the function. @param {{ name: string, region: string }} target */
function roleName({ name, region }) {
  return `${name}-${region}`
}

/**
 * @param {import('../service/settings').LambdaSettings} settings
 * @param {NodeJS.ProcessEnv} env
 */
function createRoles({ fn, region, credentials, ca, proxy }, env) {
  const target = { name: /** @type {string} */ (fn.name.split(':').at(-1)), region }
  const role = roleName(target)
  const own = `${region}:${target.name}`

  /**
   * @param {'create' | 'remove'} what
   * @param {AbortSignal | undefined} signal
   * @returns {(command: string, input?: object, expected?: string[]) => Promise<any>} asks IAM; resolves to the name of an expected error
   */
  function asker(what, signal) {
    // The SDK must not print warnings on the user's terminal. It reads this variable.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    const iam = /** @type {any} */ (require('@aws-sdk/client-iam'))
    const endpoint = env.AWS_ENDPOINT_URL_IAM || env.AWS_ENDPOINT_URL || undefined
    const client = new iam.IAMClient({
      region,
      ...(endpoint && { endpoint }),
      credentials,
      requestHandler: requestHandler(endpoint ?? 'https://iam.amazonaws.com', { silenceMs: SILENCE_MS, ca, proxy }),
    })
    return async (command, input = {}, expected = []) => {
      throwIfAborted(signal)
      try {
        const request = new iam[`${command}Command`]({ RoleName: role, ...input })
        return await client.send(request, { abortSignal: signal, requestTimeout: SILENCE_MS })
      } catch (cause) {
        throwIfAborted(signal)
        const { name, message } = /** @type {Error} */ (cause)
        if (expected.includes(name)) return { error: name }
        const reason = withoutSecrets(message).replace(/\.$/, '') || name
        throw new XferError('LAMBDA_ROLE_REFUSED', { what, role, reason }, { cause })
      }
    }
  }

  /** Whether xfer has made the role for this function. @param {any} found */
  const isOurs = found => found.Tags?.some((/** @type {any} */ { Key, Value }) => Key === TAG && Value === own) === true

  return {
    /**
     * Makes the role, or finds the one that an earlier deployment has made.
     *
     * @param {AbortSignal} [signal]
     * @returns {Promise<{ name: string, arn: string, outcome: 'created' | 'unchanged' }>}
     * @throws {XferError} LAMBDA_ROLE_FOREIGN, LAMBDA_ROLE_REFUSED; USAGE if the name would be too long
     */
    async ensure(signal) {
      if (role.length > MOST_NAME) {
        throw new XferError('USAGE', {
          text: `The role would be named ${role}, and such a name has ${MOST_NAME} characters at most.`,
          advice: 'Give the function a shorter name, or name a role with --role.',
        })
      }
      const ask = asker('create', signal)
      const made = await ask(
        'CreateRole',
        {
          AssumeRolePolicyDocument: JSON.stringify(TRUST),
          Description: 'The role of a function that xfer has deployed',
          Tags: [{ Key: TAG, Value: own }],
        },
        ['EntityAlreadyExistsException'],
      )
      const { Role: found } = made.error ? await ask('GetRole') : made
      if (made.error && !isOurs(found)) throw new XferError('LAMBDA_ROLE_FOREIGN', { role, action: target.name })
      const document = JSON.stringify(policyOf(found.Arn, target))
      await ask('PutRolePolicy', { PolicyName: POLICY, PolicyDocument: document })
      return { name: role, arn: found.Arn, outcome: made.error ? 'unchanged' : 'created' }
    },

    /**
     * Removes the role if xfer has made it for this function.
     *
     * @param {string | undefined} arn the role of the function
     * @param {AbortSignal} [signal]
     * @returns {Promise<Array<{ name: string, outcome: 'removed' | 'kept' }>>} kept: somebody has attached something to it
     * @throws {XferError} LAMBDA_ROLE_REFUSED
     */
    async remove(arn, signal) {
      if (!arn?.endsWith(`:role/${role}`)) return []
      const ask = asker('remove', signal)
      const { Role: found, error } = await ask('GetRole', {}, [GONE])
      if (error || !isOurs(found)) return []
      await ask('DeleteRolePolicy', { PolicyName: POLICY }, [GONE])
      const deleted = await ask('DeleteRole', {}, [GONE, 'DeleteConflictException'])
      return [{ name: role, outcome: deleted.error === 'DeleteConflictException' ? 'kept' : 'removed' }]
    },
  }
}

module.exports = { TRUST, createRoles, policyOf, roleName }
