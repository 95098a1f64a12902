'use strict'

/** From the first part to the proof: what is copied again, what is read back, what a wrong copy leads to, and what is left. */

const { again, crcOf, denied, errorOf, md5Of, refused, unanswered } = require('../../../support/rigged-store')
const { rowsOf } = require('../../../support/told')
const { BODY, TAG, TEXTS, createRig } = require('./rig')

const OPAQUE = { partTag: 'opaque' }
const COMPUTES = { sums: { stored: [], checked: [], answered: [], computed: ['crc32'] } }
const ANSWERS = { partTag: 'opaque', sums: { stored: [], checked: [], answered: ['crc32'] } }
const UNPROVED = { proved: false, verify: 'size' }
const FULL = { verify: 'full' }
const damaged = act => act('xxx')
const times = (count, happens = undefined) => Array(count).fill(happens)
const shows = facts => () => ({ bytes: BODY.length, etag: '"other"', lastModifiedMs: 2, metadata: {}, ...facts })
/** The store says in its answer what it has computed. */
const answering =
  (text, happens = act => act()) =>
  act => ({ ...happens(act), headers: { write: { text } } })
const readsAnswers = () => ({ readWritten: ({ text }) => ({ answered: { crc32: crcOf(text) } }) })
const answered = Object.fromEntries(TEXTS.map((text, i) => [`part ${i + 1}`, times(9, answering(text))]))
const largerShows = shows({ etag: TAG, bytes: 9 })
const SPOILT = { trouble: { 'part 2': [damaged] } }
const ALL_SPOILT = { 'part 1': [damaged], 'part 2': [damaged], 'part 3': [act => act('xx')] }
const UNSEEN = { trouble: { head: [denied, denied] } }
const ARCHIVES = { more: () => ({ archives: () => true }) }
const IF_NONE = { condition: { ifNoneMatch: true } }
const completing = (code, status) => ({ complete: [refused(code, { status, completes: true })] })
const encrypted = act => ({ ...act(), encrypted: true })
const written = act => act('xxxx') && act()
const halfListed = act => ({ parts: act().parts.slice(0, 1) })
const WRONG = { can: OPAQUE, ...SPOILT }
const wrong = more => ({ can: OPAQUE, trouble: { 'part 2': [damaged], ...more } })
const refusedParts = times(9, refused('STORE_REFUSED', { status: 400, completes: true }))
const ANSWERED = { can: ANSWERS, more: readsAnswers }
const unseen = [...times(4), denied, denied]
const otherTag = act => ({ ...act(), etag: '"first"' })
const SUMLESS = { complete: [act => ({ etag: act().etag })], head: [undefined, shows({ etag: '"4"' })] }
const OF_THE_REQUEST = { status: 400, completes: true, ofTheRequest: true }
const OTHERWISE = [answering('xxx', damaged), answering('bbb')]
const LAPSES = ({ upload }) => ({ upload: { ...upload, abort: undefined, lapse: { afterMs: 1, words: 'soon' } } })

async function run({ trouble = {}, ...how }) {
  return await createRig({ ...how, trouble: again(trouble) }).outline()
}
const holds = async (_, how, expected) => expect(await run(how)).toBe(expected)
const growing = {
  plan: {
    ...{ route: 'multipart', bytes: 8, partBytes: 3, notices: [], growing: true },
    parts: [0, 3, 6].map((start, i) => ({ partNumber: i + 1, start, bytes: TEXTS[i].length })),
  },
}

