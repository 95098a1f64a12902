'use strict'

const { XferError } = require('../../../lib/engines/openwhisk/errors')
const { judgeClock, runChecks } = require('../../../lib/doctor')

const good = { ok: true, detail: 'Good.' }
const check = (name, run = async () => good, more = {}) => ({ name, limitMs: 60_000, run, ...more })
const failing =
  (code, facts = {}) =>
  async () => {
    throw new XferError(code, { platform: 'the host', fn: 'the action', action: 'xfer/copy-range', ...facts })
  }

/** @param {any[]} checks @param {AbortSignal} [signal] */
async function run(checks, signal) {
  const told = []
  const status = await runChecks(checks, { signal, tell: (checked, error) => told.push({ ...checked, error }) })
  return { status, told, marks: told.map(({ name, ok }) => `${name} ${ok}`) }
}

test('a check that fails skips the checks that depend on it, directly or not, and no others', async () => {
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

test('a check that fails that never ends is given up when its time is up, and its signal is aborted', async () => {
  let signal
  const hangs = given => {
    signal = given
    return new Promise(() => {})
  }
  const { marks, told } = await run([check('a', hangs, { limitMs: 10 }), check('b')])
  expect(marks).toEqual(['a false', 'b true'])
  expect(told[0].error).toMatchObject({ code: 'TIMED_OUT', exitCode: 1, facts: { afterMs: 10 } })
  expect(signal.aborted).toBe(true)
})

test('an interruption ends a check that does not listen, and no further one begins', async () => {
  const controller = new AbortController()
  const never = jest.fn()
  const hangs = () => {
    setImmediate(() => controller.abort())
    return new Promise(() => {})
  }
  const interrupted = run([check('a', hangs), check('b', never)], controller.signal)
  await expect(interrupted).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(never).not.toHaveBeenCalled()
})

const at = Date.UTC(2026, 10, 21, 12)
/** Ours is `aheadMs` ahead of whom we ask, and the answer takes 100 ms. */
const sample = (who, aheadMs) => ({ who, dateMs: at, sentMs: at + 450 + aheadMs, receivedMs: at + 550 + aheadMs })

test.each([
  [[0, 0, 0], true, undefined, 'in step with who0, who1 and who2.'],
  [[-61_000], true, 'Set', '61 s behind who0'],
  [[15 * 60_000], false, 'Set', '15 minutes ahead'],
  [[0, -5 * 3_600_000, 0], false, 'Set', 'in step with who0 and who2, 5 hours behind who1'],
])('the clock %j ms ahead', (skews, ok, hint, words) => {
  const found = judgeClock(skews.map((skewMs, i) => sample(`who${i}`, skewMs)))
  expect(found).toMatchObject({ ok, detail: expect.stringContaining(words) })
  expect(found.hint?.slice(0, 3)).toBe(hint)
})
