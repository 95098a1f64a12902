'use strict'

/** xfer deploy and moto, which checks what AWS checks: the role of a function, above all. It runs no function. */

const { PEERS } = require('../../sandbox/peers')
const { eventsOf, runXfer } = require('../support/run-xfer')

const ROLE = 'arn:aws:iam::123456789012:role/xfer'

;(PEERS.moto ? describe : describe.skip)('xfer deploy --engine lambda', () => {
  let moto
  let env
  beforeAll(async () => {
    moto = await PEERS.moto()
    const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
    env = { ...keys, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: moto.endpoint }
    const trust = { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }
    const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [trust] })
    const made = await fetch(moto.endpoint, {
      method: 'POST',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=test/20261101/us-east-1/iam/aws4_request' },
      body: new URLSearchParams({ Action: 'CreateRole', RoleName: 'xfer', AssumeRolePolicyDocument }),
    })
    expect(made.status).toBe(200)
  })
  afterAll(() => moto.close())

  /** @param {...string} args */
  const deploy = (...args) => runXfer(['deploy', '--engine', 'lambda', ...args], { env })

  /** @param {...string} args */
  async function said(...args) {
    const { status, stdout, stderr } = await deploy(...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout.replaceAll(moto.endpoint, 'HOST')
  }

  test('makes the function, leaves alone what is equal, updates and removes it', async () => {
    expect(await said('--role', ROLE)).toBe('Created xfer-copy-range on HOST.\n')
    expect(await said()).toBe('xfer-copy-range on HOST is unchanged.\n')
    expect(await said('--memory', '512', '--timeout', '60')).toBe('Updated xfer-copy-range on HOST: memory, timeout.\n')
    expect(await said('--allow-hosts', '*.example.org')).toBe('Updated xfer-copy-range on HOST: variables.\n')
    expect(await said('--reset')).toBe('Updated xfer-copy-range on HOST: memory, timeout, variables.\n')
    expect(await said('--undeploy')).toBe('Removed xfer-copy-range from HOST.\n')
    expect(await said('--undeploy')).toBe('Nothing to undeploy: there is no xfer-copy-range on HOST.\n')
  })

  test('refuses a role that is missing, and makes nothing', async () => {
    const refused = await deploy('--role', 'arn:aws:iam::123456789012:role/nobody', '--json')
    expect(refused.status).toBe(5)
    expect(eventsOf(refused)).toMatchObject([
      { type: 'error', code: 'LAMBDA_REFUSED', message: expect.stringContaining('cannot be assumed by Lambda') },
    ])
    expect((await deploy()).stderr).toContain('a new one needs a role')
    expect(await said('--undeploy')).toContain('Nothing to undeploy')
  })
})
