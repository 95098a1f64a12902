'use strict'

const { XferError } = require('../../../lib/errors')
const { trackDetached } = require('../../../lib/schedule')

/** An engine whose one invocation ends when it is told. */
function createHeld(cancel) {
  const held = { can: { cancel }, signal: undefined, run: undefined, end: undefined, fail: undefined }
  held.run = (_, { signal }) => {
    held.signal = signal
    return new Promise((resolve, reject) => Object.assign(held, { end: resolve, fail: reject }))
  }
  return held
}

test.each(['end', 'fail'])('the end waits for a call that was detached, however it comes to its own: %s', async how => {
  const engine = createHeld(false)
  const detached = trackDetached(engine)
  const controller = new AbortController()
  const run = detached.run([], { signal: controller.signal })
  expect(detached.count()).toBe(0)
  controller.abort(new XferError('INTERRUPTED', {}))
  await expect(run).rejects.toMatchObject({ code: 'INTERRUPTED' })
  let ended = false
  const end = detached.ended(60_000).then(() => (ended = true))
  await Promise.resolve()
  expect([detached.count(), engine.signal.aborted, ended]).toEqual([1, false, false])
  engine[how](new Error('the connection broke'))
  await end
  expect(detached.count()).toBe(0)
})

test('a detached call that never ends is waited for up to the limit, then aborted', async () => {
  const engine = createHeld(false)
  const detached = trackDetached(engine)
  await expect(detached.run([], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  await detached.ended(1)
  expect(engine.signal.aborted).toBe(true)
})

test('a call that ends in time is not detached, and an engine that can cancel gets the signal itself', async () => {
  const waiting = createHeld(false)
  const detached = trackDetached(waiting)
  const run = detached.run([], { signal: new AbortController().signal })
  waiting.end(['outcome'])
  expect([await run, detached.count()]).toEqual([['outcome'], 0])

  const engine = createHeld(true)
  const controller = new AbortController()
  trackDetached(engine).run([], { signal: controller.signal })
  expect(engine.signal).toBe(controller.signal)
})
