'use strict'

/** Nothing is left running or lying about, however a platform ends. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { startPlatform } = require('../../../sandbox/platform')
const { client, endBy, heard, isAlive, MAIN, startProcess, until } = require('./target')

const WHERE = 'const main = () => ({ pid: process.pid, cwd: process.cwd() })'
const SPIN = 'const main = () => { for (;;) {} }'
const isGone = pid => () => !isAlive(pid)

/** A container that is idle, one that spins, and the folder that theirs are in. */
async function occupy(platform) {
  const ow = client(platform)
  await ow.actions.update({ name: 'where', action: WHERE })
  const action = `${SPIN}\nrequire('node:fs').writeFileSync('pid', String(process.pid))`
  await ow.actions.update({ name: 'spin', action })
  const { pid, cwd } = await ow.actions.invoke({ name: 'where', blocking: true, result: true })
  await ow.actions.invoke({ name: 'spin' })
  const root = path.dirname(cwd)
  const spinning = await until(() =>
    fs
      .readdirSync(root)
      .map(folder => path.join(root, folder, 'pid'))
      .filter(file => fs.existsSync(file))
      .map(file => Number(fs.readFileSync(file, 'utf8')))
      .find(Boolean),
  )
  expect([isAlive(pid), isAlive(spinning)]).toEqual([true, true])
  return { pids: [pid, spinning], root }
}

test.each(['SIGTERM', 'SIGKILL'])('%s to the platform leaves nothing', async signal => {
  const platform = await startProcess('platform', '{"containers":3}')
  const { pids, root } = await occupy(platform)
  await endBy(signal, platform.child)
  for (const pid of pids) await until(isGone(pid))
  await until(() => !fs.existsSync(root))
})

test('the death of its parent ends it', async () => {
  // standard input is no pipe here, so that the parent is all there is to notice
  const source = `const { spawn } = require('node:child_process')
    spawn(process.execPath, [${JSON.stringify(MAIN)}, 'platform'], { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const platform = await heard(parent)
  const { pids } = await occupy(platform)
  parent.kill('SIGKILL')
  for (const pid of pids) await until(isGone(pid))
  const answers = async () => Boolean(await fetch(platform.apihost).catch(() => undefined))
  await until(async () => !(await answers()))
})

test('close leaves nothing, twice is once, and what was in flight is cut', async () => {
  const platform = await startPlatform()
  const { pids, root } = await occupy(platform)
  const cut = client(platform)
    .actions.invoke({ name: 'spin', blocking: true })
    .catch(error => error)
  await once(platform.activations, 'start')
  await Promise.all([platform.close(), platform.close()])
  expect(pids.filter(isAlive)).toEqual([])
  expect(fs.existsSync(root)).toBe(false)
  expect(platform.containers()).toEqual([])
  expect((await cut).name).toBe('OpenWhiskError')
})
