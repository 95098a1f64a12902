'use strict'

/** What a run begins with, or goes on with: by what its journal and the store have of earlier runs. */

const { again, crcOf, denied, lost, md5Of, notSent, refused, unanswered } = require('../../../support/rigged-store')
const { rowsOf } = require('../../../support/told')
const { BODY, TAG, TEXTS, createRig } = require('./rig')

const OLD = 'upload-0'
const CHECKS = { sumAt: 'header', sums: { stored: [], checked: ['crc32'], answered: [] } }
const OPAQUE = { partTag: 'opaque' }

const fact = (type, more) => ({ n: 0, at: 1, type, ...more })
const upload = more => fact('upload', { id: OLD, checksums: false, ...more })
const part = (partNumber, { text = TEXTS[partNumber - 1], ...more } = {}) =>
  fact('part', {
    ...{ upload: OLD, partNumber, bytes: text.length, etag: `"${md5Of(text)}"` },
    ...{ sums: { crc32: crcOf(text), md5: md5Of(text) }, ...more },
  })
const PARTS = [1, 2, 3].map(n => part(n))
const completing = fact('completing', { upload: OLD, sums: { crc32: crcOf(BODY) } })
const completed = more => fact('completed', { upload: OLD, etag: TAG, ...more })
const begun = (...more) => ({ facts: [upload(), ...PARTS, ...more] })
const creating = () => fact('creating', { atMs: Date.now() })
const plain = () => ({ facts: [upload({ plain: true }), ...PARTS] })
const DOUBTFUL = fact('completed', { upload: OLD, etag: TAG, doubtful: true })
const DONE = [completing, completed()]
const LATER = PARTS.slice(1)
const BY_STORE = part(1, { sums: {}, server: true })
const UNSUMMED = part(1, { sums: {} })
const CHECKED = upload({ checksums: true, checked: true })
const THERE = { there: BODY, tag: TAG }
const UNPROVED = { settings: { proved: false, verify: 'size' } }
const ALWAYS = Array(9).fill(unanswered)
const encrypts = act => ({ ...act(), encrypted: true })
const noStore = refused('NOT_A_STORE')
const gone = refused('UPLOAD_GONE', { status: 404 })
const UNLIKE = { ...CHECKS, ...OPAQUE }
const SUMMED = { can: CHECKS, summed: true, seed: TEXTS }
const COMPUTES = { sums: { stored: [], checked: [], answered: [], computed: ['crc32'] } }
const PULLED = { seed: TEXTS, facts: [upload(), BY_STORE, ...LATER] }
const THERE_X = { there: BODY, tag: '"x"' }
const BOTH = { seed: TEXTS, ...THERE, ...begun(completing) }
const STRANGE = { trouble: { create: [noStore], pending: [noStore] } }
const UNLISTED = { trouble: { create: [lost], pending: ALWAYS } }
const ENDS = { keeps: false }

/** One run, after a run that has left this. */
async function run({ seed, summed, lone, facts = [], trouble = {}, ...how }) {
  const rig = createRig({ ...how, facts: [...facts], trouble: again(trouble) })
  if (seed) rig.seed(OLD, seed, summed)
  if (lone) rig.seed(lone, [])
  return await rig.outline()
}
const holds = async (_, how, expected) => expect(await run(how)).toBe(expected)

