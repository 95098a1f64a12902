'use strict'

/** What comes of an invocation, with AWS's own client, and processes. */

const fs = require('node:fs')
const { InvokeCommand } = require('@aws-sdk/client-lambda')
const { endBy, isAlive, startProcess, until } = require('../platform/target')
const { clientOf, createFunction, startFunction, stateOf } = require('./target')

const SOURCE = `
let calls = 0
exports.handler = async (event, context) => {
  calls += 1
  if (event.bytes) return 'x'.repeat(event.bytes - 2)
  return { event, calls, pid: process.pid, left: context.getRemainingTimeInMillis(), context, env: process.env }
}`

let target
beforeAll(async () => {
  const configuration = { Timeout: 60, Environment: { Variables: { MINE: 'yes' } } }
  target = await startFunction({ source: SOURCE, configuration })
})
afterAll(() => target.close())

test('the function gets its event, its context and its environment', async () => {
  const { payload, ExecutedVersion, StatusCode, $metadata } = await target.invoke({ a: [1, 'ä'] })
  expect({ ExecutedVersion, StatusCode }).toEqual({ ExecutedVersion: '$LATEST', StatusCode: 200 })
  expect(payload.event).toEqual({ a: [1, 'ä'] })
  expect(payload.context).toMatchObject({
    awsRequestId: $metadata.requestId,
    functionName: 'f',
    memoryLimitInMB: '128',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:f',
  })
  expect(payload.left).toBeGreaterThan(0)
  expect(payload.left).toBeLessThanOrEqual(60_000)
  expect(payload.env).toMatchObject({ MINE: 'yes', AWS_REGION: 'us-east-1', _HANDLER: 'index.handler' })
  expect(payload.env.NODE_ENV).toBeUndefined()
})

test('an environment is used again, and is frozen in between', async () => {
  const first = (await target.invoke({})).payload
  await until(() => stateOf(first.pid) === 'T')
  const second = (await target.invoke({})).payload
  expect({ pid: second.pid, calls: second.calls }).toEqual({ pid: first.pid, calls: first.calls + 1 })
})

test('an answer may have 6 MB and a little, and no byte more', async () => {
  const most = 6 * 1024 ** 2 + 100
  expect((await target.invoke({ bytes: most })).payload).toHaveLength(most - 2)
  const { error, payload } = await target.invoke({ bytes: most + 1 })
  expect({ error, ...payload }).toEqual({
    error: 'Unhandled',
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${most} bytes).`,
  })
  expect((await target.invoke({})).error).toBeUndefined()
})

test.each([
  ['Sandbox.Timedout', 'exports.handler = () => new Promise(() => setInterval(() => {}, 1e6))'],
  ['Runtime.HandlerNotFound', 'exports.other = 1'],
  ['Runtime.ExitError', 'process.exit(4)'],
])('a function that fails ends with %s', async (errorType, source) => {
  const failing = await startFunction({ source, configuration: { Timeout: 1 } })
  const { error, payload } = await failing.invoke({})
  expect({ error, errorType: payload.errorType }).toEqual({ error: 'Unhandled', errorType })
  if (errorType === 'Sandbox.Timedout') await until(() => failing.service.environments().length === 0)
  await failing.close()
})

test.each(['SIGTERM', 'SIGKILL'])('%s to the service leaves no environment, frozen or busy', async signal => {
  const { child, lines, ...service } = await startProcess('lambda', '{"pendingMs":0}', '--events')
  const client = clientOf(service)
  const source = `exports.handler = event => {
    if (event.spin) for (;;) {}
    return { pid: process.pid, folder: require('node:path').dirname(process.env.TMPDIR) }
  }`
  await createFunction(client, source, { Timeout: 900 })
  await createFunction(client, source, { FunctionName: 'spins', Timeout: 900 })
  const invoke = (FunctionName, event) =>
    client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }))
  const { pid, folder } = JSON.parse(Buffer.from((await invoke('f', {})).Payload).toString())
  const busy = new Promise(resolve => {
    lines.on('line', text => {
      const event = JSON.parse(text)
      if (event.event === 'run' && event.function === 'spins') resolve(event.pid)
    })
  })
  const spins = invoke('spins', { spin: true }).catch(() => {})
  const spinning = await busy
  await until(() => stateOf(pid) === 'T')
  expect([isAlive(spinning), fs.existsSync(folder)]).toEqual([true, true])

  await endBy(signal, child)
  await spins
  for (const one of [pid, spinning]) await until(() => !isAlive(one))
  await until(() => !fs.existsSync(folder))
  client.destroy()
})
