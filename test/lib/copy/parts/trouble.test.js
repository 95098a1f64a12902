'use strict'

/** What can go wrong at each call of an upload in parts: what the run ends with, what it leaves, and what the next run makes of that. */

const { RETRIES, TROUBLES: EACH, createLate, lost, notSent } = require('../../../support/rigged-store')
const { refused, unanswered } = require('../../../support/rigged-store')
const { BODY, TAG, createRig } = require('./rig')

const OLD = 'old'

const TROUBLES = { ...EACH, gone: refused('UPLOAD_GONE', { status: 404 }) }
const CALLS = ['head', 'create', 'part 2', 'parts', 'complete', 'abort']

/** What is left of uploads that nobody was told of. */
function leftOf(rig) {
  const told = rig.events.flatMap(({ code, facts }) => (code === 'LOST_UPLOAD' ? [facts.uploadId] : []))
  return rig.uploads().filter(id => !told.includes(id))
}

/** What is wrong with the end of a run that was to copy the object. */
function faultOf(rig, { done, error }) {
  const is = error ? error.code : done.etag === rig.etag() ? 'copied' : 'copied with another ETag'
  const found = [is, rig.text(), ...leftOf(rig)].join()
  return found === `copied,${BODY}` ? undefined : found
}

/** Of a run that met trouble, and then, if it failed, of one that meets none. */
async function faultOfTwo({ trouble = {}, killAt, ...before }) {
  const rig = createRig({ ...before, trouble })
  const first = await rig.go({ killAt })
  if (!first.error) return faultOf(rig, first)
  for (const happens of Object.values(trouble)) happens.length = 0
  const isWhole = [before.there, BODY].includes(rig.text())
  return isWhole ? faultOf(rig, await rig.go()) : `${first.error.code} left ${rig.text()}`
}

/** The rows of a table that are not as they should be. @param {Array<[name: string, how: object]>} rows */
async function faultsOf(rows, faultOfRow = faultOfTwo) {
  const faults = await Promise.all(rows.map(async ([name, how]) => [name, await faultOfRow(how)]))
  return faults.flatMap(([name, fault]) => (fault === undefined ? [] : [`${name}: ${fault}`]))
}

const combined = (some, others) => some.flatMap(one => others.map(other => [one, other]))
const NAMES = Object.keys(TROUBLES)

test('a part that comes during the completion leaves no upload, however long ago its sender gave it up', async () => {
  const { send, arriveAfter } = createLate()
  const rig = createRig({ trouble: { 'part 1': [send], complete: [arriveAfter] } })
  const ended = await rig.go()
  expect(rig.events.map(({ type }) => type)).toContain('retry')
  expect(faultOf(rig, ended)).toBeUndefined()
})

test('a part that was copied without a checksum is copied again by a run that proves what it copies', async () => {
  const trouble = {
    'part 2': Array(9).fill(refused('ACCESS_DENIED')),
    'part 3': Array(9).fill(refused('ACCESS_DENIED')),
  }
  const rig = createRig({ trouble })
  expect(await rig.go()).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
  trouble['part 2'].length = 0
  expect(await rig.go({ proved: false })).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
  trouble['part 3'].length = 0
  rig.calls.length = 0
  const { done } = await rig.go()
  expect(rig.calls.filter(call => call.startsWith('part '))).toEqual(['part 2', 'part 3'])
  expect(done.outcomes.map(({ sums }) => typeof sums.crc32)).toEqual(['string', 'string', 'string'])
})

