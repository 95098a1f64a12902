'use strict'

const { doctor, deploy } = require('../../../lib')
const { keep, openWorker, startStore } = require('../../support/opened')
const { TOKEN } = require('../../support/worker')
const { startLambda } = require('../../../sandbox/lambda')
const { lambdaEnv } = require('../../support/lambda')
const { copyEnv } = require('../../support/run-xfer')

/** The findings of xfer doctor, by their names. @param {object} options @param {string} [source] */
async function examine(options, source) {
  const checks = {}
  const onCheck = ({ name, ...found }) => {
    checks[name] = found
  }
  const { exitCode } = await doctor(source, undefined, { ...options, onCheck })
  return { exitCode, checks }
}

const open = async () => (await openWorker({ places: 5 })).url

/** The findings about workers. @param {string[]} worker */
async function check(...worker) {
  const env = { HOME: __dirname, XFER_TOKEN: TOKEN }
  const { exitCode, checks } = await examine({ engine: 'http', worker, env })
  return { exitCode, ...checks }
}

test('the engine http: xfer doctor asks every worker, and has each run nothing', async () => {
  const detail = 'All 2 workers answer: places for 10 invocations at once (configured in --worker).'
  const answered = expect.stringMatching(/^The function answered in \d+( to \d+)? ms\.$/)
  const good = { exitCode: 0, workers: { ok: true, detail }, invocation: { ok: true, detail: answered } }
  expect(await check(await open(), await open())).toMatchObject(good)
})

test('the engine http: xfer doctor says which worker does not answer', async () => {
  const says = /^Only 1 of 2 workers answer, with 5 places\. The worker http:\/\/127\.0\.0\.1:1 /
  const workers = { ok: false, detail: expect.stringMatching(says), hint: expect.stringContaining('xfer serve') }
  const found = await check(await open(), 'http://127.0.0.1:1')
  expect(found).toMatchObject({ exitCode: 5, workers, invocation: { ok: null } })
})

/** xfer doctor and the sandbox's Lambda, which runs the real function. */
it('the engine lambda: with the function deployed all is good, and the store is reached from the function', async () => {
  const [lambda, store] = await Promise.all([keep(startLambda()), startStore({ buckets: ['src'] })])
  const env = lambdaEnv(lambda)
  await deploy({ engine: 'lambda', role: 'arn:aws:iam::123456789012:role/any', env })
  const options = { engine: 'lambda', env: { ...env, ...copyEnv(store, store) } }
  const { exitCode, checks } = await examine(options, 's3://src')
  expect(Object.entries(checks).filter(([, { ok }]) => ok !== true)).toEqual([])
  expect(exitCode).toBe(0)
  const names = ['credentials', 'function', 'access', 'limits', 'invocation', 'source from functions']
  expect(Object.keys(checks)).toEqual(expect.arrayContaining(names))
})
