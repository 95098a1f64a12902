'use strict'

/** What is read before a copy is visible, and after: how often, and what a difference means. */

const { createServer } = require('node:http')
const { passTime } = require('../../support/time')
const { keep } = require('../../support/opened')
const { serve } = require('../../support/serving')
const { UNLIMITED } = require('../../../lib/engines')
const { NO_ETAG, compositeCrc32, multipartEtag } = require('../../../lib/integrity')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { checkReadable, firstWrong, recheckSource } = require('../../../lib/verify')
const { createReader, createRiggedStore, crcOf, errorOf, refused } = require('../../support/rigged-store')

const BODY = 'aabb'
const TEXTS = ['aa', 'bb']
const PARTS = TEXTS.map((_, i) => ({ partNumber: i + 1, start: 2 * i, bytes: 2 }))

/** The work of a copy of two parts, of which one store has both ends. */
function workOf(rigged, { shows, settings, object, can, more, trouble } = {}) {
  const reader = createReader(rigged, shows)
  const told = []
  const facts = []
  const emit = ({ code }) => code && told.push(code)
  const store = { ...rigged.open(), ...more }
  const side = key => ({ store: { ...store, can: { ...store.can, ...can } }, key, text: `s3://bucket/${key}` })
  const outages = createOutages({ timeoutMs: 0, emit })
  const journal = {
    state: { upload: { id: 'upload' } },
    note: ({ type, partNumber }) => facts.push(`${type} ${partNumber}`),
    write: async ({ type, upload }) => facts.push(`${type} ${upload}`),
  }
  const job = {
    source: side('from'),
    destination: side('to'),
    engine: { run: reader.run },
    settings: { verify: 'auto', proved: true, retries: 0, ...settings },
    run: { emit, journal, pressure: createPressure({ outages, random: () => 0.5 }) },
  }
  const work = {
    ...{ job, limits: { ...UNLIMITED, concurrent: 1 }, concurrency: 1, plan: { parts: PARTS } },
    ...{ object: { ...rigged.objects.get('from'), bytes: BODY.length, ...object }, reading: () => emit },
  }
  return { work, told, facts, read: reader.read }
}

const outcomeOf = (part, text) => ({ ...part, sums: { crc32: crcOf(text) }, etag: rigTag(text) })
const rigTag = text => createRiggedStore().put('key', text, 0).etag
const TAG = multipartEtag(TEXTS.map(text => ({ etag: rigTag(text) })))
const OTHER_TAG = `"${'0'.repeat(32)}-2"`
const COMPOSITE = { crc32: `${compositeCrc32(TEXTS.map(crcOf))}-2` }
const WRONG_SUM = { crc32: 'AAAAAA==-2' }
const wrongly = Array.from({ length: 9 }, (_, i) => `${i}`)
const sized = (...sizes) => ({ partSize: async (_, { partNumber }) => ({ bytes: sizes[partNumber - 1], parts: 2 }) })

