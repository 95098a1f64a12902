'use strict'

/** An object of one request, alone or one of many: what can go wrong with its write, and what that ends with. */

const { createRig } = require('../../support/rigged-copy')
const { denied, lost, md5Of, refused, unanswered } = require('../../support/rigged-store')
const { rowsOf } = require('../../support/told')

const OURS = 'ours'
const ifNoneMatch = { condition: { ifNoneMatch: true } }
const ifMatch = { condition: { ifMatch: `"${md5Of('old')}"` } }
const ignoring = { ...ifNoneMatch, can: { ignoresConditions: true } }

/**
 * What happens to a call, which also sees both stores.
 *
 * @typedef {(act: (text?: string) => any, ends: ReturnType<typeof createRig>['ends']) => any} Happens
 */
/** @type {Happens} */
const spoilt = act => act('xxxx')
const conflict = refused('UPLOAD_CONFLICT', { status: 409 })
const exists = refused('DESTINATION_EXISTS', { status: 412 })
/** Somebody writes the object before the call. @param {string} text @param {(act: any) => any} [happens] @returns {Happens} */
const theirs =
  (text, happens = act => act()) =>
  (act, { destination }) => {
    destination.put('to/a', text, Date.now())
    return happens(act)
  }
/** Somebody writes the object after the call. @param {string} text @returns {Happens} */
const thenTheirs =
  text =>
  (act, { destination }) => {
    const answer = act()
    destination.put('to/a', text, Date.now())
    return answer
  }
/** The store keeps something else than was sent, and its answer is lost. @param {string} text @returns {Happens} */
const lostAs = text => act => {
  act(text)
  return unanswered(act)
}
/** The store answers well, and has nothing. @type {Happens} */
const vanishes = (act, { destination }) => {
  const answer = act()
  destination.objects.delete('to/a')
  return answer
}
/** The source is replaced, or deleted, just after the call. @param {string} [text] @returns {Happens} */
const sourceIs =
  text =>
  (act, { source }) => {
    const answer = act()
    if (text === undefined) source.objects.delete('from/a')
    else source.put('from/a', text, Date.now())
    return answer
  }

/**
 * One run, as a text: its end; what the destination has; the calls that change it; what was told; whether the next run is told to
 * doubt what is there.
 *
 * @param {boolean} many
 * @param {Record<string, any>} how before: what the destination has; put, head: what happens at these calls of the destination; read: at
 *   the first that ask for the source; condition: of the write; can: of the destination
 */
async function outlineOf(many, { before, put = [], head = [], read = [], condition = {}, can }) {
  /** @param {Array<Happens | undefined>} all */
  const seeing = all => all.map(happens => happens && (act => happens(act, rig.ends)))
  const rig = createRig({
    source: { a: OURS },
    destination: before === undefined ? {} : { a: before },
    trouble: {
      source: { head: seeing(many ? read.slice(1) : read), list: seeing(read.slice(0, 1)) },
      destination: { 'put to/a': seeing(put), 'head to/a': seeing(many ? head.slice(-1) : head) },
    },
    settings: { retries: 0, condition },
    can: { destination: can },
  })
  const options = { recursive: before === undefined ? 'sync' : 'copy', ignoreExisting: condition.ifNoneMatch }
  const { error, events, summary } = await rig.go(many ? options : {}, many ? {} : { alone: 'a' })
  const failed = events.find(({ type }) => type === 'failure')
  const told = events.flatMap(({ type, code }) => (code && type !== 'failure' ? [code] : []))
  const writes = rig.ends.destination.calls.filter(call => !/^(head|list)/.test(call))
  return [
    failed?.code ?? error?.code ?? `done${summary.condition ? ` ${summary.condition}` : ''}`,
    rig.there().a ?? 'nothing',
    writes.map(call => call.replace(' to/a', '')).join(),
    told.join(),
    rig.facts().some(({ unsure }) => unsure) ? 'unsure' : '',
  ]
    .join('; ')
    .trim()
}

