'use strict'

const { memoize } = require('../../../lib/settings/memoize')

const MINUTE = 60_000

/** A provider whose answers are good for so long, and a clock. */
function setUp(goodForMs) {
  let nowMs = 1_000_000
  const calls = []
  const provider = jest.fn(() => {
    const expiration = goodForMs === undefined ? undefined : new Date(nowMs + goodForMs)
    return new Promise((resolve, reject) =>
      calls.push({ reject, resolve: () => resolve({ id: calls.length, expiration }) }),
    )
  })
  const credentials = memoize(provider, () => nowMs)
  return {
    provider,
    credentials,
    pass: ms => {
      nowMs += ms
    },
    answer: () => calls.at(-1).resolve(),
    fail: error => calls.at(-1).reject(error),
  }
}

async function ask({ credentials, answer }) {
  const asked = credentials()
  answer()
  return await asked
}

test('what never expires is asked for once', async () => {
  const it = setUp(undefined)
  const first = await ask(it)
  it.pass(10 ** 10)
  expect(await it.credentials()).toBe(first)
  expect(it.provider).toHaveBeenCalledTimes(1)
})

test('an answer is kept until five minutes before it expires, then asked for again', async () => {
  const it = setUp(60 * MINUTE)
  const first = await ask(it)
  it.pass(55 * MINUTE - 1)
  expect(await it.credentials()).toBe(first)
  it.pass(1)
  const second = await ask(it)
  expect(second).not.toBe(first)
  it.pass(MINUTE)
  expect(await it.credentials()).toBe(second)
  expect(it.provider).toHaveBeenCalledTimes(2)
})

test('those who ask at the same time share one question', async () => {
  const it = setUp(undefined)
  const asked = [it.credentials(), it.credentials(), it.credentials()]
  it.answer()
  const [a, b, c] = await Promise.all(asked)
  expect([b, c]).toEqual([a, a])
  expect(it.provider).toHaveBeenCalledTimes(1)
})

test('a failure is told to all who asked, and the next one asks anew', async () => {
  const it = setUp(undefined)
  const asked = Promise.allSettled([it.credentials(), it.credentials()])
  it.fail(new Error('no network'))
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask(it)).toMatchObject({ id: 2 })
})