const FULL = { settings: { verify: 'full' } }
const AGAIN = 'READING_SOURCE'
const BOTH = `${AGAIN},SOURCE_ETAG_DIFFERS`
/** What the second part of the source shows, reading by reading. */
const reads = (...texts) => ({ shows: { 'from 2': texts } })
const WRONG = { tag: TAG, copied: ['aa', 'bx'] }
/** Its end; how often the source was read, and which parts were copied again; what was told. */
async function recheck({ copied = TEXTS, again = TEXTS, tag = '"opaque"', encrypted, ...how }) {
  const rigged = createRiggedStore()
  rigged.put('from', BODY, 0, tag)
  const { work, told, read } = workOf(rigged, how)
  const recopied = []
  async function copyRest(done) {
    return PARTS.map((part, i) => {
      const kept = done.find(({ partNumber }) => partNumber === part.partNumber)
      return kept ?? (recopied.push(part.partNumber) && outcomeOf(part, again[i]))
    })
  }
  const outcomes = copied.map((text, i) => outcomeOf(PARTS[i], text))
  const ended = await passTime(
    recheckSource(work, { encrypted }, outcomes, copyRest).then(
      ({ outcomes, proofs }) => [...proofs, ...(outcomes[1].sums.crc32 === crcOf('bb') ? [] : ['wrong'])].join(),
      ({ code, facts: { start, end } }) => [code, start, end].filter(x => x !== undefined).join(' '),
    ),
  )
  return [ended, read.length, recopied.join(), told.join()].join('; ')
}
test.each([
  ['is known by nothing', {}, '; 0; ; '],
  ['has the ETag of what was read', { tag: TAG }, 'source-md5; 0; ; '],
  ['has the ETag of what was read, with --verify full', { tag: TAG, ...FULL }, 'source-md5; 0; ; '],
  ['has another ETag, twice', { tag: OTHER_TAG }, `source-read; 6; ; ${BOTH}`],
  ['has another ETag, and parts of other sizes', { tag: OTHER_TAG, more: sized(3, 1) }, '; 0; ; '],
  ['has another ETag, and parts of the same sizes', { tag: OTHER_TAG, more: sized(2, 2) }, `source-read; 6; ; ${BOTH}`],
  ['has another ETag, and nobody asks for a proof', { tag: OTHER_TAG, settings: { proved: false } }, '; 0; ; '],
  ['has another ETag, and can be read once', { tag: OTHER_TAG, can: { readsOnce: true } }, '; 0; ; '],
  ['was read wrong', WRONG, 'source-read,source-md5; 2; 2; READING_SOURCE'],
  ['was read wrong, and so again', { ...WRONG, ...reads('x') }, `source-read,source-md5; 3; 2; ${AGAIN}`],
  ['is copied wrong each time', { ...WRONG, again: ['aa', 'bx'] }, `INTEGRITY 2 3; 5; 2,2,2; ${AGAIN}`],
  ['is read otherwise each time', { ...WRONG, ...reads(...wrongly) }, `INTEGRITY 2 3; 5; 2,2,2; ${AGAIN}`],
  ['keeps the checksum of its parts', { object: { composite: COMPOSITE } }, 'source-crc32; 0; ; '],
  ['keeps another checksum of its parts', { object: { composite: WRONG_SUM } }, 'INTEGRITY; 4; ; READING_SOURCE'],
  ['has other parts, with --verify full', { tag: OTHER_TAG, more: sized(3, 1), ...FULL }, `source-read; 6; ; ${AGAIN}`],
  ['is known by nothing, with --verify full', { ...FULL }, `source-read; 4; ; ${AGAIN}`],
  ['is explained by its MD5s alone', { tag: TAG, encrypted: true, ...FULL }, `source-read,source-md5; 2; ; ${AGAIN}`],
  ['has an ETag that no MD5s explain', { tag: OTHER_TAG, encrypted: true, ...FULL }, `source-read; 6; ; ${BOTH}`],
])('before a copy is visible, a source that %s', async (_, how, expected) => expect(await recheck(how)).toBe(expected))

