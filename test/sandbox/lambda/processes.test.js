'use strict'

/** That nothing of the service outlives it; what comes of invocations is in test/contract/lambda.test.js. */

const fs = require('node:fs')
const { InvokeCommand } = require('@aws-sdk/client-lambda')
const { endBy, isAlive, startProcess, until } = require('../platform/target')
const { clientOf, createFunction, stateOf } = require('./target')

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