const GIVEN = {
  'one that is damaged is copied again': SPOILT,
  'three times': { trouble: { 'part 2': times(3, damaged) } },
  'and no more': { keeps: false, trouble: { 'part 2': times(4, damaged) } },
  'one that is damaged stays where nothing is to be proved': { settings: UNPROVED, ...SPOILT },
  'all are damaged, as the smallest shows when it is copied again': { trouble: ALL_SPOILT },
  'all are damaged, and ETags are no MD5s': { trouble: { create: [encrypted], ...ALL_SPOILT } },
  'the store lists one only': { can: OPAQUE, trouble: { 'part 2': [written], parts: [halfListed] } },
  'the store lists one with another size': { trouble: { 'part 2': [act => act('xxxx')] }, can: OPAQUE },
  'they may not be listed': { trouble: { parts: [denied] }, can: OPAQUE },
  'one has another ETag, which the journal notes': { can: OPAQUE, trouble: { 'part 3': [otherTag] } },
  'one was read wrong, as the checksum of the source shows': { misread: { 3: ['xxx'] } },
  'it is damaged when it is copied again': { misread: { 3: ['xxx'] }, trouble: { 'part 2': [undefined, damaged] } },
  'it is read wrong as often as it is copied': { keeps: false, misread: { 3: times(9, 'xxx'), 4: times(9, 'y') } },
  'one is sent twice, so that it may come during the completion': { trouble: { 'part 2': [unanswered] } },
  'one is begun a second time, and both may come': { begins: ({ emit }) => emit({ type: 'hedge' }) },
  'of a stream, one is copied again at once, where the others have MD5s': { work: growing, ...SPOILT },
  'of a stream, the first one is judged once others have MD5s': { work: growing, trouble: { 'part 1': [damaged] } },
  'of a stream, none is where nothing is to be proved': { work: growing, settings: UNPROVED, ...SPOILT },
  'the store answers the checksum that it computes': { ...ANSWERED, trouble: answered },
  'it answers another one': { ...ANSWERED, trouble: { ...answered, 'part 2': OTHERWISE } },
  'it answers none for one part': { ...ANSWERED, trouble: { ...answered, 'part 2': [] } },
  'the store computes the checksum of the whole': { can: { ...COMPUTES, ...OPAQUE } },
}
const TOLD = `
one that is damaged is copied again => copied; create,part 1,part 2,part 3,parts,part 2; part 2 again 1 PART_CORRUPTED; creating,upload,part1,part2,part3,part2; source-crc32
three times => copied; create,part 1,part 2,part 3,parts,part 2,parts,part 2,parts,part 2; part 2 again 1 PART_CORRUPTED,part 2 again 2 PART_CORRUPTED,part 2 again 3 PART_CORRUPTED; creating,upload,part1,part2,part3,part2,part2,part2; source-crc32
and no more => PART_CORRUPTED; create,part 1,part 2,part 3,parts,part 2,parts,part 2,parts,part 2,parts,abort,parts; part 2 again 1 PART_CORRUPTED,part 2 again 2 PART_CORRUPTED,part 2 again 3 PART_CORRUPTED; creating,upload,part1,part2,part3,part2,part2,part2,gone;
one that is damaged stays where nothing is to be proved => aaaxxxcc; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3;
all are damaged, as the smallest shows when it is copied again => copied; create,part 1,part 2,part 3,parts,part 3,parts,part 1,part 2; part 1 again 2 PART_CORRUPTED,part 2 again 2 PART_CORRUPTED; creating,upload,part1,part2,part3,part3,part1,part2; source-crc32
all are damaged, and ETags are no MD5s => copied; create,head,part 1,part 2,part 3,parts,head,complete,head,create,part 1,part 2,part 3; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED; creating,upload,part1,part2,part3,completing,completed,gone,creating,upload,part1,part2,part3; source-crc32
the store lists one only => copied; create,head,part 1,part 2,part 3,parts,part 2,part 3,parts; READ_BACK_NEEDED 8,part 2 again 1 PART_CORRUPTED,part 3 again 1 PART_CORRUPTED,READING_BACK 8; creating,upload,part1,part2,part3,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
the store lists one with another size => copied; create,head,part 1,part 2,part 3,parts,part 2,parts; READ_BACK_NEEDED 8,part 2 again 1 PART_CORRUPTED,READING_BACK 8; creating,upload,part1,part2,part3,part2,completing,completed,checked1,checked2,checked3; source-crc32+read-back
they may not be listed => copied; create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
one has another ETag, which the journal notes => copied; create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
one was read wrong, as the checksum of the source shows => copied; create,part 1,part 2,part 3,part 2; READING_SOURCE; creating,upload,part1,part2,part3,part2; source-read+source-crc32
it is damaged when it is copied again => copied; create,part 1,part 2,part 3,part 2,parts,part 2; READING_SOURCE,part 2 again 1 PART_CORRUPTED; creating,upload,part1,part2,part3,part2,part2; source-crc32
it is read wrong as often as it is copied => INTEGRITY; create,part 1,part 2,part 3,part 2,part 2,part 2,abort,parts; READING_SOURCE; creating,upload,part1,part2,part3,part2,part2,part2,gone;
one is sent twice, so that it may come during the completion => copied; create,part 1,part 2,part 3,part 2,head,complete,head,abort; part 2 again 1 CONNECTION_FAILED; creating,upload,part1,part3,part2; source-crc32
one is begun a second time, and both may come => copied; create,part 1,part 2,part 3,head,complete,head,abort; ; creating,upload,part1,part2,part3; source-crc32
of a stream, one is copied again at once, where the others have MD5s => copied; create,part 1,part 2,part 3,part 2,head,complete,head,abort; part 2 again 1 PART_CORRUPTED; creating,upload,part1,part3,part2; source-crc32
of a stream, the first one is judged once others have MD5s => copied; create,part 1,part 2,part 3,parts,part 1; part 1 again 1 PART_CORRUPTED; creating,upload,part1,part2,part3,part1; source-crc32
of a stream, none is where nothing is to be proved => aaaxxxcc; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3;
the store answers the checksum that it computes => copied; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
it answers another one => copied; create,part 1,part 2,part 3,parts,part 2; part 2 again 1 PART_CORRUPTED; creating,upload,part1,part2,part3,part2; source-crc32
it answers none for one part => copied; create,part 1,part 2,part 3,parts,head; READING_BACK 3; creating,upload,part1,part2,part3,completing,completed,checked2; source-crc32+read-back
the store computes the checksum of the whole => copied; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
`
test.each(rowsOf(GIVEN, TOLD))('parts: %s', holds)

