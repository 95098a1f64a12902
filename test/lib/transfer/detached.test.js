'use strict'

const { spawnSync } = require('node:child_process')
const { XferError } = require('../../../lib/errors')
const { createLate } = require('../../../lib/transfer')

/** An engine whose one invocation ends when it is told. */
function createHeld(cancel) {
  const held = { can: { cancel }, signal: undefined, run: undefined, end: undefined, fail: undefined }
  held.run = (_, { signal }) => {
    held.signal = signal
    return new Promise((resolve, reject) => Object.assign(held, { end: resolve, fail: reject }))
  }
  return held
}

test('what nobody waits for any more is waited for at the end', async () => {
  const engine = createHeld(false)
  const late = createLate(engine)
  const controller = new AbortController()
  const run = late.run([], { signal: controller.signal })
  expect(late.count()).toBe(0)
  controller.abort(new XferError('INTERRUPTED', {}))
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(late.count()).toBe(1)
  expect(engine.signal.aborted).toBe(false)
  let ended = false
  const end = late.ended(60_000).then(() => {
    ended = true
  })
  await Promise.resolve()
  expect(ended).toBe(false)
  engine.end(['outcome'])
  await end
  expect(late.count()).toBe(0)
})

test('one that fails late has ended too', async () => {
  const engine = createHeld(false)
  const late = createLate(engine)
  await expect(late.run([], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  const end = late.ended(60_000)
  engine.fail(new Error('the connection broke'))
  await end
})

test('one that never ends is waited for so long and no longer, and then let go', async () => {
  const engine = createHeld(false)
  const late = createLate(engine)
  await expect(late.run([], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  await late.ended(1)
  expect(engine.signal.aborted).toBe(true)
})

test('an answer in time is an answer, and an engine that can cancel is left to it', async () => {
  const waiting = createHeld(false)
  const late = createLate(waiting)
  const run = late.run([], { signal: new AbortController().signal })
  waiting.end(['outcome'])
  expect(await run).toEqual(['outcome'])
  expect(late.count()).toBe(0)

  const engine = createHeld(true)
  const controller = new AbortController()
  createLate(engine).run([], { signal: controller.signal })
  expect(engine.signal).toBe(controller.signal)
})

/** An engine that listens for the end of the wait, and never ends. */
const MANY = `
const { createLate } = require(process.argv[1])
const run = (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => {}))
const late = createLate({ can: { cancel: false }, run })
for (let i = 0; i < 50; i++) late.run([], { signal: new AbortController().signal })
`

test('fifty invocations at once listen without a warning', () => {
  const { status, stderr } = spawnSync(process.execPath, [
    '-e',
    MANY,
    require.resolve('../../../lib/transfer/detached'),
  ])
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
})
