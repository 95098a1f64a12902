'use strict'

const { XferError } = require('../../../lib/errors')
const { createCancellation, DRAIN_MS } = require('../../../lib/async/cancellation')
const { createVirtualClock } = require('../../support/virtual-clock')

/** What is asked and when, of a cancellation after so long. */
async function story(how, act = () => {}) {
  const clock = createVirtualClock(0)
  const ending = createCancellation({ ...how, clock })
  const seen = []
  for (const name of ['cancel', 'abort']) {
    ending[name].addEventListener('abort', () => seen.push([name, clock.elapsedMs(), ending[name].reason.code]))
  }
  act(ending)
  await clock.run(clock.delay(60_000))
  return seen
}

test('an abort cancels at once, and aborts what still runs some seconds later', async () => {
  const controller = new AbortController()
  expect(await story({ signal: controller.signal }, () => controller.abort())).toEqual([
    ['cancel', 0, 'INTERRUPTED'],
    ['abort', DRAIN_MS, 'INTERRUPTED'],
  ])
})

test('an abort before it began counts', () => {
  const ending = createCancellation({ signal: AbortSignal.abort(new XferError('INTERRUPTED', {})) })
  expect(ending.cancel.aborted).toBe(true)
  ending.close()
})

test('a timeout does the same, with its own reason', async () => {
  expect(await story({ timeoutMs: 30_000 })).toEqual([
    ['cancel', 30_000, 'TIMED_OUT'],
    ['abort', 30_000 + DRAIN_MS, 'TIMED_OUT'],
  ])
})

test('many jobs may have one signal: Node.js warns of nothing, and each is cancelled', async () => {
  const warnings = []
  const onWarning = warning => warnings.push(warning.name)
  process.on('warning', onWarning)
  const controller = new AbortController()
  const jobs = Array.from({ length: 20 }, () => createCancellation({ signal: controller.signal }))
  // A warning is an event of the next tick.
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', onWarning)
  controller.abort()
  expect(jobs.every(({ cancel }) => cancel.aborted)).toBe(true)
  for (const job of jobs) job.close()
  expect(warnings).toEqual([])
})
