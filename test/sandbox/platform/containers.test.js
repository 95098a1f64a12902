'use strict'

const { once } = require('node:events')
const { startPlatform } = require('../../../sandbox/platform')
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
  expect(platform.containers()).toEqual([second.answer.pid])
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

test('until it is complete an activation keeps its container and its place, and has no record', async () => {
  await start({ completionMs: 2_000, containers: 1, limits: { concurrent: 1 } })
  const over = once(platform.activations, 'activation')
  const answered = await ow.actions.invoke({ name: 'who', blocking: true })
  const refused = await rejection(result('who'))
  expect(refused.error.error).toBe('Too many concurrent requests in flight (count: 1, allowed: 1).')
  expect((await rejection(ow.activations.get({ name: answered.activationId }))).statusCode).toBe(404)
  expect(platform.containers({ busy: true })).toHaveLength(1)
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

test('memory that is used up outside of the heap ends it', async () => {
  if (process.platform !== 'linux') return
  const grow = 'all.push(Buffer.alloc(8e6, 1)); await new Promise(r => setTimeout(r, 5))'
  await start()
  await ow.actions.update({
    name: 'greedy',
    action: `const main = async () => { const all = []; for (;;) { ${grow} } }`,
    limits: { memory: 128 },
  })
  const { answer } = await settled('greedy')
  expect(answer.error.response).toMatchObject({
    status: 'action developer error',
    result: { error: 'The action exhausted its memory and was aborted.' },
  })
})
