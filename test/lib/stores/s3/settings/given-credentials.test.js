'use strict'

const { inspect } = require('node:util')
const { copy } = require('../../../../../lib')
const { fromProvider, givenCredentials } = require('../../../../../lib/stores/s3/settings/given-credentials')
const { createVirtualClock } = require('../../../../support/virtual-clock')

const KEYS = { accessKeyId: 'AKIAGIVEN', secretAccessKey: 'a-secret-of-the-program' }
const given = (credentials, more = {}) => givenCredentials('source', { credentials, ...more })
const thrownBy = call => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

test('nothing given is nothing had', () => {
  expect(given(undefined)).toBeUndefined()
})

test('an object is copied, so that a change of it later changes nothing', async () => {
  const mine = { ...KEYS, sessionToken: 'a-token', expiration: new Date(Date.now() + 60_000) }
  const credentials = given(mine)
  const first = await credentials()
  expect(first).toEqual(mine)
  mine.secretAccessKey = 'another'
  expect(await credentials()).toBe(first)
  expect(first.secretAccessKey).toBe(KEYS.secretAccessKey)
})

test('null stands for no session token and no expiration, as some libraries have it', async () => {
  expect(await given({ ...KEYS, sessionToken: null, expiration: null })()).toEqual(KEYS)
})

describe('credentials of another shape are refused, and nothing of them is quoted:', () => {
  test.each([
    ['null', null, 'are null', 'Give { accessKeyId'],
    ['a text', 'AKIA:secret', 'are a string', 'Give { accessKeyId'],
    ['an array', [], 'are an array', 'Give { accessKeyId'],
    ['a promise', Promise.resolve(KEYS), 'are a Promise', 'Give the function that returns the promise'],
    ['no secret key', { accessKeyId: 'A' }, 'have no secretAccessKey', 'Give { accessKeyId'],
    ['an empty key', { ...KEYS, accessKeyId: '' }, 'have no accessKeyId', 'Give { accessKeyId'],
    ['a number', { ...KEYS, secretAccessKey: 12345678 }, 'have a number as secretAccessKey', 'Give {'],
    [
      'the names of an answer of STS',
      { AccessKeyId: 'A', SecretAccessKey: KEYS.secretAccessKey },
      'have no accessKeyId',
      'They have AccessKeyId: name it accessKeyId.',
    ],
    ['a token that is none', { ...KEYS, sessionToken: {} }, 'have an object as sessionToken', 'Give {'],
    ['a text as expiration', { ...KEYS, expiration: '2030-01-01' }, 'have a string as expiration', 'Give a Date'],
    ['an invalid Date', { ...KEYS, expiration: new Date('x') }, 'have an invalid Date as expiration', 'Give a Date'],
  ])('%s', async (_, wrong, words, hint) => {
    const error = thrownBy(() => given(wrong))
    expect(error).toMatchObject({ code: 'USAGE', message: `The source's credentials ${words}.` })
    expect(error.hint).toMatch(new RegExp(`^${hint}`))
    expect(inspect(error, { depth: null })).not.toContain(KEYS.secretAccessKey)
    const returned = await fromProvider('source', () => wrong)().catch(refused => refused)
    if (wrong instanceof Promise) return
    expect(returned).toMatchObject({ code: 'BAD_CREDENTIALS', exitCode: 4 })
    expect(returned.message).toContain("The function that was given as the source's credentials returned ")
    expect(inspect(returned, { depth: null })).not.toContain(KEYS.secretAccessKey)
  })

  describe.each(['accessKeyId', 'secretAccessKey', 'sessionToken', 'expiration'])('the property %s', name => {
    // As long as the secret keys of stores are.
    const secret = `${'wJalrXUtnFEMI'.repeat(3)}1`
    const throwing = Object.defineProperty({ ...KEYS, secretAccessKey: secret }, name, {
      enumerable: true,
      get() {
        throw new TypeError(`cannot decipher ${secret}`)
      },
    })

    test('that throws', async () => {
      const error = thrownBy(() => given(throwing))
      const returned = await fromProvider('source', () => throwing)().catch(refused => refused)
      expect(error).toMatchObject({ code: 'USAGE', message: "The source's credentials cannot be read." })
      expect(returned).toMatchObject({
        code: 'BAD_CREDENTIALS',
        message: expect.stringContaining('returned credentials that cannot be read.'),
      })
      for (const refused of [error, returned]) {
        expect(refused.cause).toMatchObject({ name: 'TypeError', message: 'cannot decipher …' })
        expect(inspect(refused, { depth: null, showHidden: true })).not.toContain(secret)
      }
    })

    test('is read once: another time it may answer otherwise', async () => {
      const whole = { ...KEYS, sessionToken: 'a-token', expiration: new Date(Date.now() + 60_000) }
      let reads = 0
      const once = Object.defineProperty({ ...whole }, name, { get: () => (reads++ === 0 ? whole[name] : 42) })
      expect(await given(() => once)()).toEqual(whole)
    })
  })

  test('keys with a line end, and those that have expired', () => {
    expect(thrownBy(() => given({ ...KEYS, secretAccessKey: 'secret\n' }))).toMatchObject({
      code: 'BAD_CREDENTIALS',
    })
    expect(thrownBy(() => given({ ...KEYS, expiration: new Date(0) }))).toMatchObject({ code: 'CREDENTIALS_EXPIRED' })
  })

  test('together with noSignRequest', async () => {
    expect(thrownBy(() => given(KEYS, { noSignRequest: true }))).toMatchObject({ code: 'USAGE' })
    const options = { source: { credentials: KEYS, noSignRequest: true } }
    await expect(copy('s3://src/key', 's3://dst/key', options)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The source has both credentials and noSignRequest.',
    })
  })
})

