'use strict'

const { XferError } = require('../../../lib/errors')
const { createStop, DRAIN_MS } = require('../../../lib/async/stop')
const { createVirtualClock } = require('../../support/virtual-clock')

/** What is asked and when, of a stop after so long. */
async function story(how, act = () => {}) {
  const clock = createVirtualClock(0)
  const stop = createStop({ ...how, clock })
  const seen = []
  for (const name of ['asked', 'now']) {
    stop[name].addEventListener('abort', () => seen.push([name, clock.elapsedMs(), stop[name].reason.code]))
  }
  act(stop)
  await clock.run(clock.delay(60_000))
  return seen
}

test('an abort asks at once, and ends what runs some seconds later', async () => {
  const controller = new AbortController()
  expect(await story({ signal: controller.signal }, () => controller.abort())).toEqual([
    ['asked', 0, 'INTERRUPTED'],
    ['now', DRAIN_MS, 'INTERRUPTED'],
  ])
})

test('an abort before it began counts', () => {
  const stop = createStop({ signal: AbortSignal.abort(new XferError('INTERRUPTED', {})) })
  expect(stop.asked.aborted).toBe(true)
  stop.close()
})

test('the time that is up does the same, and says which', async () => {
  expect(await story({ timeout: { ms: 30_000, text: '30s' } })).toEqual([
    ['asked', 30_000, 'TIMED_OUT'],
    ['now', 30_000 + DRAIN_MS, 'TIMED_OUT'],
  ])
})

test('the first reason counts', async () => {
  const controller = new AbortController()
  const how = { signal: controller.signal, timeout: { ms: 2_000, text: '2s' } }
  expect((await story(how, () => controller.abort())).map(([, , code]) => code)).toEqual(['INTERRUPTED', 'INTERRUPTED'])
})

test('nothing happens once it is closed, nor too soon for a timer that holds less', async () => {
  const controller = new AbortController()
  const how = { signal: controller.signal, timeout: { ms: 10_000 * 86_400_000, text: '10000d' } }
  expect(await story(how)).toEqual([])
  const act = stop => {
    stop.close()
    controller.abort()
  }
  expect(await story({ signal: controller.signal, timeout: { ms: 10, text: '10ms' } }, act)).toEqual([])
})
