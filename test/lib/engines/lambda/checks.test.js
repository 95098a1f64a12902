'use strict'

/** xfer doctor and the sandbox's Lambda, which runs the real function. */

const { tmpdir } = require('node:os')
const { deploy, doctor } = require('../../../../lib')
const { judgeAccess } = require('../../../../lib/engines/lambda/checks')
const { startLambda } = require('../../../../sandbox/lambda')
const { startStore } = require('../../../../sandbox/store')
const { copyEnv } = require('../../../support/run-xfer')

const ROLE = 'arn:aws:iam::123456789012:role/any'

let lambda
let store
let env
beforeAll(async () => {
  ;[lambda, store] = await Promise.all([startLambda(), startStore({ buckets: ['src'] })])
  env = {
    HOME: tmpdir(),
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: lambda.secretAccessKey,
    AWS_REGION: lambda.region,
    AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
  }
})
afterEach(() => lambda.faults.clear())
afterAll(() => Promise.all([lambda, store].map(member => member?.close())))

/** @param {object} [options] @param {string} [source] */
async function examine(options, source) {
  const checks = {}
  const onCheck = ({ name, ...found }) => {
    checks[name] = found
  }
  const { exitCode } = await doctor(source, undefined, { engine: 'lambda', env, onCheck, ...options })
  return { exitCode, checks }
}

it('names the command that deploys a function that is missing', async () => {
  const { exitCode, checks } = await examine()
  expect(exitCode).toBe(5)
  expect(checks.credentials).toMatchObject({ ok: true })
  expect(checks.function).toMatchObject({ ok: false, hint: expect.stringContaining('xfer deploy --engine lambda') })
  expect(checks.invocation).toMatchObject({ ok: null })
})

it('says which keys are refused', async () => {
  const { exitCode, checks } = await examine({ env: { ...env, AWS_SECRET_ACCESS_KEY: 'another' } })
  expect(exitCode).toBe(5)
  expect(checks.credentials).toMatchObject({ ok: false, hint: expect.stringContaining('the environment') })
})

describe('with the function deployed', () => {
  beforeAll(() => deploy({ engine: 'lambda', role: ROLE, env }))

  it('all is good, and the store is reached from the function', async () => {
    const { exitCode, checks } = await examine({ env: { ...env, ...copyEnv(store, store) } }, 's3://src')
    expect(Object.entries(checks).filter(([, { ok }]) => ok !== true)).toEqual([])
    expect(exitCode).toBe(0)
    expect(Object.keys(checks)).toEqual(
      expect.arrayContaining(['credentials', 'function', 'access', 'limits', 'invocation', 'source from functions']),
    )
  })

  it('credentials that may only invoke are enough', async () => {
    const denied = { status: 403, code: 'AccessDeniedException' }
    for (const on of ['GetFunctionConfiguration', 'GetAccountSettings', 'GetFunctionConcurrency']) {
      lambda.faults.add({ on, ...denied })
    }
    const { exitCode, checks } = await examine()
    expect(exitCode).toBe(0)
    expect(checks).toMatchObject({ function: { ok: null }, limits: { ok: null }, invocation: { ok: true } })
  })

  it('a function that fails is told', async () => {
    lambda.faults.add({ on: 'Invoke', status: 500, code: 'ServiceException' })
    const { exitCode, checks } = await examine()
    expect(exitCode).toBe(5)
    expect(checks.invocation).toMatchObject({ ok: false })
  })

  it('access rules that cannot be read allow nothing', () => {
    const found = { Environment: { Variables: { XFER_ACCESS: '{"hosts":' } } }
    expect(judgeAccess(found, {})).toEqual({ ok: true, detail: 'The function may connect to no host.' })
  })

  it('the access rules of the deployment are told', async () => {
    await deploy({ engine: 'lambda', allowHosts: ['*.example.org'], allowMetadata: true, env })
    const { access } = (await examine()).checks
    expect(access.detail).toBe(
      'The function may connect only to *.example.org, also to link-local and metadata addresses.',
    )
    expect(access.hint).toContain('--no-allow-metadata')
  })
})
