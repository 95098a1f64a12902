'use strict'

/** What can go wrong with many objects: what the run ends with, what it leaves, and what the next run makes of that. */

const { lost, refused } = require('../../support/rigged-store')
const { createRig } = require('./rig')

test('an undisturbed sync', async () => {
  const rig = createRig({ source: { a: 'aa', b: 'bbbbbb' }, destination: { c: 'cc' } })
  const { summary, error } = await rig.go({ delete: true })
  expect(error).toBeUndefined()
  expect(summary.objects).toMatchObject({ copied: 2, deleted: 1, failed: 0 })
  expect(rig.there()).toEqual({ a: 'aa', b: 'bbbbbb' })
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

describe('an object that failed, and of which other bytes are at the destination', () => {
  const source = { a: 'aa', large: 'llllll' }

  /** Two runs, of which the first one meets trouble. Copies count by their sizes, so that the second one doubts only what the first one noted. */
  async function runTwice(trouble) {
    const rig = createRig({ source, trouble: { destination: trouble }, settings: { verify: 'size', proved: false } })
    return { rig, first: await rig.go(), second: await rig.go() }
  }
  const spoiltBefore = happens => act => {
    act('xx')
    return happens(act)
  }

  test.each(['WRONG_COPY', 'NOT_PROVED', 'NOT_READ_BACK', 'OUTCOME_UNKNOWN', 'OBJECT_CHANGED', 'INTEGRITY'])(
    'is copied again after %s',
    async code => {
      const { rig, first, second } = await runTwice({ 'put to/a': [spoiltBefore(refused(code, { advice: 'Look.' }))] })
      expect(first.events).toContainEqual(expect.objectContaining({ type: 'failure', name: 'a', code }))
      expect(second.error).toBeUndefined()
      expect(rig.there()).toEqual(source)
    },
  )

  test('is copied again after a completion without an answer, where it may not be looked at', async () => {
    const denied = refused('ACCESS_DENIED', { status: 403 })
    const { rig, first, second } = await runTwice({
      'part 2': [act => act('xx')],
      'complete to/large': [lost],
      'head to/large': [denied, denied],
    })
    expect(first.events).toContainEqual(expect.objectContaining({ type: 'failure', code: 'OUTCOME_UNKNOWN' }))
    expect(second.error).toBeUndefined()
    expect(rig.there()).toEqual(source)
  })

  test('is taken for equal after an error that leaves nothing', async () => {
    const { rig, second } = await runTwice({ 'put to/a': [spoiltBefore(refused('ACCESS_DENIED'))] })
    expect(second.error).toBeUndefined()
    expect(rig.there()).toEqual({ ...source, a: 'xx' })
  })
})
