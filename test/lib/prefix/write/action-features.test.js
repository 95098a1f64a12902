'use strict'

const { toOutcomes } = require('../../../../lib/engines')
const { XferError } = require('../../../../lib/engines/openwhisk/platform')
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
  return { calls, check: () => checkActionFeatures({ engine, settings: { retries: 2 }, run: { cancel: signal } }) }
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