const GIVEN2 = {
  'all parts, where ETags are no MD5s': { can: OPAQUE },
  'all parts, where they are encrypted': { trouble: { create: [encrypted] } },
  'all parts, because that is wanted': { can: OPAQUE, settings: FULL },
  'all parts, because that is wanted, where they are proved': { settings: FULL },
  'nothing, and nothing is sent, where the class of the object cannot be read': { can: OPAQUE, ...ARCHIVES },
  'nothing, and nothing is sent, where that is wanted': { settings: FULL, ...ARCHIVES },
  'nothing, where nothing needs it': ARCHIVES,
  'nothing, and nothing is sent, where nobody may look': { can: OPAQUE, trouble: { head: [denied] } },
  'all parts, where the checksum of the whole does not show': { can: { ...COMPUTES, ...OPAQUE }, trouble: SUMLESS },
  'all parts, where another object shows': { trouble: { head: [undefined, shows()] } },
  'all parts, where another size shows': { trouble: { head: [undefined, largerShows] } },
  'nothing, where nobody may look, and the parts are proved': UNSEEN,
  'nothing, where nobody may look, and the size was to be compared': { settings: UNPROVED, ...UNSEEN },
  'nothing, where nobody may look, nor compares': { settings: { proved: false, verify: 'none' }, ...UNSEEN },
}
const TOLD2 = `
all parts, where ETags are no MD5s => copied; create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
all parts, where they are encrypted => copied; create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
all parts, because that is wanted => copied; create,head,part 1,part 2,part 3,parts; READING_BACK; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
all parts, because that is wanted, where they are proved => copied; create,head,part 1,part 2,part 3; READING_BACK; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
nothing, and nothing is sent, where the class of the object cannot be read => READ_BACK_REFUSED; create; READ_BACK_NEEDED 8; creating,upload;
nothing, and nothing is sent, where that is wanted => READ_BACK_REFUSED; create; ; creating,upload;
nothing, where nothing needs it => copied; create,part 1,part 2,part 3; ; creating,upload,part1,part2,part3; source-crc32
nothing, and nothing is sent, where nobody may look => READ_BACK_REFUSED; create,head; READ_BACK_NEEDED 8; creating,upload;
all parts, where the checksum of the whole does not show => copied; create,part 1,part 2,part 3; READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
all parts, where another object shows => copied; create,part 1,part 2,part 3,head,complete,head,head; READING_BACK 8; creating,upload,part1,part2,part3; source-crc32+read-back
all parts, where another size shows => copied; create,part 1,part 2,part 3; READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
nothing, where nobody may look, and the parts are proved => copied; create,part 1,part 2,part 3; COPY_NOT_LOOKED_AT; creating,upload,part1,part2,part3; source-crc32
nothing, where nobody may look, and the size was to be compared => NOT_PROVED, aaabbbcc; create,part 1,part 2,part 3; COPY_NOT_LOOKED_AT; creating,upload,part1,part2,part3,completing,completed,gone;
nothing, where nobody may look, nor compares => copied; create,part 1,part 2,part 3; COPY_NOT_LOOKED_AT; creating,upload,part1,part2,part3;
`
test.each(rowsOf(GIVEN2, TOLD2))('what is read back: %s', holds)

