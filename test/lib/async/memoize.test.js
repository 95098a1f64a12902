'use strict'

const { memoize } = require('../../../lib/async/memoize')

const MINUTE = 60_000

/** A provider whose answers are good for so long, and a clock. */
function setUp(goodForMs) {
  let nowMs = 1_000_000
  const calls = []
  const provider = jest.fn(() => {
    const expiration = goodForMs === undefined ? undefined : new Date(nowMs + goodForMs)
    return new Promise((resolve, reject) =>
      calls.push({ reject, resolve: () => resolve({ accessKeyId: `id ${calls.length}`, expiration }) }),
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

test('credentials that never expire are requested once', async () => {
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

test('concurrent callers share one request', async () => {
  const it = setUp(undefined)
  const asked = [it.credentials(), it.credentials(), it.credentials()]
  it.answer()
  const [a, b, c] = await Promise.all(asked)
  expect([b, c]).toEqual([a, a])
  expect(it.provider).toHaveBeenCalledTimes(1)
})

test('a failure reaches all callers, and the next call tries again', async () => {
  const it = setUp(undefined)
  const asked = Promise.allSettled([it.credentials(), it.credentials()])
  it.fail(new Error('no network'))
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask(it)).toMatchObject({ accessKeyId: 'id 2' })
})

test('if the renewal fails, the old ones are used until they expire, and the renewal is tried now and then', async () => {
  const it = setUp(60 * MINUTE)
  const first = await ask(it)
  const failed = async () => {
    const asked = it.credentials()
    it.fail(new Error('no network'))
    return await asked
  }
  it.pass(56 * MINUTE)
  expect(await failed()).toBe(first)
  it.pass(9_999)
  expect(await it.credentials()).toBe(first)
  expect(it.provider).toHaveBeenCalledTimes(2)
  it.pass(1)
  expect(await failed()).toBe(first)
  it.pass(4 * MINUTE)
  await expect(failed()).rejects.toThrow('no network')
  expect(await ask(it)).not.toBe(first)
})

describe('credentials that a store refuses as expired', () => {
  /** @param {Array<object | Error>} answers of the provider, one a call, the last one for good */
  async function refusing(...answers) {
    const provider = jest.fn(async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Error) throw answer
      return { ...answer }
    })
    const credentials = memoize(provider, () => 0)
    return { provider, credentials, first: await credentials() }
  }
  const one = { accessKeyId: 'one', secretAccessKey: 's' }
  const two = { accessKeyId: 'two', secretAccessKey: 's' }

  test('are asked for anew, once for all that were refused', async () => {
    const { provider, credentials, first } = await refusing(one, two)
    expect(await Promise.all([credentials.renew(first), credentials.renew(first)])).toEqual([true, true])
    expect(await credentials.renew(first)).toBe(true)
    expect(await credentials()).toEqual(two)
    expect(provider).toHaveBeenCalledTimes(2)
  })

  test('are no more where the same ones come', async () => {
    const { credentials, first } = await refusing(one, one)
    expect(await credentials.renew(first)).toBe(false)
    expect(await credentials()).toBe(first)
  })

  test('are no more where the provider fails, and its error says why', async () => {
    const { credentials, first } = await refusing(one, new Error('logged out'))
    await expect(credentials.renew(first)).rejects.toThrow('logged out')
    expect(await credentials()).toBe(first)
  })

  test('are asked for anew a few times only, where new ones are refused too', async () => {
    let count = 0
    let nowMs = 0
    const credentials = memoize(
      async () => ({ accessKeyId: `${count++}`, secretAccessKey: 's' }),
      () => nowMs,
    )
    const renew = async () => await credentials.renew(await credentials())
    const renewed = []
    for (let i = 0; i < 7; i++) renewed.push(await renew())
    expect(renewed).toEqual([true, true, true, true, true, false, false])
    nowMs = 10 * MINUTE
    expect(await renew()).toBe(true)
  })
})
