'use strict'

/** That nothing is left running or lying about, however a platform ends. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const readline = require('node:readline')
const { startPlatform } = require('../../../sandbox/platform')
const { client, isAlive, until } = require('./target')

const MAIN = path.join(__dirname, '../../../sandbox/platform/main.js')
const WHERE = 'const main = () => ({ pid: process.pid, cwd: process.cwd() })'
const SPIN = 'const main = () => { for (;;) {} }'
const isGone = pid => () => !isAlive(pid)

/** @param {object} [options] */
async function startProcess(options = {}) {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = readline.createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  return { child, ...JSON.parse(line) }
}

/** A container that is idle, one that spins, and the folder that theirs are in. */
async function occupy(platform) {
  const ow = client(platform)
  await ow.actions.update({ name: 'where', action: WHERE })
  await ow.actions.update({
    name: 'spin',
    action: `${SPIN}\nrequire('node:fs').writeFileSync('pid', String(process.pid))`,
  })
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

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'])('%s to the platform leaves nothing', async signal => {
  const platform = await startProcess({ containers: 3 })
  const { pids, root } = await occupy(platform)
  const exit = once(platform.child, 'exit')
  platform.child.kill(signal)
  expect(await exit).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null])
  for (const pid of pids) await until(isGone(pid))
  await until(() => !fs.existsSync(root))
})

test('with a file, what was deployed is found again after kill -9, and runs', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-test-'))
  try {
    const options = { file: path.join(folder, 'entities.json'), auth: 'some:key' }
    const first = await startProcess(options)
    await client(first).packages.update({ name: 'p' })
    await client(first).actions.update({ name: 'p/where', action: WHERE })
    await client(first).actions.update({ name: 'gone', action: WHERE })
    await client(first).actions.delete({ name: 'gone' })
    const exit = once(first.child, 'exit')
    first.child.kill('SIGKILL')
    await exit
    const second = await startProcess(options)
    await expect(client(second).actions.get({ name: 'gone' })).rejects.toMatchObject({ statusCode: 404 })
    const { cwd } = await client(second).actions.invoke({ name: 'p/where', blocking: true, result: true })
    expect(cwd).toEqual(expect.any(String))
    second.child.stdin.end()
    await once(second.child, 'exit')
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})

test('the end of its standard input ends it', async () => {
  const platform = await startProcess()
  const { pids } = await occupy(platform)
  const exit = once(platform.child, 'exit')
  platform.child.stdin.end()
  expect(await exit).toEqual([0, null])
  expect(pids.filter(isAlive)).toEqual([])
})

test('the death of its parent ends it', async () => {
  // standard input is no pipe here, so that the parent is all there is to notice
  const source = `const { spawn } = require('node:child_process')
    spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    setInterval(() => {}, 1000)`
  const parent = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(readline.createInterface({ input: parent.stdout }), 'line')
  const { pids } = await occupy(JSON.parse(line))
  parent.kill('SIGKILL')
  for (const pid of pids) await until(isGone(pid))
  await until(() =>
    fetch(JSON.parse(line).apihost).then(
      () => false,
      () => true,
    ),
  )
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

test('a misspelt option is refused', async () => {
  await expect(startPlatform({ limits: { perMinuet: 1 } })).rejects.toThrow('unknown platform limit: perMinuet')
  const child = spawn(process.execPath, [MAIN, '{"container":1}'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [text] = await once(child.stderr.setEncoding('utf8'), 'data')
  expect(text).toBe('unknown platform option: container\n')
  expect(await once(child, 'exit')).toEqual([1, null])
})