const GIVEN = {
  'all parts are there': { seed: TEXTS, ...begun() },
  'some are, and the others are copied': { seed: ['aaa', undefined, 'cc'], facts: [upload(), PARTS[0], PARTS[2]] },
  'one has another ETag': { seed: ['aaa', 'xxx'], facts: [upload(), PARTS[0], PARTS[1]] },
  'it began without checksums, and they are wanted': { seed: TEXTS, ...plain() },
  'it was begun without checksums, and none are wanted': { seed: TEXTS, ...UNPROVED, ...plain() },
  'it is gone': { ...begun() },
  'it may not be listed': { seed: TEXTS, ...begun(), trouble: { parts: [denied] } },
  'it was a canary': { seed: [], lone: 'upload-c', facts: [fact('left', { upload: 'upload-c', canary: true })] },
  'another creation was not answered': { seed: TEXTS, lone: 'upload-l', ...begun(creating()) },
  'only a creation, which was not answered': { lone: 'upload-l', facts: [creating()] },
  'the store has parts that the journal does not know': { ...SUMMED, facts: [CHECKED, PARTS[0]] },
  'they have other ETags by now, and the same checksums': { ...SUMMED, can: UNLIKE, facts: [CHECKED, ...PARTS] },
  'the store has copied one part itself': PULLED,
  'the store has copied one itself, and all are to be read back': { settings: { verify: 'full' }, ...PULLED },
}
const TOLD = `
all parts are there => copied; parts; 3 parts of 8 bytes; ; source-crc32
some are, and the others are copied => copied; parts,part 2; 2 parts of 5 bytes; part2; source-crc32
one has another ETag => copied; parts,part 2,part 3; 1 parts of 3 bytes; part2,part3; source-crc32
it began without checksums, and they are wanted => copied; parts,abort,parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
it was begun without checksums, and none are wanted => copied; parts; 3 parts of 8 bytes; ; source-crc32
it is gone => copied; parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
it may not be listed => ACCESS_DENIED; parts; ; ;
it was a canary => copied; abort key.xfer-canary,parts key.xfer-canary,create,part 1,part 2,part 3; ; gone,creating,upload,part1,part2,part3; source-crc32
another creation was not answered => copied; pending,parts,parts; LOST_UPLOAD upload-l,3 parts of 8 bytes; cleared; source-crc32
only a creation, which was not answered => copied; pending,parts,create,pending,parts,part 1,part 2,part 3; LOST_UPLOAD upload-l,LOST_UPLOAD upload-l; creating,upload,part1,part2,part3; source-crc32
the store has parts that the journal does not know => copied; parts,complete,head; 3 parts of 8 bytes; part2,part3; source-crc32
they have other ETags by now, and the same checksums => copied; parts,complete,head; 3 parts of 8 bytes; part1,part2,part3; source-crc32
the store has copied one part itself => copied; parts,parts; 3 parts of 8 bytes; ; store
the store has copied one itself, and all are to be read back => copied; parts,head,part 1; 2 parts of 5 bytes,READING_BACK; part1,completing,completed,checked1,checked2,checked3; source-crc32+read-back
`
test.each(rowsOf(GIVEN, TOLD))('what an earlier run has begun: %s', holds)