describe('a function', () => {
  test('is called when credentials are needed first, and once by all who need them then', async () => {
    let calls = 0
    const credentials = given(async () => ({ ...KEYS, sessionToken: String(++calls) }))
    expect(calls).toBe(0)
    const all = await Promise.all(Array.from({ length: 100 }, () => credentials()))
    expect(calls).toBe(1)
    expect(new Set(all).size).toBe(1)
  })

  test('is told to answer anew, so that what keeps its answers does', async () => {
    const told = []
    await given(how => told.push(how) && KEYS)()
    expect(told).toEqual([{ forceRefresh: true }])
  })

  test('may change and return one object each time: what was signed with stays as it was', async () => {
    const mine = { ...KEYS, sessionToken: 'one', expiration: new Date(Date.now() + 3_600_000) }
    const credentials = given(() => mine)
    const first = await credentials()
    mine.sessionToken = 'two'
    expect(await credentials.renew(first)).toBe(true)
    const second = await credentials()
    expect([first.sessionToken, second.sessionToken]).toEqual(['one', 'two'])
  })

  test.each([
    ['nothing', () => undefined, 'returned nothing'],
    ['what is expired', () => ({ ...KEYS, expiration: new Date(0) }), 'expired at 1970-01-01T00:00:00.000Z'],
    ['none of the right shape', () => ({ accessKeyId: 'A' }), 'returned credentials that have no secretAccessKey'],
  ])('that returns %s is an error that says so', async (_, provider, words) => {
    const error = await given(provider)().catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'BAD_CREDENTIALS', message: expect.stringContaining(words) })
  })

  test.each([
    ['throws', () => thrower()],
    ['rejects', async () => thrower()],
  ])('that %s is an error with that as its cause', async (_, provider) => {
    const error = await given(provider)().catch(thrown => thrown)
    expect(error).toMatchObject({
      code: 'BAD_CREDENTIALS',
      message: "The function that was given as the source's credentials failed: the vault is sealed.",
      cause: { name: 'VaultError', message: 'the vault is sealed', code: 'E_SEALED' },
    })
  })

  test('that does not answer is waited for no longer than a minute, and asked again the next time', async () => {
    const clock = createVirtualClock()
    let answer
    const provider = () => new Promise(resolve => (answer = resolve))
    const credentials = fromProvider('source', provider, { clock, limitMs: 60_000 })
    const late = await clock.run(credentials().catch(thrown => thrown))
    expect(clock.elapsedMs()).toBe(60_000)
    expect(late).toMatchObject({ message: expect.stringContaining('did not answer within 60 seconds') })
    const again = credentials()
    answer(KEYS)
    expect(await again).toEqual(KEYS)
  })
})

test('a wait that nobody needs any more ends, so that no timer keeps the program from its end', async () => {
  const clock = createVirtualClock()
  const credentials = fromProvider('source', () => new Promise(() => {}), { clock })
  const waiting = credentials().catch(thrown => thrown)
  expect(clock.pending()).toBe(1)
  credentials.close()
  expect(await waiting).toMatchObject({ code: 'BAD_CREDENTIALS' })
  expect(clock.pending()).toBe(0)
})

function thrower() {
  throw Object.assign(new Error('the vault is sealed'), { name: 'VaultError', code: 'E_SEALED' })
}
