'use strict'

const { XferError } = require('../../../lib/engines/openwhisk/platform')
const { runChecks } = require('../../../lib/doctor')

const good = { ok: true, detail: 'Good.' }
const check = (name, run = async () => good, more = {}) => ({ name, limitMs: 60_000, run, ...more })
const failing =
  (code, facts = {}) =>
  async () => {
    throw new XferError(code, { apihost: 'host', action: 'xfer/copy-range', ...facts })
  }

/** @param {any[]} checks @param {AbortSignal} [signal] */
async function run(checks, signal) {
  const told = []
  const status = await runChecks(checks, { signal, tell: (checked, error) => told.push({ ...checked, error }) })
  return { status, told, marks: told.map(({ name, ok }) => `${name} ${ok}`) }
}

test('all good is status 0, and each is told as it is done', async () => {
  const { status, marks } = await run([check('a'), check('b'), check('c', async () => ({ ok: null, detail: 'No.' }))])
  expect({ status, marks }).toEqual({ status: 0, marks: ['a true', 'b true', 'c null'] })
})

describe('a check that fails', () => {
  test('skips the checks that depend on it, directly or not, and no others', async () => {
    const never = jest.fn()
    const { status, marks, told } = await run([
      check('a', failing('ACTION_NOT_DEPLOYED')),
      check('b', never, { needs: ['a'] }),
      check('c', never, { needs: ['b'] }),
      check('d'),
      check('e', undefined, { needs: ['d'] }),
    ])
    expect(marks).toEqual(['a false', 'b null', 'c null', 'd true', 'e true'])
    expect(told.slice(1, 3).map(({ detail }) => detail)).toEqual(Array(2).fill('Skipped, for the check "a" failed.'))
    expect(never).not.toHaveBeenCalled()
    expect(status).toBe(5)
  })

  test('does not hide what is certain without it', async () => {
    const never = jest.fn()
    const foregone = { ok: true, detail: 'Certain.', hint: 'Look.' }
    const { told, status } = await run([
      check('a', failing('ACTION_NOT_DEPLOYED')),
      check('b', never, { needs: ['a'], foregone: () => foregone }),
      check('c', never, { needs: ['a'], foregone: () => undefined }),
    ])
    expect(told[1]).toEqual({ name: 'b', ...foregone, error: undefined })
    expect(told[2]).toMatchObject({ ok: null, detail: 'Skipped, for the check "a" failed.' })
    expect(status).toBe(5)
    expect(never).not.toHaveBeenCalled()
  })

  test('tells what happened and what to do, in the words of its error', async () => {
    const { told } = await run([check('a', failing('ACTION_NOT_DEPLOYED'))])
    const { message: detail, hint } = new XferError('ACTION_NOT_DEPLOYED', {
      apihost: 'host',
      action: 'xfer/copy-range',
    })
    expect(told).toEqual([{ name: 'a', ok: false, detail, hint, error: expect.any(XferError) }])
  })

  test('that never ends is given up when its time is up, and its signal is aborted', async () => {
    let signal
    const hangs = given => {
      signal = given
      return new Promise(() => {})
    }
    const { marks, told } = await run([check('a', hangs, { limitMs: 10 }), check('b')])
    expect(marks).toEqual(['a false', 'b true'])
    expect(told[0].error).toMatchObject({ code: 'CHECK_TIMED_OUT', facts: { afterMs: 10 } })
    expect(signal.aborted).toBe(true)
  })
})

describe('an interruption', () => {
  test('ends a check that does not listen, and no further one begins', async () => {
    const controller = new AbortController()
    const never = jest.fn()
    const hangs = () => {
      setImmediate(() => controller.abort())
      return new Promise(() => {})
    }
    await expect(run([check('a', hangs), check('b', never)], controller.signal)).rejects.toMatchObject({
      code: 'INTERRUPTED',
    })
    expect(never).not.toHaveBeenCalled()
  })
})
