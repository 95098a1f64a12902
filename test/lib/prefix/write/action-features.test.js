'use strict'

const { toOutcomes } = require('../../../../lib/engines')
const { XferError } = require('../../../../lib/engines/openwhisk/platform')
const { createPressure } = require('../../../../lib/schedule')
const { checkActionFeatures } = require('../../../../lib/prefix/write/action-features')

const FACTS = { apihost: 'http://platform', where: 'http://platform', action: 'xfer/copy-range', reason: 'why' }

/** An engine with such answers, one after the other: errors, or what the function answers. */
function setUp(answers, { asks = true, signal } = {}) {
  const calls = []
  async function features(needs) {
    calls.push(needs)
    const answer = answers[calls.length - 1]
    if (answer instanceof Error) throw answer
    toOutcomes({ version: 1, outcomes: [], ...answer }, [], { ...FACTS, needs })
  }
  const engine = { can: asks ? { features } : {} }
  const pressure = createPressure({ random: () => 0.5 })
  const notices = []
  const emit = ({ code, message }) => notices.push([code, message])
  const job = { engine, settings: { retries: 2 }, run: { cancel: signal, emit, pressure } }
  return { calls, notices, pressure, check: () => checkActionFeatures(job) }
}

test('a function that has the feature is asked once', async () => {
  const { calls, check } = setUp([{ knows: ['headers'] }])
  await check()
  expect(calls).toEqual([['headers']])
})

test('one that is too old is refused', async () => {
  await expect(setUp([{}]).check()).rejects.toMatchObject({ code: 'ACTION_VERSION' })
})

test('a platform that is busy, or breaks off, is asked again', async () => {
  const busy = new XferError('PLATFORM_THROTTLED', FACTS)
  const { calls, check } = setUp([busy, new XferError('ACTIVATION_FAILED', FACTS), busy, { knows: ['headers'] }])
  await check()
  expect(calls).toHaveLength(4)
})

test('a platform whose quota is used up is waited for, which is told', async () => {
  const answers = [
    new XferError('PLATFORM_THROTTLED', { ...FACTS, throttle: 'rate', allowed: 60 }),
    { knows: ['headers'] },
  ]
  const { calls, notices, pressure, check } = setUp(answers)
  const told = []
  calls.push = function (needs) {
    told.push(pressure.hindrances())
    return Array.prototype.push.call(this, needs)
  }
  await check()
  const message = 'Waiting for the platform: its 60 invocations a minute are used up.'
  expect(notices).toEqual([['WAITING_FOR_PLATFORM', message]])
  expect([...told, pressure.hindrances()]).toEqual([{}, { waiting: { perMinute: 60 } }, {}])
})

test('a platform that is busy for long is waited for, which is told once', async () => {
  const busy = new XferError('PLATFORM_THROTTLED', { ...FACTS, throttle: 'concurrent', allowed: 30 })
  const { notices, check } = setUp([busy, busy, busy, busy, busy, { knows: ['headers'] }])
  await check()
  expect(notices).toHaveLength(1)
})

test('after a cancel nothing is requested', async () => {
  const controller = new AbortController()
  controller.abort()
  const { calls, check } = setUp([], { signal: controller.signal })
  await expect(check()).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(calls).toEqual([])
})

test('the action that came with this program is not asked', async () => {
  const { calls, check } = setUp([], { asks: false })
  await check()
  expect(calls).toEqual([])
})