const GIVEN3 = {
  'is copied again': WRONG,
  'is removed after three uploads': { can: OPAQUE, trouble: { 'part 2': times(3, damaged) } },
  'is replaced in spite of a condition that no object be there': { ...IF_NONE, ...WRONG },
  'is removed if another upload cannot be created': wrong({ create: [undefined, denied] }),
  'is removed if no other upload can be completed': wrong({ complete: [undefined, ...refusedParts] }),
  'is no more there, as far as known, after a completion that may have replaced it': {
    ...wrong({ complete: [undefined, ...times(9, unanswered)], head: unseen }),
  },
  'is found by the checksum of the whole': { can: COMPUTES, ...SPOILT },
  'is found by its size, where that is all': { settings: UNPROVED, trouble: { head: [undefined, largerShows] } },
}
const TOLD3 = `
is copied again => copied; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
is removed after three uploads => WRONG_COPY; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts,head,complete,head,head,remove,head; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone;
is replaced in spite of a condition that no object be there => copied; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8,READING_BACK 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing,completed,checked1,checked2,checked3; source-crc32+read-back
is removed if another upload cannot be created => ACCESS_DENIED; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,remove,head; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,EARLIER_UPLOAD_WRONG; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,cleared;
is removed if no other upload can be completed => WRONG_COPY; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts,head,complete,abort,parts,create,head,part 1,part 2,part 3,parts,head,complete,abort,parts,head,remove,head; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing,gone,creating,upload,part1,part2,part3,completing,gone;
is no more there, as far as known, after a completion that may have replaced it => OUTCOME_UNKNOWN, aaaxxxcc; create,head,part 1,part 2,part 3,parts,head,complete,head,create,head,part 1,part 2,part 3,parts,head,complete,complete,complete,complete,head; READ_BACK_NEEDED 8,READING_BACK 8,UPLOAD_REPEATED,READ_BACK_NEEDED 8; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3,completing;
is found by the checksum of the whole => copied; create,part 1,part 2,part 3,head,complete,head,create,part 1,part 2,part 3; READING_BACK 8,UPLOAD_REPEATED; creating,upload,part1,part2,part3,completing,completed,checked1,checked3,gone,creating,upload,part1,part2,part3; source-crc32
is found by its size, where that is all => copied; create,part 1,part 2,part 3,head,complete,head,create,part 1,part 2,part 3; UPLOAD_REPEATED; creating,upload,part1,part2,part3,completing,completed,gone,creating,upload,part1,part2,part3;
`
test.each(rowsOf(GIVEN3, TOLD3))('a wrong copy: %s', holds)

const GIVEN4 = {
  'for a damaged part is tried anew': { trouble: completing('INTEGRITY') },
  'for the source is not, and leaves no upload': { trouble: { complete: [refused('INTEGRITY')] } },
  'for another reason is not': { trouble: completing('STORE_REFUSED', 500) },
  'for parts that differ is tried anew': { trouble: completing('STORE_REFUSED', 400) },
  'for the request itself is not': { trouble: { complete: [refused('STORE_REFUSED', OF_THE_REQUEST)] } },
  'for a right that is missing is not': { trouble: completing('ACCESS_DENIED', 400) },
  'leaves no upload that nobody would go on with': { keeps: false, trouble: { complete: [denied] } },
  'says so if it leaves one': { keeps: false, trouble: { complete: [denied], abort: [denied] } },
  'says when the parts that it leaves will lapse': { keeps: false, trouble: { complete: [denied] }, more: LAPSES },
}
const TOLD4 = `
for a damaged part is tried anew => copied; create,part 1,part 2,part 3,head,complete,abort,parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; creating,upload,part1,part2,part3,completing,gone,creating,upload,part1,part2,part3; source-crc32
for the source is not, and leaves no upload => INTEGRITY; create,part 1,part 2,part 3,head,complete,abort,parts; ; creating,upload,part1,part2,part3,completing,gone;
for another reason is not => STORE_REFUSED; create,part 1,part 2,part 3,head,complete; ; creating,upload,part1,part2,part3,completing;
for parts that differ is tried anew => copied; create,part 1,part 2,part 3,head,complete,abort,parts,create,part 1,part 2,part 3; UPLOAD_REPEATED; creating,upload,part1,part2,part3,completing,gone,creating,upload,part1,part2,part3; source-crc32
for the request itself is not => STORE_REFUSED; create,part 1,part 2,part 3,head,complete; ; creating,upload,part1,part2,part3,completing;
for a right that is missing is not => ACCESS_DENIED; create,part 1,part 2,part 3,head,complete; ; creating,upload,part1,part2,part3,completing;
leaves no upload that nobody would go on with => ACCESS_DENIED; create,part 1,part 2,part 3,head,complete,abort,parts; ; creating,upload,part1,part2,part3,completing,gone;
says so if it leaves one => UPLOAD_LEFT; create,part 1,part 2,part 3,head,complete,abort; ; creating,upload,part1,part2,part3,completing;
says when the parts that it leaves will lapse => ACCESS_DENIED; create,part 1,part 2,part 3,head,complete; PARTS_LAPSE; creating,upload,part1,part2,part3,completing,gone;
`
test.each(rowsOf(GIVEN4, TOLD4))('a completion that fails: %s', holds)

