'use strict'

const { createRefusedTags, createFallbacks } = require('../../../../lib/object')
const { XferError } = require('../../../../lib/errors')
const { readAttributes } = require('../../../../lib/options')

const side = { side: 'destination', bucket: 'to', endpoint: 'http://to' }
const refusal = (code, status, storeCode) =>
  new XferError(code, { ...side, status, storeCode, needsForTags: 's3:PutObjectTagging' })
const DENIED = refusal('ACCESS_DENIED', 403, 'AccessDenied')
const INVALID = refusal('STORE_REFUSED', 400, 'InvalidTag')
const UNKNOWN = refusal('STORE_REFUSED', 501, 'NotImplemented')
const NO_CLASS = refusal('NO_SUCH_STORAGE_CLASS', 400, 'InvalidStorageClass')
const object = storageClass => ({ metadata: { headers: {}, user: {} }, tags: [['a', '1']], storageClass })

/** A store that refuses what `judge` says, to which objects are written one after the other. */
function open(judge) {
  const told = []
  const refusedTags = createRefusedTags()
  const fallbacks = createFallbacks({
    wish: readAttributes({}),
    notifyOnce: ({ message }) => told.push(message),
    emit: ({ message }) => told.push(message),
    refusedTags,
  })

  /** @returns {{ sent: string[], error?: any }} sent: what each attempt was sent with */
  function write(attributes) {
    const own = fallbacks.of('s3://to/key')
    const sent = []
    for (;;) {
      const granted = own.grant(attributes)
      sent.push([granted.storageClass, granted.tags && 'tags'].filter(Boolean).join(' '))
      const refused = judge(granted)
      if (!refused) {
        fallbacks.taken({ attributes, granted }, own)
        return { sent }
      }
      try {
        own.leaveOut(refused, { attributes, granted })
      } catch (error) {
        return { sent, error }
      }
    }
  }
  return { told, write, fallbacks, refusedTags, why: () => fallbacks.whyWithoutTags('s3://to/key') }
}

test.each([DENIED, INVALID])('tags that are refused may be refused of that object alone (%#)', error => {
  const { told, write, why } = open(({ tags }) => tags && error)
  for (let i = 0; i < 2; i++) {
    expect(write(object())).toEqual({ sent: ['tags', ''] })
    expect([why(), why()]).toEqual([expect.stringContaining(error.facts.storeCode), undefined])
  }
  // What becomes of them is told once it is known (kept.js).
  expect(told).toEqual([])
})

test('tags that the store does not know no other object is tried with', () => {
  const { write, why } = open(({ tags }) => tags && UNKNOWN)
  expect([write(object()), write(object())]).toEqual([{ sent: ['tags', ''] }, { sent: [''] }])
  for (let i = 0; i < 3; i++) expect(why()).toBe('its store does not take them (NotImplemented)')
})

test('a storage class that the store has not no other object is tried with, and others with theirs', () => {
  const { told, write } = open(({ storageClass }) => storageClass === 'COLD' && NO_CLASS)
  const written = ['COLD', 'WARM', 'COLD'].map(each => write(object(each)).sent)
  expect(written).toEqual([['COLD tags', 'tags'], ['WARM tags'], ['tags']])
  expect(told).toEqual([expect.stringContaining('has no COLD')])
})

test('what is refused with and without them is refused for something else, and nothing is told', () => {
  const { told, write } = open(() => DENIED)
  for (let i = 0; i < 2; i++) expect(write(object())).toEqual({ sent: ['tags', ''], error: DENIED })
  expect(told).toEqual([])
})

test('what was learnt while an attempt was under way does not change why it was refused', () => {
  const { fallbacks } = open(() => undefined)
  const [one, other] = [fallbacks.of('s3://to/one'), fallbacks.of('s3://to/other')]
  const [first, second] = [one, other].map(each => ({ attributes: object(), granted: each.grant(object()) }))
  one.leaveOut(UNKNOWN, first)
  fallbacks.taken({ ...first, granted: one.grant(object()) }, one)
  expect(() => other.leaveOut(UNKNOWN, second)).not.toThrow()
  expect(other.grant(object()).tags).toBeUndefined()
})

test('a tag that was refused where others were taken no other object is tried with', () => {
  const { fallbacks, refusedTags } = open(() => undefined)
  const tagged = tags => ({ metadata: { headers: {}, user: {} }, tags })
  refusedTags.note(['owner', 'me'], 'why')
  const own = [
    ['owner', 'me'],
    ['a', '1'],
  ]
  expect(fallbacks.grant(tagged(own)).tags).toEqual([['a', '1']])
  expect(fallbacks.grant(tagged([['owner', 'me']])).tags).toBeUndefined()
  expect(fallbacks.grant(tagged([['owner', 'you']])).tags).toEqual([['owner', 'you']])
  for (const value of ['you', 'they']) refusedTags.note(['owner', value], 'why')
  // Of three values it is the key.
  expect(fallbacks.grant(tagged([['owner', 'we']])).tags).toBeUndefined()
})

test('how many have another storage class is told in the end, of whichever way they went', () => {
  const { told, write, fallbacks } = open(({ storageClass }) => storageClass && NO_CLASS)
  for (let i = 0; i < 1_233; i++) write(object('COLD'))
  fallbacks.wrote(['tags', 'storageClass'])
  fallbacks.wrote()
  const [first, ...others] = told
  expect([first, others]).toEqual([expect.stringContaining('has no COLD'), []])
  for (let i = 0; i < 2; i++) fallbacks.tellAll()
  expect(told.slice(1)).toEqual([
    "In all 1,234 objects are written in their store's default storage class, for the reasons above.",
  ])
})
