'use strict'

/** Containers, quotas, and that nothing is left running or lying about, however a platform ends. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { startPlatform } = require('../../../sandbox/platform')
const { client, endBy, heard, isAlive, MAIN, rawCall, startProcess, until } = require('./target')

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

describe('in this process', () => {
  const WHO = `let runs = 0
  const main = ({ ms = 0 }) => { runs += 1; return new Promise(done => setTimeout(() => done({ pid: process.pid, runs }), ms)) }`
  const MINUTE = 60_000

  /** @type {Awaited<ReturnType<typeof startPlatform>>} */
  let platform
  /** @type {ReturnType<typeof client>} */
  let ow
  async function start(options = {}) {
    platform = await startPlatform({ ...options, limits: { perMinute: 10_000, ...options.limits } })
    ow = client(platform)
    await ow.actions.update({ name: 'who', action: WHO })
  }
  const result = (name, params = {}) => ow.actions.invoke({ name, blocking: true, result: true, params })
  /** Invokes and waits until the activation is wholly over, so that its container is free again. */
  async function settled(name, params) {
    const over = once(platform.activations, 'activation')
    const answer = await result(name, params).catch(error => error)
    await over
    return answer
  }
  afterEach(() => platform.close())

  test('a warm container is used again, until its action is updated or another one needs the room', async () => {
    await start({ containers: 1 })
    const first = await settled('who')
    expect(await settled('who')).toEqual({ pid: first.pid, runs: 2 })
    await ow.actions.update({ name: 'who', action: WHO })
    const second = await settled('who')
    expect([second.runs, isAlive(first.pid)]).toEqual([1, false])
    expect(platform.containers()).toEqual([second.pid])
  })

  test('calls are counted by the calendar minute, refused ones included, once it is known who asks', async () => {
    let now = 100 * MINUTE + 59_000
    await start({ clock: () => now, limits: { perMinute: 2 } })
    const ghost = options => rawCall(platform, 'POST', '/api/v1/namespaces/_/actions/ghost', { json: {}, ...options })
    expect((await ghost({ auth: 'a:b' })).status).toBe(401)
    for (const status of [404, 404, 429, 429]) expect((await ghost()).status).toBe(status)
    now = 101 * MINUTE
    for (const status of [404, 404, 429]) expect((await ghost()).status).toBe(status)
    expect((await ghost()).body.error).toBe('Too many requests in the last minute (count: 4, allowed: 2).')
  })
})