test('what the completion answered is noted, and the checksum that was sent', async () => {
  const trouble = { head: [undefined, shows()], complete: [act => ({ ...act(), versionId: 'v1' })] }
  const rig = createRig({ can: COMPUTES, trouble })
  await rig.go()
  expect(rig.facts.filter(({ type }) => type === 'completing' || type === 'completed')).toMatchObject([
    { upload: 'upload-1', sums: { crc32: crcOf(BODY) } },
    { upload: 'upload-1', etag: '"other"', versionId: undefined, doubtful: true, contradiction: undefined },
  ])
})

const WRONGLY = { ...answered, 'part 2': times(9, answering('xxx', damaged)) }
const base64Of = text => Buffer.from(crcOf(text), 'hex').toString('base64')
test.each([
  ['the MD5', { 'part 2': times(9, damaged) }, {}, [md5Of('bbb'), `"${md5Of('xxx')}"`]],
  ['the checksum that the store answered', WRONGLY, ANSWERED, ['bbb', 'xxx'].map(base64Of)],
])('a damaged part is told by %s', async (_, trouble, how, [expected, found]) => {
  const { error } = await createRig({ trouble, ...how }).go()
  expect(error).toMatchObject({ code: 'PART_CORRUPTED', facts: { expected, found } })
})

test('parts have no twins where they are written in place', async () => {
  const hedges = []
  const schedule = async (parts, { hedge }) => {
    hedges.push(hedge)
    throw errorOf('INTERRUPTED')
  }
  for (const written of [false, true]) await createRig({ can: { written }, work: { schedule } }).go()
  expect(hedges).toEqual([true, false])
})

const part = (text, i) => ({
  ...{ upload: 'upload-0', partNumber: i + 1, bytes: text.length, etag: `"${i}"`, sums: { crc32: crcOf(text) } },
})
const earlier = (completed, ...more) =>
  [
    { type: 'upload', id: 'upload-0', checksums: false },
    ...TEXTS.map((text, i) => ({ type: 'part', ...part(text, i) })),
    { type: 'completing', upload: 'upload-0', sums: { crc32: crcOf(BODY) } },
    { type: 'completed', upload: 'upload-0', etag: TAG, ...completed },
    ...more.map(partNumber => ({ type: 'checked', upload: 'upload-0', partNumber })),
  ].map(fact => ({ n: 0, at: 1, ...fact }))
const copies = { copies: {}, ...growing }

const GIVEN5 = {
  'is not read again where it was read': { facts: earlier({}, 1, 3) },
  'nor where all was': { facts: earlier({}, 1, 2, 3) },
  'is proved by what its store computed': { can: COMPUTES, facts: earlier({ storedSums: { crc32: crcOf(BODY) } }) },
  'is read where it is doubtful': { facts: earlier({ doubtful: true }) },
  'and wrong': { facts: earlier({ doubtful: true }), there: 'aaabbbxx' },
  'a copy by the store is not read': { work: copies, facts: earlier({}) },
  'a copy by the store is refused where it is doubtful': { work: copies, facts: earlier({ doubtful: true }) },
  'or unknown, where a condition would mistake it': { ...IF_NONE, work: copies, facts: earlier({ doubtful: true }) },
  'a copy by the store is wrong where it contradicts': { work: copies, facts: earlier({ contradiction: 'No.' }) },
}
const TOLD5 = `
is not read again where it was read => copied; ; 3 parts of 8 bytes,READING_BACK 3; checked2; read-back
nor where all was => copied; ; 3 parts of 8 bytes,READING_BACK 0; ; read-back
is proved by what its store computed => copied; ; 3 parts of 8 bytes; ;
is read where it is doubtful => copied; ; 3 parts of 8 bytes,READING_BACK 8; checked1,checked2,checked3; read-back
and wrong => OUTCOME_UNKNOWN, aaabbbxx; ; 3 parts of 8 bytes,READING_BACK 8; checked1,checked2,gone;
a copy by the store is not read => copied; ; 3 parts of 8 bytes; ;
a copy by the store is refused where it is doubtful => COPY_REFUSED, aaabbbcc; ; 3 parts of 8 bytes; gone;
or unknown, where a condition would mistake it => OUTCOME_UNKNOWN, aaabbbcc; ; 3 parts of 8 bytes; gone;
a copy by the store is wrong where it contradicts => WRONG_COPY; head,remove,head; 3 parts of 8 bytes; gone;
`
test.each(rowsOf(GIVEN5, TOLD5))('what an earlier run has completed: %s', async (_, how, expected) =>
  expect(await run({ there: BODY, tag: TAG, ...how })).toBe(expected),
)

