'use strict'

/**
 * The smallest role of the function: Lambda may assume it, and it may write the function's log. It needs no right to any store,
 * because each request that a function sends is signed by the command. https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
 */

const { XferError } = require('./errors')

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
 * @param {import('@aws-sdk/client-iam').IAMClient} client
 * @param {{ name: string, region: string }} target the function
 */
function createRoles(client, target) {
  const iam = require('@aws-sdk/client-iam')
  const role = roleName(target)
  const own = `${target.region}:${target.name}`

  /**
   * @template T
   * @param {'create' | 'remove'} what
   * @param {() => Promise<T>} call
   * @param {Record<string, () => T | Promise<T>>} [instead] what to do in place of errors, by their names
   * @returns {Promise<T>}
   */
  async function ask(what, call, instead = {}) {
    try {
      return await call()
    } catch (cause) {
      const { name, message } = /** @type {Error} */ (cause)
      if (Object.hasOwn(instead, name)) return await instead[name]()
      throw cause instanceof XferError
        ? cause
        : new XferError('LAMBDA_ROLE_REFUSED', { what, role, reason: message.replace(/\.$/, '') || name }, { cause })
    }
  }

  /** @returns {Promise<{ arn: string } | undefined>} undefined if there is no such role @throws {XferError} LAMBDA_ROLE_FOREIGN */
  async function find(what = /** @type {'create' | 'remove'} */ ('create')) {
    const found = await ask(what, async () => (await client.send(new iam.GetRoleCommand({ RoleName: role }))).Role, {
      NoSuchEntityException: () => undefined,
    })
    if (!found) return undefined
    const made = found.Tags?.some(({ Key, Value }) => Key === TAG && Value === own)
    if (!made) throw new XferError('LAMBDA_ROLE_FOREIGN', { role, action: target.name })
    return { arn: /** @type {string} */ (found.Arn) }
  }

  return {
    /**
     * Makes the role, or finds the one that an earlier deployment has made.
     *
     * @returns {Promise<{ name: string, arn: string, outcome: 'created' | 'unchanged' }>}
     * @throws {XferError} LAMBDA_ROLE_FOREIGN, LAMBDA_ROLE_REFUSED; USAGE if the name would be too long
     */
    async ensure() {
      if (role.length > MOST_NAME) {
        throw new XferError('USAGE', {
          text: `The role would be named ${role}, and such a name has ${MOST_NAME} characters at most.`,
          advice: 'Give the function a shorter name, or name a role with --role.',
        })
      }
      const found = await find()
      const document = JSON.stringify(TRUST)
      const create = async () => {
        const made = await client.send(
          new iam.CreateRoleCommand({
            RoleName: role,
            AssumeRolePolicyDocument: document,
            Description: 'The role of a function that xfer has deployed',
            Tags: [{ Key: TAG, Value: own }],
          }),
        )
        return { arn: /** @type {string} */ (made.Role?.Arn) }
      }
      // Between the two calls somebody may have made it.
      const { arn } =
        found ??
        /** @type {{ arn: string }} */ (await ask('create', create, { EntityAlreadyExistsException: () => find() }))
      const policy = JSON.stringify(policyOf(arn, target))
      await ask('create', async () => {
        await client.send(new iam.PutRolePolicyCommand({ RoleName: role, PolicyName: POLICY, PolicyDocument: policy }))
      })
      return { name: role, arn, outcome: found ? 'unchanged' : 'created' }
    },

    /**
     * Removes the role if xfer has made it for this function.
     *
     * @param {string | undefined} arn the role of the function
     * @returns {Promise<Array<{ name: string, outcome: 'removed' | 'kept' }>>} kept: somebody has attached something to it
     * @throws {XferError} LAMBDA_ROLE_REFUSED
     */
    async remove(arn) {
      if (!arn?.endsWith(`:role/${role}`)) return []
      const found = await find('remove').catch(error => {
        if (error.code !== 'LAMBDA_ROLE_FOREIGN') throw error
      })
      if (!found) return []
      const done = () => {}
      await ask(
        'remove',
        async () => {
          await client.send(new iam.DeleteRolePolicyCommand({ RoleName: role, PolicyName: POLICY }))
        },
        { NoSuchEntityException: done },
      )
      const outcome = await ask(
        'remove',
        async () => {
          await client.send(new iam.DeleteRoleCommand({ RoleName: role }))
          return /** @type {'removed' | 'kept'} */ ('removed')
        },
        { NoSuchEntityException: () => 'removed', DeleteConflictException: () => 'kept' },
      )
      return [{ name: role, outcome }]
    },
  }
}

module.exports = { TRUST, createRoles, policyOf, roleName }