const GIVEN2 = {
  'it was answered': { ...THERE, facts: [upload(), PARTS[2], PARTS[0], PARTS[1], ...DONE] },
  'it was answered, and another object showed: it is read back': { ...THERE, ...begun(completing, DOUBTFUL) },
  'another object showed, which nobody would read': { ...THERE, ...UNPROVED, ...begun(completing, DOUBTFUL) },
  'it was answered, and the journal lacks a part': { ...THERE, facts: [upload(), PARTS[0], ...DONE] },
  'it was answered, and a part cannot be proved': { ...THERE, facts: [upload(), UNSUMMED, ...LATER, ...DONE] },
  'it was answered, and the store has copied a part': { ...THERE, facts: [upload(), BY_STORE, ...LATER, ...DONE] },
  'the object is there': { ...THERE, ...begun(completing) },
  'it is there, and so is the upload': BOTH,
  'it is there, and no upload may be aborted': { ...BOTH, trouble: { abort: [denied] } },
  'another object is there, of the same size': { there: 'xxxxxxxx', ...begun(completing) },
  'another object is there, of another size': { there: 'x', ...begun(completing) },
  'an object is there that may be ours': { there: BODY, ...begun(completing) },
  'an object is there that may be ours, and none is read': { ...UNPROVED, there: BODY, ...begun(completing) },
  'it is there, and the journal lacks a part': { ...THERE, facts: [upload(), PARTS[0], PARTS[1], completing] },
  'it is there, and a part cannot be proved': { ...THERE, facts: [upload(), UNSUMMED, ...LATER, completing] },
  'a part has no proof, and needs none': { ...UNPROVED, ...THERE, facts: [upload(), UNSUMMED, ...LATER, completing] },
  'nobody may look, and it has an upload': { ...BOTH, trouble: { head: [denied] } },
  'nobody may look, and the upload is gone': { ...THERE, ...begun(completing), trouble: { head: [denied, denied] } },
  'the upload is there, and no object': { seed: TEXTS, ...begun(completing) },
  'the object has the checksum that its store computes': { can: COMPUTES, ...THERE_X, ...begun(completing) },
  'it lacks the checksum that would be kept': { can: CHECKS, ...THERE_X, facts: [CHECKED, ...PARTS, completing] },
}
const TOLD2 = `
it was answered => copied; ; 3 parts of 8 bytes; ;
it was answered, and another object showed: it is read back => copied; ; 3 parts of 8 bytes,READING_BACK 8; checked1,checked2,checked3; read-back
another object showed, which nobody would read => copied; head,abort; 3 parts of 8 bytes; ;
it was answered, and the journal lacks a part => copied; parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
it was answered, and a part cannot be proved => copied; parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
it was answered, and the store has copied a part => copied; ; 3 parts of 8 bytes; ; store
the object is there => copied; head,abort; 3 parts of 8 bytes; ;
it is there, and so is the upload => copied; head,abort,parts; 3 parts of 8 bytes; ;
it is there, and no upload may be aborted => copied; head,abort; 3 parts of 8 bytes; ;
another object is there, of the same size => OUTCOME_UNKNOWN, xxxxxxxx; head,parts,head; 3 parts of 8 bytes,READING_BACK 8; gone;
another object is there, of another size => copied; head,parts,head,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
an object is there that may be ours => copied; head,parts,head; 3 parts of 8 bytes,READING_BACK 8; checked1,checked2,checked3; read-back
an object is there that may be ours, and none is read => copied; head,parts,head,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3;
it is there, and the journal lacks a part => copied; parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
it is there, and a part cannot be proved => copied; parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; gone,creating,upload,part1,part2,part3; source-crc32
a part has no proof, and needs none => copied; head,abort; 3 parts of 8 bytes; ;
nobody may look, and it has an upload => copied; head,parts; 3 parts of 8 bytes; ; source-crc32
nobody may look, and the upload is gone => ACCESS_DENIED, aaabbbcc; head,parts,head; ; ;
the upload is there, and no object => copied; head,parts; 3 parts of 8 bytes; ; source-crc32
the object has the checksum that its store computes => copied; head,abort; 3 parts of 8 bytes; ;
it lacks the checksum that would be kept => copied; head,parts,head; 3 parts of 8 bytes,READING_BACK 8; checked1,checked2,checked3; read-back
`
test.each(rowsOf(GIVEN2, TOLD2))('an earlier run that has requested the completion: %s', holds)

const GIVEN3 = {
  succeeds: {},
  'is for parts with checksums where the store checks them': { can: CHECKS },
  'is for parts without where none are wanted': { can: CHECKS, ...UNPROVED },
  'happened, its answer was lost, and the next one was not sent': { trouble: { create: [lost, notSent] } },
  'did not happen, and was not answered': { trouble: { create: [unanswered] } },
  'was not sent at first': { trouble: { create: [notSent] } },
  'is never answered': { trouble: { create: ALWAYS } },
  'is never answered, and has happened': { trouble: { create: [lost, ...ALWAYS] } },
  'has happened, its answer was lost, and the next one is refused': { trouble: { create: [lost, denied] } },
  'is refused': { trouble: { create: [denied] } },
  'is never answered, and there will be no other run': { ...ENDS, trouble: { create: ALWAYS } },
  'comes to what is no store, for the last time': { ...ENDS, ...STRANGE },
  'comes to what is no store': STRANGE,
  'comes to what is no store, and no more answers': { ...ENDS, trouble: { create: [noStore], pending: ALWAYS } },
  'is never answered, and then by what is no store': { ...ENDS, trouble: { create: ALWAYS, pending: [noStore] } },
  'happened, its answer was lost, and uploads cannot be listed': UNLISTED,
  'happened, its answer was lost, uploads cannot be listed, and there will be no other run': { ...ENDS, ...UNLISTED },
}
const TOLD3 = `
succeeds => copied; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
is for parts with checksums where the store checks them => copied; create,part 1,part 2,part 3,complete,head; ; creating,upload,part1,part2,part3; source-crc32
is for parts without where none are wanted => copied; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3;
happened, its answer was lost, and the next one was not sent => copied; create,create,create,pending,parts,part 1,part 2,part 3; LOST_UPLOAD upload-1; creating,upload,part1,part2,part3; source-crc32
did not happen, and was not answered => copied; create,create,pending,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
was not sent at first => copied; create,create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
is never answered => STORE_UNREACHABLE; create,create,create,create,pending; ; creating;
is never answered, and has happened => STORE_UNREACHABLE; create,create,create,create,pending,parts; LOST_UPLOAD upload-1; creating;
has happened, its answer was lost, and the next one is refused => ACCESS_DENIED; create,create,pending,parts; LOST_UPLOAD upload-1; creating,cleared;
is refused => ACCESS_DENIED; create; ; creating,cleared;
is never answered, and there will be no other run => STORE_UNREACHABLE; create,create,create,create,pending; ; creating,cleared;
comes to what is no store, for the last time => NOT_A_STORE; create,pending; ; creating,cleared;
comes to what is no store => NOT_A_STORE; create,pending; ; creating;
comes to what is no store, and no more answers => NOT_A_STORE; create,pending,pending,pending,pending; ; creating;
is never answered, and then by what is no store => STORE_UNREACHABLE; create,create,create,create,pending; ; creating;
happened, its answer was lost, and uploads cannot be listed => STORE_UNREACHABLE; create,create,pending,pending,pending,pending; ; creating;
happened, its answer was lost, uploads cannot be listed, and there will be no other run => STORE_UNREACHABLE; create,create,pending,pending,pending,pending,abort,parts; ; creating;
`
test.each(rowsOf(GIVEN3, TOLD3))('the creation of an upload: %s', holds)

