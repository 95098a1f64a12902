'use strict'

const { once } = require('node:events')
const fs = require('node:fs')
const { startPlatform } = require('../../../sandbox/platform')
const { stubContainer } = require('./stub-container')
const { client, isAlive, rejection, until } = require('./target')

const WHO = `let runs = 0
const main = ({ ms = 0 }) => { runs += 1; return new Promise(done => setTimeout(() => done({ pid: process.pid, runs }), ms)) }`

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
  const [activation] = await over
  return { answer, activation }
}
const annotation = (activation, key) => activation.annotations.find(item => item.key === key)?.value
const processState = pid => /^State:\s+(\S)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]

afterEach(() => platform.close())

test('a warm container is used again, without another initialisation', async () => {
  await start()
  const first = await settled('who')
  const second = await settled('who')
  expect(second.answer).toEqual({ pid: first.answer.pid, runs: 2 })
  expect([annotation(first.activation, 'initTime'), annotation(second.activation, 'initTime')]).toEqual([
    expect.any(Number),
    undefined,
  ])
  expect(platform.containers()).toEqual([first.answer.pid])
  expect(platform.activations.counters.cold).toBe(1)
})

test('a container runs one activation at a time, and more than there are containers wait', async () => {
  await start({ containers: 2 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => result('who', { ms: 20 })))
  const pids = new Set(answers.map(({ pid }) => pid))
  expect(pids.size).toBe(2)
  expect(answers.map(({ runs }) => runs).reduce((sum, runs) => Math.max(sum, runs))).toBeGreaterThanOrEqual(3)
  expect(platform.containers()).toHaveLength(2)
})

test('an idle container makes room for another action', async () => {
  await start({ containers: 1 })
  await ow.actions.update({ name: 'other', action: WHO })
  const first = await settled('who')
  const second = await settled('other')
  expect(second.answer.runs).toBe(1)
  expect(isAlive(first.answer.pid)).toBe(false)
  expect(platform.containerStates()).toEqual([{ pid: second.answer.pid, action: 'other', state: 'idle' }])
})

test('an update gives new containers', async () => {
  await start()
  const first = await settled('who')
  await ow.actions.update({ name: 'who', action: WHO })
  const second = await settled('who')
  expect(second.answer.runs).toBe(1)
  expect(second.answer.pid).not.toBe(first.answer.pid)
})

test('an application error keeps the container and a developer error ends it', async () => {
  await start()
  await ow.actions.update({
    name: 'moody',
    action: `const main = p => { if (p.how === 'throw') throw new Error('x'); return p.how ? { error: 'x' } : { pid: process.pid } }`,
  })
  const { answer } = await settled('moody')
  await settled('moody', { how: 'error' })
  expect((await settled('moody')).answer.pid).toBe(answer.pid)
  const ended = once(platform.activations, 'container-exit')
  await settled('moody', { how: 'throw' })
  expect((await ended)[0].pid).toBe(answer.pid)
  expect(isAlive(answer.pid)).toBe(false)
  expect((await settled('moody')).answer.pid).not.toBe(answer.pid)
})

test('an idle container is removed after a while, with its directory', async () => {
  await start({ idleMs: 30 })
  await ow.actions.update({ name: 'where', action: 'const main = () => ({ cwd: process.cwd(), pid: process.pid })' })
  const ended = once(platform.activations, 'container-exit')
  const { answer } = await settled('where')
  expect((await ended)[0]).toEqual({ pid: answer.pid, action: 'where' })
  expect(platform.containers()).toEqual([])
  expect(fs.existsSync(answer.cwd)).toBe(false)
})

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('an idle container is frozen, and thaws for the next activation', async () => {
  await start({ pauseGraceMs: 20 })
  const { answer } = await settled('who')
  await until(() => processState(answer.pid) === 'T')
  expect(platform.containerStates()[0].state).toBe('paused')
  expect((await settled('who')).answer).toEqual({ pid: answer.pid, runs: 2 })
})

test('one that is killed in the middle of a run is an unexpected exit, and the next one is another', async () => {
  await start()
  const running = once(platform.activations, 'run')
  const failed = rejection(result('who', { ms: 60_000 }))
  const [{ pid }] = await running
  process.kill(pid, 'SIGKILL')
  const { statusCode, error } = await failed
  expect(statusCode).toBe(502)
  expect(error.response.result.error).toBe('The action did not produce a valid response and exited unexpectedly.')
  expect((await settled('who')).answer.pid).not.toBe(pid)
})

test('one that is killed while it is idle is not missed', async () => {
  await start()
  const { answer } = await settled('who')
  const ended = once(platform.activations, 'container-exit')
  process.kill(answer.pid, 'SIGKILL')
  await ended
  expect((await settled('who')).answer).toEqual({ pid: expect.any(Number), runs: 1 })
})

test.each([
  ['refuses the connection', { kind: 'gone', refused: true }],
  ['is shutting down', { kind: 'answer', status: 503, text: '{}', bytes: 2, truncated: false }],
])('one that %s is replaced, and the activation runs elsewhere', async (_, answer) => {
  const answers = [answer, undefined]
  const containerFactory = () => {
    const toRun = answers.shift()
    return stubContainer(path => (path === '/run' ? toRun : undefined))
  }
  await start({ containers: 1, containerFactory })
  expect((await settled('who')).answer).toEqual({ ok: true })
  expect(platform.activations.counters).toEqual(expect.objectContaining({ completed: 1, cold: 2 }))
})

