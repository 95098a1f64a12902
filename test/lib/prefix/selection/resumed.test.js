'use strict'

/** A sync that was killed and goes on: what of an object at the destination is taken for done. */

const { readResumed } = require('../../../../lib/prefix/selection/resumed')
const { decide } = require('../../../../lib/select')

const BEGAN_MS = 1_000_000_000
const NOW_MS = BEGAN_MS + 60_000
const SOURCE = { key: 'a', bytes: 9, etag: `"${'1'.repeat(32)}"`, lastModifiedMs: BEGAN_MS - 3_600_000 }

beforeEach(() => jest.useFakeTimers({ now: NOW_MS }))
afterEach(() => jest.useRealTimers())

/**
 * @param {{ checks: boolean, verify?: string, filtered?: true }} how checks: whether the destination is known to check;
 *   filtered: the filters leave the object out
 */
function judgeOf({ checks, verify = 'auto', filtered }) {
  const store = { now: () => NOW_MS, can: {} }
  const prefix = { ranges: [{ id: 0 }], objects: new Map(), failed: new Set() }
  const job = {
    source: { store },
    destination: { store },
    run: { journal: { state: { prefix, damaged: 0, createdMs: BEGAN_MS } }, emit() {} },
    settings: { proved: verify !== 'none', verify },
    trust: { put: () => checks },
  }
  const left = { action: 'skip', why: 'left out', filtered }
  return readResumed(job, (pair, clocks) => (filtered ? left : decide(pair, { mode: 'sync' }, clocks))).judge
}

const pairOf = (afterMs, etag) => ({
  name: 'a',
  source: SOURCE,
  destination: { ...SOURCE, etag, lastModifiedMs: BEGAN_MS + afterMs },
})

test.each([
  ['of a store that checks, written by the job', { checks: true }, 30_000, '"opaque"', 'skip'],
  ['with the ETag of its source, written by the job', { checks: false }, 30_000, SOURCE.etag, 'skip'],
  ['that nothing proves, written by the job', { checks: false }, 30_000, '"opaque"', 'copy'],
  ['that is not what was sent, written by the job', { checks: false }, 30_000, `"${'2'.repeat(32)}"`, 'copy'],
  ['that was to be read back, written by the job', { checks: true, verify: 'full' }, 30_000, '"opaque"', 'copy'],
  ['that nothing is to prove, written by the job', { checks: false, verify: 'none' }, 30_000, '"opaque"', 'skip'],
  ['of a sync before the job', { checks: false }, -1_800_000, '"opaque"', 'skip'],
])('an object %s', (_, how, afterMs, etag, action) => {
  expect(judgeOf(how)(pairOf(afterMs, etag))).toMatchObject({ action })
})

test('an object that the filters leave out is counted as such, though it looks like a copy of the job', () => {
  const written = pairOf(-1_000, SOURCE.etag)
  expect(judgeOf({ checks: true })(written)).toMatchObject({ earlier: true })
  expect(judgeOf({ checks: true, filtered: true })(written)).toEqual({
    action: 'skip',
    why: 'left out',
    filtered: true,
  })
})