test('a wrong copy is replaced only while it is there, if the write had a condition', async () => {
  const replaced = act => {
    rig.put('theirs')
    return act()
  }
  const rig = createRig({ ...IF_NONE, ...wrong({ create: [undefined, replaced] }) })
  expect(await rig.outline()).toMatch(/^DESTINATION_CHANGED, theirs; /)
})

test.each([
  ['are waited for before the upload is aborted once more', false, [5000], 'create,abort,parts,abort'],
  ['are not waited for where the upload is kept', true, [0], 'create'],
])('invocations that nobody can cancel %s', async (_, keeps, waits, calls) => {
  const waited = []
  const run = () => Promise.reject(errorOf('INTERRUPTED'))
  const detached = { run, count: () => 1, ended: async ms => void waited.push(ms) }
  const rig = createRig({ keeps, work: { detached } })
  await rig.go()
  expect([waited, rig.calls.map(call => call.replace(' key', '')).join()]).toEqual([waits, calls])
})

test.each([
  ['a range of it that differs', { can: OPAQUE, trouble: { 'part 2': times(3, damaged) } }, { start: 3, end: 5 }],
  ['its size, if that is all', { settings: UNPROVED, trouble: { head: times(9, largerShows) } }, { start: 0, end: 7 }],
])('a wrong copy is told by %s', async (_, how, facts) => {
  expect((await createRig(how).go()).error).toMatchObject({ code: 'WRONG_COPY', facts })
})

test('all parts that stay damaged, where no ETag shows that they are MD5s, are found when they are read back', async () => {
  const trouble = Object.fromEntries(
    TEXTS.map((text, i) => [`part ${i + 1}`, times(9, act => act('x'.repeat(text.length)))]),
  )
  const rig = createRig({ trouble })
  expect((await rig.go()).error).toMatchObject({ code: 'WRONG_COPY' })
  expect(rig.calls.filter(call => call === 'part 1')).toHaveLength(3)
})

test('what the store has answered of a part is noted, and that it has copied a part itself', async () => {
  const schedule = async ([part], { done }) => {
    done({ ...part, etag: '"e"', sums: {}, headers: { write: { text: 'aaa' } } })
    throw errorOf('INTERRUPTED')
  }
  const notesOf = async work => {
    const { go, facts } = createRig({ can: ANSWERS, more: readsAnswers, work: { ...work, schedule } })
    await go()
    const { answered, server } = facts.find(({ type }) => type === 'part')
    return { answered, server }
  }
  expect(await notesOf({})).toEqual({ answered: { crc32: crcOf('aaa') } })
  expect(await notesOf({ copies: {} })).toEqual({ answered: { crc32: crcOf('aaa') }, server: true })
})

test('a part whose answer was lost is trusted as its store lists it, if that checks checksums', async () => {
  const found = []
  const checks = { sumAt: 'header', sums: { stored: [], checked: ['crc32'], answered: [] } }
  for (const can of [checks, {}]) {
    let rig
    const schedule = async (parts, { settle }) => {
      rig.seed('upload-1', ['aaa'], true)
      found.push((await settle?.(parts.slice(0, 1)))?.map(({ sums }) => sums))
      throw errorOf('INTERRUPTED')
    }
    rig = createRig({ can, work: { schedule } })
    await rig.go()
  }
  expect(found).toEqual([[{ crc32: crcOf('aaa') }], undefined])
})
