'use strict'

/** That nothing is left running or lying about, however the service ends. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const readline = require('node:readline')
const { InvokeCommand } = require('@aws-sdk/client-lambda')
const { isAlive, until } = require('../platform/target')
const { clientOf, createFunction, stateOf } = require('./target')

const MAIN = path.join(__dirname, '../../../sandbox/lambda/main.js')
const SOURCE = `exports.handler = event => {
  if (event.spin) for (;;) {}
  return { pid: process.pid, folder: require('node:path').dirname(process.env.TMPDIR) }
}`

test.each(['SIGTERM', 'SIGKILL'])('%s to the service leaves no environment, frozen or busy', async signal => {
  const child = spawn(process.execPath, [MAIN, '{"pendingMs":0}', '--events'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = readline.createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  const client = clientOf(JSON.parse(line))
  await createFunction(client, SOURCE, { Timeout: 900 })
  await createFunction(client, SOURCE, { FunctionName: 'spins', Timeout: 900 })
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

  const exit = once(child, 'exit')
  child.kill(signal)
  expect(await exit).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null])
  await spins
  for (const one of [pid, spinning]) await until(() => !isAlive(one))
  await until(() => !fs.existsSync(folder))
  client.destroy()
})