describe.each([
  ['that has no such object', {}],
  ['that has another one', { there: OLD }],
  ['that has an equal one', { there: BODY, tag: TAG }],
])('at a destination %s', (_, before) => {
  test('trouble with any call, once or until the run ends, ends with the copy, now or with the next run', async () => {
    const rows = combined(CALLS, NAMES).flatMap(([call, name]) =>
      [1, 9].map(times => [
        `${call} ${name} ${times}`,
        { ...before, trouble: { [call]: Array(times).fill(TROUBLES[name]) } },
      ]),
    )
    expect(await faultsOf(rows)).toEqual([])
  })

  test('so do two troubles with the completion, and now if the object is there', async () => {
    const rows = combined(NAMES, NAMES).map(names => [names.join(), names.map(name => TROUBLES[name])])
    const faultOfCompletion = async troubles => {
      const rig = createRig({ ...before, trouble: { complete: [...troubles] } })
      const { error } = await rig.go()
      if (error && rig.text() === BODY && before.there !== BODY) return `it is there, and the end was ${error.code}`
      return await faultOfTwo({ ...before, trouble: { complete: [...troubles] } })
    }
    expect(await faultsOf(rows, faultOfCompletion)).toEqual([])
  })

  test('so does the end of the process at any step', async () => {
    const { steps } = await createRig(before).go()
    const rows = Array.from({ length: steps }, (_, i) => [`step ${i + 1}`, { ...before, killAt: i + 1 }])
    expect(await faultsOf(rows)).toEqual([])
  })
})

test('two processes that end at any step, one after the other, leave the copy to the next run, and no part of it', async () => {
  const { steps } = await createRig().go()
  const all = Array.from({ length: steps }, (_, i) => i + 1)
  const odd = all.filter(step => step % 2 === 1)
  const rows = combined(all, odd).map(kills => [kills.join(), kills])
  const faultOfKilled = async kills => {
    const rig = createRig()
    for (const killAt of kills) await rig.go({ killAt })
    return faultOf(rig, await rig.go())
  }
  expect(await faultsOf(rows, faultOfKilled)).toEqual([])
})

test('a completion that is answered at last says what became of the first requests', async () => {
  const rig = createRig({ trouble: { complete: [lost, ...Array(RETRIES).fill(notSent)] } })
  expect(faultOf(rig, await rig.go())).toBeUndefined()
})

describe('with a condition', () => {
  const condition = { ifNoneMatch: true }

  test('an object of somebody else stays, whatever happens, and no upload', async () => {
    const rows = combined(CALLS, NAMES)
      // Then the store lies, or nothing may be aborted.
      .filter(([call, name]) => !(call === 'abort' && name === 'gone'))
      .map(([call, name]) => [`${call} ${name}`, { [call]: [TROUBLES[name]] }])
    const faultOfRefused = async trouble => {
      const rig = createRig({ there: OLD, condition, trouble })
      for (let runs = 1; runs <= 2; runs++) {
        const { error } = await rig.go()
        if (!error || rig.text() !== OLD) return `${error?.code}, and what is there is ${rig.text()}`
      }
      return leftOf(rig)[0]
    }
    expect(await faultsOf(rows, faultOfRefused)).toEqual([])
  })

  test('so does one that comes just before the completion, and ours is ours if its answer was lost', async () => {
    const comes = act => {
      rig.put(OLD)
      return act()
    }
    const rig = createRig({ condition, trouble: { complete: [unanswered, comes] } })
    expect((await rig.go()).error).toMatchObject({ code: 'DESTINATION_EXISTS' })
    expect([rig.text(), rig.uploads()]).toEqual([OLD, []])
    const ours = createRig({ condition, trouble: { complete: [lost] } })
    expect(faultOf(ours, await ours.go())).toBeUndefined()
  })
})

test('what a process has completed that ended at any step is ours, also where nothing may be replaced, and is not sent again', async () => {
  const { steps } = await createRig().go()
  const rows = Array.from({ length: steps }, (_, i) => [`step ${i + 1}`, i + 1])
  const faultOfKilled = async killAt => {
    const rig = createRig({ condition: { ifNoneMatch: true } })
    await rig.go({ killAt })
    const isThere = rig.text() !== undefined
    const fault = faultOf(rig, await rig.go())
    return isThere && rig.calls.filter(call => call === 'part 1').length > 1 ? 'sent again' : fault
  }
  expect(await faultsOf(rows, faultOfKilled)).toEqual([])
})
