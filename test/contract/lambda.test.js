'use strict'

/** The engine `lambda`: the suite of engines, and what is its own, on the sandbox's Lambda. */

const lambda = require('../../lib/engines/lambda')
const { createLambdaEngine } = require('../../lib/engines/lambda/engine')
const { resolveLambda } = require('../../lib/engines/lambda/settings')
const { startFunction: start } = require('../support/lambda')
const { keep, keeping } = require('../support/opened')
const { startRelay } = require('../support/relay')
const { engineContract, failureContract, quietOf } = require('./engine')

const startFunction = keeping(start)

/** @param {import('../support/lambda').Lambda} service @param {Record<string, string>} [options] @param {string} [endpoint] */
const settingsFor = ({ env }, options, endpoint = env.AWS_ENDPOINT_URL_LAMBDA) =>
  resolveLambda({ ...options }, { ...env, AWS_ENDPOINT_URL_LAMBDA: endpoint })

engineContract('lambda', async () => {
  const service = await startFunction()
  const relay = await keep(startRelay(Number(new URL(service.endpoint).port)))
  const settings = await settingsFor(service, {}, `http://127.0.0.1:${relay.port}`)
  return {
    factory: lambda,
    env: service.env,
    create: () => createLambdaEngine(settings),
    crash() {
      // An idle one would be given the next event before anybody has noticed that it is gone.
      for (const { pid, state } of service.environments()) if (state === 'busy') process.kill(pid, 'SIGKILL')
    },
    quiet: quietOf(relay),
  }
})

const REQUEST = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
/** Of which the answer matters, not what it does. */
const tasks = [{ partNumber: 1, bytes: 1, sums: [], read: REQUEST }]
const answered = [{ partNumber: 1, error: { code: 'BAD_TASK' } }]

describe('the engine lambda, refused', () => {
  let service
  beforeAll(async () => {
    service = await startFunction()
  })
  afterEach(() => service.faults.clear())

  const create = async (options, more) => keep(createLambdaEngine(await settingsFor(service, options), more))

  it('with credentials that may only invoke assumes the limits', async () => {
    const denied = { status: 403, code: 'AccessDeniedException' }
    for (const on of ['GetFunctionConfiguration', 'GetAccountSettings', 'GetFunctionConcurrency']) {
      service.faults.add({ on, ...denied })
    }
    const engine = await create()
    expect(await engine.limits()).toMatchObject({ concurrent: Number.POSITIVE_INFINITY, timeoutMs: 300_000 })
    await engine.ping()
    expect(await engine.run(tasks)).toMatchObject(answered)
  })

  it('gives up an answer that never comes, after the time of the function', async () => {
    const quick = await startFunction({ configuration: { Timeout: 1 } })
    quick.faults.add({ silent: true })
    const engine = keep(createLambdaEngine(await settingsFor(quick), { graceMs: 100 }))
    await engine.limits()
    await expect(engine.run(tasks)).rejects.toMatchObject({ code: 'ACTIVATION_LOST', retryable: true, uncertain: true })
  })
})

/** @type {Record<string, [body: string, configuration?: object]>} */
const FAILING = {
  exits: ['async () => process.exit(1)'],
  'has no time': ['() => new Promise(() => setInterval(() => {}, 1000))', { Timeout: 1 }],
  'answers too much': ["async () => 'x'.repeat(7 * 2 ** 20)"],
  'cannot be loaded': ['this is no JavaScript'],
  'understands nothing': ["async () => ({ error: 'The version 1 is unknown.' })"],
}
async function openFailing(failure) {
  const [body, configuration] = FAILING[failure]
  const service = await startFunction({ code: `exports.handler = ${body}`, configuration })
  return createLambdaEngine(await settingsFor(service))
}
failureContract('lambda', openFailing, { hint: 'Run xfer deploy --engine lambda, then repeat the command.' })

it('a function of another version says so before anything is run', async () => {
  const service = await startFunction({ configuration: { Environment: { Variables: { XFER_INTERFACE: '99' } } } })
  const engine = keep(createLambdaEngine(await settingsFor(service)))
  const started = jest.fn()
  service.events.on('start', started)
  await expect(engine.limits()).rejects.toMatchObject({
    code: 'ACTION_VERSION',
    message: expect.stringContaining('its interface version is 99, not 2'),
  })
  expect(started).not.toHaveBeenCalled()
})
