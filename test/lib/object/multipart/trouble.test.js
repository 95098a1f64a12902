'use strict'

/** What can go wrong at each call of an upload in parts: what the run ends with, and what it leaves. */

const { createLate, lost, notSent } = require('../../../support/rigged-store')
const { BODY, createRig } = require('./rig')

/** The run said that it copied the object, and it did; nothing else is left. */
function expectCopied(rig, { done, error }) {
  expect(error).toBeUndefined()
  expect([rig.text(), rig.uploads()]).toEqual([BODY, []])
  expect(done.etag).toBe(rig.etag())
}

test('an undisturbed upload', async () => {
  const rig = createRig()
  expectCopied(rig, await rig.go())
})

test('a completion whose answer was lost is looked for, whatever its retries were answered', async () => {
  const rig = createRig({ trouble: { complete: [lost, notSent] } })
  expectCopied(rig, await rig.go())
})

test('a part that comes during the completion leaves no upload, however long ago its sender gave it up', async () => {
  const { send, arriveAfter } = createLate()
  const rig = createRig({ trouble: { 'part 1': [send], complete: [arriveAfter] } })
  const ended = await rig.go()
  expect(rig.events.map(({ type }) => type)).toContain('retry')
  expectCopied(rig, ended)
})