test('a file that an earlier run has written is not taken for confirmed', async () => {
  const can = { written: true }
  expect((await createRig({ can }).go()).done.written).toBe(true)
  const rig = createRig({ can, there: BODY, tag: TAG, facts: [upload(), ...PARTS, ...DONE] })
  expect((await rig.go()).done.written).toBe(false)
})

const byStore = (takesSums, checked = CHECKS.sums.checked) => ({
  can: { ...CHECKS, sums: { ...CHECKS.sums, checked } },
  ...{ work: { copies: {} }, more: () => ({ serverCopy: { takesSums } }) },
})
test.each([
  ['as usual', {}, { checksums: false }],
  ['without a proof', { settings: { proved: false, verify: 'size' } }, { checksums: false, plain: true }],
  ['where the store checks', { can: CHECKS }, { checksums: true, checked: true }],
  ['where the store encrypts', { trouble: { create: [encrypts] } }, { checksums: false, encrypted: true }],
  ['of a copy by the store, where that takes checksums', byStore(true), { checksums: true, checked: true }],
  ['of a copy by the store, where that takes none', byStore(false), { checksums: false }],
  ['of a copy by a store that may not check', byStore(true, []), { checksums: false }],
])('the next run is to know of an upload how it began: %s', async (_, how, expected) => {
  const rig = createRig(how)
  await rig.go()
  const { n, at, type, id, ...noted } = rig.facts.find(({ type }) => type === 'upload')
  expect(noted).toEqual(expected)
})

test('an object that shows once an upload is gone may be ours only if an earlier run has requested the completion', async () => {
  let rig
  const comes = act => {
    rig.put(BODY)
    return gone(act)
  }
  const ends = []
  for (const more of [[completing], []]) {
    rig = createRig({ facts: [upload(), ...PARTS, ...more], trouble: { complete: [comes] } })
    rig.seed(OLD, TEXTS)
    const { error } = await rig.go()
    ends.push(error?.code ?? 'copied')
  }
  expect(ends).toEqual(['copied', 'UPLOAD_GONE'])
})

test('the parts of an earlier run are in order, and the store is told where they begin, and what their checksums are', async () => {
  const facts = [upload(), PARTS[2], PARTS[0], PARTS[1]]
  const { done } = await createRig({ ...THERE, facts: [...facts, ...DONE] }).go()
  expect(done.outcomes.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3])
  const asked = []
  const listing = ({ upload: { parts, ...others } }) => ({
    upload: { ...others, parts: (input, how) => asked.push(input.ranges) && parts(input, how) },
  })
  const rig = createRig({ facts: facts.slice(0, 3), more: listing })
  rig.seed(OLD, ['aaa', undefined, 'cc'])
  await rig.go()
  const sums = ['crc32', 'md5']
  const partOf = (partNumber, start, bytes) => ({ partNumber, start, bytes, sums })
  expect(asked[0]).toEqual([partOf(1, 0, 3), partOf(3, 6, 2)])
})
