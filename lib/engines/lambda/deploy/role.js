'use strict'

/**
 * The smallest role of the function: Lambda may assume it, and it may write the function's log. It needs no right to any store,
 * because each request that a function sends is signed by the command. https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
 */

const { throwIfAborted, withoutSecrets } = require('../../../errors')
const { XferError } = require('./errors')
const { hasIam, openIam } = require('./iam')

const GONE = 'NoSuchEntityException'

/** Says for which function xfer has made the role. */
const TAG = 'xfer-function'
const POLICY = 'log'
/** How long Lambda may refuse a new role, which IAM does not know everywhere yet. */
const NEW_MS = 60_000
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
function createRoles(settings, env) {
  const { fn, region } = settings
  const target = { name: /** @type {string} */ (fn.name.split(':').at(-1)), region }
  const role = roleName(target)
  const own = `${region}:${target.name}`

  /**
   * @param {'create' | 'remove'} what
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<(command: string, input?: object, expected?: string[]) => Promise<any>>} asks IAM; resolves to the name of
   *   an expected error
   */
  async function asker(what, signal) {
    const ask = await openIam(settings, env, signal)
    return async (command, input = {}, expected = []) => {
      throwIfAborted(signal)
      try {
        return await ask(command, { RoleName: role, ...input })
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

  /** @param {Awaited<ReturnType<typeof asker>>} ask */
  const make = ask =>
    ask(
      'CreateRole',
      {
        AssumeRolePolicyDocument: JSON.stringify(TRUST),
        Description: 'The role of a function that xfer has deployed',
        Tags: [{ Key: TAG, Value: own }],
      },
      ['EntityAlreadyExistsException'],
    )

  return {
    /**
     * Makes the role, or finds the one that an earlier deployment has made. It is looked for first: when the answer to the
     * request that makes it is lost, the SDK repeats the request and finds the role.
     *
     * @param {AbortSignal} [signal]
     * @returns {Promise<{ name: string, arn: string, outcome: 'created' | 'unchanged', recent: boolean }>} recent: Lambda may not
     *   know it yet
     * @throws {XferError} LAMBDA_ROLE_FOREIGN, LAMBDA_ROLE_REFUSED; USAGE if the name would be too long, or IAM has no endpoint
     */
    async ensure(signal) {
      if (role.length > MOST_NAME) {
        throw new XferError('USAGE', {
          text: `The role would be named ${role}, and such a name has ${MOST_NAME} characters at most.`,
          advice: 'Give the function a shorter name, or name a role with --role.',
        })
      }
      const ask = await asker('create', signal)
      const before = await ask('GetRole', {}, [GONE])
      const made = before.error ? await make(ask) : before
      const { Role: found } = made.error ? await ask('GetRole') : made
      const isNew = before.error !== undefined && made.error === undefined
      if (!isNew && !isOurs(found)) throw new XferError('LAMBDA_ROLE_FOREIGN', { role, action: target.name })
      const document = JSON.stringify(policyOf(found.Arn, target))
      await ask('PutRolePolicy', { PolicyName: POLICY, PolicyDocument: document })
      const outcome = before.error ? 'created' : 'unchanged'
      // An earlier deployment may have ended just after it had made the role.
      return { name: role, arn: found.Arn, outcome, recent: before.error !== undefined || ageMs(found) < NEW_MS }
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
      // Without an IAM beside this Lambda nobody has made it there.
      if (!(await hasIam(settings, env))) return []
      const ask = await asker('remove', signal)
      const { Role: found, error } = await ask('GetRole', {}, [GONE])
      if (error || !isOurs(found)) return []
      await ask('DeleteRolePolicy', { PolicyName: POLICY }, [GONE])
      const deleted = await ask('DeleteRole', {}, [GONE, 'DeleteConflictException'])
      return [{ name: role, outcome: deleted.error === 'DeleteConflictException' ? 'kept' : 'removed' }]
    },
  }
}

/** @param {any} role of IAM @returns {number} by this machine's clock */
function ageMs({ CreateDate }) {
  return CreateDate instanceof Date ? Date.now() - CreateDate.getTime() : Number.POSITIVE_INFINITY
}

module.exports = { TRUST, createRoles, policyOf, roleName }