const each = happensOf => Array.from({ length: 9 }, (_, i) => happensOf(i))
const GIVEN = {
  'is wrong once': { put: [spoilt] },
  'is wrong each time': { put: Array(9).fill(spoilt) },
  'is wrong, and replaced by somebody': { put: [spoilt, theirs('theirs')] },
  'is half, and its store refuses to replace it': { put: [act => act('xx'), exists] },
  'is wrong, and may not be written again': { put: [spoilt, denied] },
  'is wrong, and its source is gone': { put: [(act, ends) => sourceIs()(() => spoilt(act, ends), ends)] },
  'has no answer, and was carried out': { put: [lost] },
  'has no answer, was not carried out, and what was there is equal': { before: OURS, put: [unanswered] },
  'has no answer, was not carried out, and what was there has another size': { before: 'them all', put: [unanswered] },
  'has no answer, was not carried out, and what was there has the same size': { before: 'them', put: [unanswered] },
  'has no answer, and its store keeps other bytes': { put: [lostAs('xxxx')] },
  'has no answer, and its store keeps other bytes each time': { put: Array(9).fill(lostAs('xxxx')) },
  'has no answer, and its store keeps other bytes under a condition': { ...ifNoneMatch, put: [lostAs('xxxx')] },
  'has no answer, and nobody may look': { put: [lost], head: [undefined, denied] },
  'meets a conflict twice': { put: [conflict, conflict] },
  'meets a conflict each time': { put: Array(9).fill(conflict) },
  'meets a conflict with somebody under a condition': { ...ifNoneMatch, put: [theirs('theirs', conflict)] },
  'has a condition that its store ignores': ignoring,
  'has a condition that its store ignores, and somebody was first': {
    ...ignoring,
    head: [undefined, undefined, theirs('theirs')],
  },
  'has a condition': ifNoneMatch,
  'has a condition, and somebody was first': { ...ifNoneMatch, put: [theirs('theirs')] },
  'replaces one version, and somebody was first': { before: 'old', ...ifMatch, put: [theirs('theirs')] },
  'is answered well, and not there': { put: Array(9).fill(vanishes) },
  'has no answer, and its store keeps half': { put: [lostAs('xx')] },
  'is denied': { put: [denied] },
  'has a source that was replaced': { read: [sourceIs('new')] },
  'has a source that is replaced each time, by larger ones': { read: each(i => sourceIs(`new ${i}`)) },
  'has a source that is replaced each time': { read: each(i => sourceIs(`new${i}`)) },
  'has a source that is gone': { read: [sourceIs()] },
  'is replaced by somebody, with bytes of the same size': { put: [thenTheirs('them')] },
  'is replaced by somebody': { put: [thenTheirs('theirs')] },
}
const TOLD = `
is wrong once => done; ours; put,put; READING_BACK; | done; ours; put,put; ;
is wrong each time => WRONG_COPY; nothing; put,put,put,remove; READING_BACK,READING_BACK,READING_BACK; | WRONG_COPY; nothing; put,put,put,remove; ; unsure
is wrong, and replaced by somebody => done; ours; put,put,put; READING_BACK; | done; ours; put,put,put; ;
is half, and its store refuses to replace it => done; ours; put,put,remove,put; READING_BACK; | done; ours; put,put,remove,put; ;
is wrong, and may not be written again => WRONG_COPY; nothing; put,put,remove; READING_BACK; | WRONG_COPY; nothing; put,put,remove; ; unsure
is wrong, and its source is gone => WRONG_COPY; nothing; put,remove; READING_BACK; | done; nothing; put,remove; ;
has no answer, and was carried out => done; ours; put; ; | done; ours; put; ;
has no answer, was not carried out, and what was there is equal => done; ours; put; ; | done; ours; put; ;
has no answer, was not carried out, and what was there has another size => CONNECTION_FAILED; them all; put; ; | CONNECTION_FAILED; them all; put; ; unsure
has no answer, was not carried out, and what was there has the same size => CONNECTION_FAILED; them; put; ; | done; ours; put,put; ;
has no answer, and its store keeps other bytes => done; ours; put,put; ; | done; ours; put,put; ;
has no answer, and its store keeps other bytes each time => OUTCOME_UNKNOWN; xxxx; put,put,put; ; | OUTCOME_UNKNOWN; xxxx; put,put,put; ; unsure
has no answer, and its store keeps other bytes under a condition => OUTCOME_UNKNOWN; xxxx; put; ; | OUTCOME_UNKNOWN; xxxx; put; ; unsure
has no answer, and nobody may look => OUTCOME_UNKNOWN; ours; put; ; | OUTCOME_UNKNOWN; ours; put; ; unsure
meets a conflict twice => done; ours; put,put,put; UPLOAD_CONFLICT,UPLOAD_CONFLICT; | done; ours; put,put,put; UPLOAD_CONFLICT,UPLOAD_CONFLICT;
meets a conflict each time => UPLOAD_CONFLICT; nothing; put,put,put; UPLOAD_CONFLICT,UPLOAD_CONFLICT; | UPLOAD_CONFLICT; nothing; put,put,put; UPLOAD_CONFLICT,UPLOAD_CONFLICT;
meets a conflict with somebody under a condition => DESTINATION_EXISTS; theirs; put; UPLOAD_CONFLICT; | done; theirs; put; UPLOAD_CONFLICT;
has a condition that its store ignores => done checked; ours; put; CONDITIONS_NOT_SUPPORTED; | done; ours; put; CONDITIONS_NOT_SUPPORTED;
has a condition that its store ignores, and somebody was first => DESTINATION_EXISTS; theirs; ; CONDITIONS_NOT_SUPPORTED; | done; theirs; ; CONDITIONS_NOT_SUPPORTED;
has a condition => done atomic; ours; put; ; | done; ours; put; ;
has a condition, and somebody was first => DESTINATION_EXISTS; theirs; put; ; | done; theirs; put; ;
replaces one version, and somebody was first => DESTINATION_CHANGED; theirs; put; ; | DESTINATION_CHANGED; theirs; put; ; unsure
is answered well, and not there => WRONG_COPY; nothing; put,put,put; ; | WRONG_COPY; nothing; put,put,put; ; unsure
has no answer, and its store keeps half => CONNECTION_FAILED; xx; put; ; | CONNECTION_FAILED; xx; put; ; unsure
is denied => ACCESS_DENIED; nothing; put; ; | ACCESS_DENIED; nothing; put; ;
has a source that was replaced => SOURCE_CHANGED; nothing; ; ; | done; new; put; ;
has a source that is replaced each time, by larger ones => SOURCE_CHANGED; nothing; ; ; | SOURCE_CHANGED; nothing; create,abort,parts,create,abort,parts,create,abort,parts,create,abort,parts; ;
has a source that is replaced each time => SOURCE_CHANGED; nothing; ; ; | SOURCE_CHANGED; nothing; ; ;
has a source that is gone => SOURCE_CHANGED; nothing; ; ; | done; nothing; ; ;
is replaced by somebody, with bytes of the same size => OBJECT_CHANGED; them; put; READING_BACK; | OBJECT_CHANGED; them; put; ; unsure
is replaced by somebody => OBJECT_CHANGED; theirs; put; READING_BACK; | OBJECT_CHANGED; theirs; put; ; unsure
`
test.each(rowsOf(GIVEN, TOLD))('a write that %s', async (_, how, expected) => {
  expect([await outlineOf(false, how), await outlineOf(true, how)].join(' | ')).toBe(expected)
})

test('a copy of a source without an ETag says that only its time pinned it', async () => {
  const rig = createRig({ source: {} })
  rig.ends.source.put('from/a', OURS, 0, 'Sat, 28 Nov 2026 00:00:00 GMT')
  const alone = await rig.go({}, { alone: 'a' })
  const many = await rig.go({ recursive: 'copy' })
  expect([alone.summary.pinnedByTime, many.summary.pinnedByTime]).toEqual([true, 1])
})

test('of a list without ETags each object is asked for its own', async () => {
  const bare = ({ list }) => ({
    list: (...how) =>
      list(...how).then(page => ({ ...page, objects: page.objects.map(object => ({ ...object, etag: '' })) })),
  })
  // The first twenty are asked for their tags in any case.
  const ours = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`n${i}`, 'x']))
  const rig = createRig({ source: ours, more: { source: bare } })
  expect((await rig.go({ recursive: 'sync' })).error).toBeUndefined()
  expect(rig.there()).toEqual(ours)
  expect(rig.ends.source.calls.filter(call => call.startsWith('head'))).toHaveLength(25)
})