test('a cold start takes as long as it is told to, a warm one does not, and waiting for it counts as waiting', async () => {
  await start({ coldStartMs: 300 })
  const cold = await settled('who')
  const warm = await settled('who')
  const waits = [cold, warm].map(({ activation }) => annotation(activation, 'waitTime'))
  expect(waits[0]).toBeGreaterThanOrEqual(299)
  expect(waits[1]).toBeLessThan(299)
})

test('until its logs are collected an activation keeps its container and its place, and has no record', async () => {
  await start({ completionMs: 2_000, containers: 1, limits: { concurrent: 1 } })
  const over = once(platform.activations, 'activation')
  const answered = await ow.actions.invoke({ name: 'who', blocking: true })
  const refused = await rejection(result('who'))
  expect(refused.error.error).toBe('Too many concurrent requests in flight (count: 1, allowed: 1).')
  expect((await rejection(ow.activations.get({ name: answered.activationId }))).statusCode).toBe(404)
  expect(platform.containerStates()[0].state).toBe('busy')
  await over
  expect((await ow.activations.get({ name: answered.activationId })).activationId).toBe(answered.activationId)
  expect(await result('who')).toEqual({ pid: answered.response.result.pid, runs: 2 })
})

test('what an action has started ends with its container', async () => {
  await start()
  await ow.actions.update({
    name: 'parent',
    action: `const main = () => {
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      return { pid: child.pid }
    }`,
  })
  const { answer } = await settled('parent')
  expect(isAlive(answer.pid)).toBe(true)
  await platform.close()
  await until(() => !isAlive(answer.pid))
})

test.each([
  ['in the heap', 0, 'const main = () => { const all = []; for (;;) all.push({}) }'],
  [
    'outside of it',
    10,
    'const main = async () => { const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await new Promise(r => setTimeout(r, 5)) } }',
  ],
])('memory that is used up %s ends it', async (where, memoryCheckMs, action) => {
  if (where === 'outside of it' && process.platform !== 'linux') return
  await start({ memoryCheckMs })
  await ow.actions.update({ name: 'greedy', action, limits: { memory: 128 } })
  const { answer } = await settled('greedy')
  expect(answer.error.response).toEqual(
    expect.objectContaining({
      status: 'action developer error',
      result: { error: 'The action exhausted its memory and was aborted.' },
    }),
  )
})

test('a platform without a working node answers 500', async () => {
  await start({ node: '/nonexistent/node' })
  const error = await rejection(result('who'))
  expect(error.statusCode).toBe(500)
  expect(error.error.response).toEqual(
    expect.objectContaining({
      status: 'whisk internal error',
      result: { error: 'Failed to provision resources to run the action.' },
    }),
  )
})

test('the environment has nothing of the platform, but what it was told to add', async () => {
  process.env.XFER_TEST_CANARY = 'secret'
  try {
    await start({ env: { EXTRA: 'given' } })
    await ow.actions.update({ name: 'env', action: 'const main = () => process.env' })
    const env = await result('env')
    const names = Object.keys(env).filter(name => !name.startsWith('__OW_'))
    expect(names.sort()).toEqual(['EXTRA', 'HOME', 'LANG', 'PATH', 'TMPDIR'])
    expect(env.__OW_API_HOST).toBe(platform.apihost)
  } finally {
    delete process.env.XFER_TEST_CANARY
  }
})

test('a plain source can not require what this project has installed', async () => {
  await start()
  await ow.actions.update({ name: 'needs', action: 'const x = require("fflate"); const main = () => ({})' })
  const { answer } = await settled('needs')
  expect(answer.error.response.result.error).toMatch(
    /^Initialization has failed due to: Error: Cannot find module 'fflate'/,
  )
})

test('the log has the lines of both streams, of this activation alone, with the time', async () => {
  await start()
  await ow.actions.update({
    name: 'chatty',
    action:
      'const main = ({ n }) => { console.log("out " + n + "\\n\\nthree"); console.error("err " + n); process.stdout.write("no end"); return {} }',
  })
  await settled('chatty', { n: 1 })
  const { activation } = await settled('chatty', { n: 2 })
  const line = (stream, text) =>
    expect.stringMatching(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{18}Z ${stream}: ${text}$`))
  expect(activation.logs).toHaveLength(5)
  expect(activation.logs.filter(text => text.includes('stdout'))).toEqual([
    line('stdout', 'out 2'),
    line('stdout', ''),
    line('stdout', 'three'),
    line('stdout', 'no end'),
  ])
  expect(activation.logs).toContainEqual(line('stderr', 'err 2'))
})

test('records are bounded: the oldest goes', async () => {
  await start({ records: 2 })
  const ids = []
  for (let round = 0; round < 3; round++) ids.push((await settled('who')).activation.activationId)
  expect((await rejection(ow.activations.get({ name: ids[0] }))).statusCode).toBe(404)
  expect((await ow.activations.list()).map(({ activationId }) => activationId).sort()).toEqual(ids.slice(1).sort())
})
