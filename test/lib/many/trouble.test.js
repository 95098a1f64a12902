'use strict'

/** What can go wrong with many objects: what the run ends with, what it leaves, and what the next run makes of that. */

const { isDeepStrictEqual } = require('node:util')
const { TROUBLES, errorOf, refused } = require('../../support/rigged-store')
const { createRig } = require('../../support/rigged-copy')

const OURS = { a: 'aa', large: 'llllll', same: 'ss', z: 'zz' }
const THEIRS = { extra: 'ee', same: 'ss', z: 'older' }
const CALLS = {
  source: ['list', 'head'],
  destination: ['list', 'head', 'put to/a', 'part 1', 'create', 'complete', 'removeAll'],
}

/** What is wrong after a run that meets trouble, or after the next one, which meets none. */
async function faultOf({ trouble = {}, killAt }) {
  const rig = createRig({ source: OURS, destination: THEIRS, trouble, settings: { retries: 0 } })
  const runs = [await rig.go({ delete: true }, { killAt })]
  const there = rig.there()
  const isOurs = name => there[name] === OURS[name]
  const isWhole = Object.keys(OURS).every(name => isOurs(name) || there[name] === THEIRS[name])
  const early = there.extra === undefined && !Object.keys(OURS).every(isOurs)
  if (!isWhole || early) return `${early ? 'deleted early' : 'a wrong copy'}: ${JSON.stringify(there)}`
  for (const calls of Object.values(trouble)) for (const happens of Object.values(calls)) happens.length = 0
  if (runs[0].error) runs.push(await rig.go({ delete: true }))
  const told = runs.flatMap(({ events }) => events.map(({ code, facts }) => code === 'LOST_UPLOAD' && facts.uploadId))
  const left = rig.uploads().filter(id => !told.includes(id))
  const isCopied = isDeepStrictEqual(rig.there(), OURS) && left.length === 0
  const { error } = runs.at(-1)
  return isCopied && !error ? undefined : `${error?.code}, ${JSON.stringify(rig.there())} ${left}`
}

test.each(Object.entries(CALLS))(
  'a sync with --delete ends in spite of trouble with the %s, now or with the next run',
  async (side, calls) => {
    const faults = []
    for (const call of calls) {
      for (const [name, happens] of Object.entries(TROUBLES)) {
        for (const times of [1, 9]) {
          const fault = await faultOf({ trouble: { [side]: { [call]: Array(times).fill(happens) } } })
          if (fault) faults.push(`${call} ${name} ${times}: ${fault}`)
        }
      }
    }
    expect(faults).toEqual([])
  },
)

test('a sync with --delete ends with the next run where the process ends, at any step', async () => {
  const { steps } = await createRig({ source: OURS, destination: THEIRS }).go({ delete: true })
  const faults = []
  for (let killAt = 1; killAt <= steps; killAt++) {
    const fault = await faultOf({ killAt })
    if (fault) faults.push(`step ${killAt}: ${fault}`)
  }
  expect(faults).toEqual([])
})

test('nothing is deleted if the list of any range of names may be incomplete', async () => {
  /** The end of the first range: it does not tell whether there is more, and nobody may ask. */
  const open = act => ({ objects: act().objects.slice(0, 1), lacks: ['IsTruncated'] })
  const both = { a: 'aa', z: 'zz' }
  const rig = createRig({
    source: { ...both, b: 'bb' },
    destination: { ...both, b: 'bb' },
    trouble: { source: { list: [open, refused('STORE_REFUSED')] } },
    facts: [{ n: 0, at: Date.now(), type: 'ranges', ranges: [{ until: 'm' }], keptMs: Date.now() }],
  })
  const { error } = await rig.go({ delete: true })
  expect(rig.there()).toEqual({ ...both, b: 'bb' })
  expect(error).toMatchObject({ code: 'LISTING_UNPROVED' })
})

test('an object that a process has written that ended before it proved it is copied again', async () => {
  const ends = act => {
    act('xx')
    return refused('INTERRUPTED')(act)
  }
  const rig = createRig({ source: { a: 'aa' }, trouble: { destination: { 'put to/a': [ends] } } })
  expect((await rig.go()).error).toMatchObject({ code: 'INTERRUPTED' })
  expect(rig.there()).toEqual({ a: 'xx' })
  expect((await rig.go()).error).toBeUndefined()
  expect(rig.there()).toEqual({ a: 'aa' })
})

test.each([['a/b'], ['a/large']])(
  'an object that its store has taken, and does not show because it is below the object a, is named: %s',
  async name => {
    const hides = ({ list }) => ({
      async list(page, how) {
        const { objects, ...others } = await list(page, how)
        return { objects: objects.filter(({ key }) => !key.startsWith('to/a/')), ...others }
      },
    })
    const ours = { a: 'aa', [name]: name }
    const rig = createRig({ source: ours, settings: { chunkBytes: 5 }, more: { destination: hides } })
    const { events } = await rig.go()
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name, code: 'KEY_INVALID' }])
  },
)

test.each([
  ['is aborted', undefined, 'OBJECTS_FAILED', 0],
  ['is left to who has taken the job over', errorOf('JOB_TAKEN'), 'JOB_TAKEN', 1],
])('the upload of a large object that fails %s', async (_, taken, code, count) => {
  const run = new AbortController()
  const shared = {
    async takenOver() {
      if (taken) run.abort(taken)
      return taken
    },
  }
  const trouble = { destination: { 'part 1': [refused('STORE_REFUSED')] } }
  const more = {
    destination: ({ upload }) => ({
      upload: {
        ...upload,
        async abort(what, how) {
          how.signal.throwIfAborted()
          return await upload.abort(what, how)
        },
      },
    }),
  }
  const rig = createRig({ source: { large: 'llllll' }, trouble, shared, more })
  const { error } = await rig.go({}, { signal: run.signal })
  expect([error.code, rig.uploads().length]).toEqual([code, count])
})