/** Reads the copy, whose store has answered `tag` of it. */
async function readCopy({ copy = BODY, tag, trouble = {}, ...how }) {
  const rigged = createRiggedStore({ trouble })
  rigged.put('from', BODY, 0)
  if (copy !== null) rigged.put('to', copy, 0)
  const { work, facts, read } = workOf(rigged, how)
  const outcomes = TEXTS.map((text, i) => outcomeOf(PARTS[i], text))
  const etag = tag ?? rigged.objects.get('to').etag
  const ended = await passTime(
    firstWrong(work, { etag, outcomes }, how.ranges ?? PARTS).then(
      ({ wrong, current }) => {
        const shown = current && (current.etag === rigged.objects.get('to').etag ? 'current' : current.etag)
        return wrong ? `wrong ${wrong.start}` : (shown ?? 'equal')
      },
      ({ code, exitCode, facts: { advice = '' } }) =>
        `${code} ${exitCode}${/not what was sent/.test(advice) ? ', perhaps wrong' : ''}`,
    ),
  )
  return [ended, read.join(), facts.join()].join('; ')
}
const denied = errorOf('ACCESS_DENIED', { status: 403 })
const gone = errorOf('NO_SUCH_BUCKET')
const tag = '"of the answer"'
const PERHAPS = 'OBJECT_CHANGED 6, perhaps wrong'
test.each([
  ['is what was sent', {}, 'equal; to 0,to 2; checked 1,checked 2'],
  ['is not', { copy: 'aabx' }, 'wrong 2; to 0,to 2,to 2,to 2; checked 1'],
  ['is not, in one reading', { shows: { 'to 2': ['bx'] } }, 'equal; to 0,to 2,to 2; checked 1,checked 2'],
  ['is shown with another ETag', { tag }, 'current; to 0,to 0,to 2; '],
  ['is shown with another ETag, at its end', { tag, ranges: PARTS.slice(1) }, 'current; to 2,to 0,to 2; '],
  ['is shown so, with other bytes', { tag, copy: 'aabx' }, `${PERHAPS}; to 0,to 0,to 2,to 2,to 2; gone upload`],
  ['is shown with another size', { tag, copy: 'aab' }, 'OBJECT_CHANGED 6; to 0; gone upload'],
  ['is gone', { tag, copy: null }, 'OBJECT_CHANGED 6; to 0; gone upload'],
  ['may not be looked at', { tag, trouble: { 'head to': [refused('ACCESS_DENIED')] } }, 'NOT_READ_BACK 1; to 0; '],
  ['may not be read', { shows: { 'to 0': [denied] } }, 'NOT_READ_BACK 1; to 0; '],
  ['is in a missing bucket', { shows: { 'to 0': [gone] } }, 'NOT_READ_BACK 3; to 0; '],
])('a copy that %s, read back', async (_, how, expected) => expect(await readCopy(how)).toBe(expected))

describe('before a copy that has to be read back is written', () => {
  let status
  let server
  beforeAll(async () => {
    server = keep(await serve(createServer((request, response) => response.writeHead(status).end())))
  })
  test.each([
    ['a missing object, which may be read', { status: 404 }, `head,read ${NO_ETAG} 0`],
    ['an object that is there', { there: '"e"', status: 200 }, 'head,read "e" 0'],
    ['a refused reading', { status: 403 }, `READ_BACK_REFUSED,head,read ${NO_ETAG} 0`],
    ['a refused reading of what is archived', { there: '"e"', status: 403, code: 'ARCHIVED' }, 'head,read "e" 0'],
    ['a refused look', { fails: 'ACCESS_DENIED' }, 'READ_BACK_REFUSED unseen,head'],
    ['a look that fails otherwise', { fails: 'STORE_ERROR' }, 'head'],
    ['a proof without reading', { checked: true, status: 403 }, ''],
    ['files', { can: { reach: 'process' }, status: 403 }, ''],
    ['a class that is archived', { checked: true, storageClass: 'COLD' }, 'READ_BACK_REFUSED'],
    ['a class that is not', { checked: true, storageClass: 'WARM' }, ''],
  ])('%s', async (_, { there, fails = 'NO_SUCH_KEY', code = 'ACCESS_DENIED', checked, ...how }, expected) => {
    const asked = []
    status = how.status ?? 200
    const store = {
      can: how.can ?? { reach: 'network' },
      facts: {},
      requests: { GET: 0 },
      archives: name => name === 'COLD',
      async head() {
        asked.push('head')
        if (!there) throw errorOf(fails)
        return { etag: there }
      },
      async read({ etag, range }) {
        asked.push(`read ${etag} ${range.end}`)
        return { request: { method: 'GET', url: server.endpoint, headers: {} } }
      },
      explain: () => errorOf(code),
    }
    const job = { destination: { store, key: 'to', text: 's3://bucket/to' }, run: {} }
    const refusal = await checkReadable({ job, attributes: { storageClass: how.storageClass } }, { checked }).catch(
      error => [error.code, ...(error.facts.unseen ? ['unseen'] : [])].join(' '),
    )
    expect([...(refusal ? [refusal] : []), ...asked].join()).toBe(expected)
    expect(store.requests.GET).toBe(asked.filter(one => one !== 'head').length)
  })
})
