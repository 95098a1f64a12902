'use strict'

/** Which options of a prefix exclude each other, what they choose, and what is said if they choose nothing. */

const { createHash } = require('node:crypto')
const { symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { checkFiles, checkResumed, judgeFilters, judgeNothing } = require('../../../lib/many/selection')
const { prepareOptions, readSelection } = require('../../../lib/many/selection')
const { newFolder } = require('../../support/folder')
const { thrownBy } = require('../../support/thrown')

const SYNC = { recursive: 'sync' }
const object = { key: 'k', bytes: 5, etag: '"e"', lastModifiedMs: Date.UTC(2026, 0, 1) }

describe('the selection', () => {
  const FOLLOWS = { source: { key: '', store: { can: {} }, settings: { followLinks: true } } }

  test.each([
    [{ delete: true }, '--delete works only with xfer sync', 'Use xfer sync'],
    [{ ...SYNC, maxDelete: '1' }, '--max-delete works only with xfer sync --delete', 'give --delete as well'],
    [{ ifMatch: '"e"' }, '--if-match works only with one object', 'copy the object by itself'],
    [{ expectSha256: 'a'.repeat(64) }, '--expect-sha256 works only with one object', 'copy the object by itself'],
    [{ sizeOnly: true }, '--size-only and --checksum work only with xfer sync', 'Use xfer sync'],
    [{ checksum: true }, '--size-only and --checksum work only with xfer sync', 'Use xfer sync'],
    [{ ...SYNC, sizeOnly: true, checksum: true }, '--size-only and --checksum cannot be used together', 'only one'],
    [{ ...SYNC, delete: true, filesFrom: 'names' }, '--delete and --files-from cannot be used together', 'only one'],
    [{ ...SYNC, delete: true, manifest: 'table.csv' }, '--delete and --manifest cannot be used together', 'only one'],
    [{ filesFrom: 'names', filesFrom0: 'names' }, '--files-from and --files-from0 cannot be used together', 'only one'],
    [{ filesFrom: 'names', manifest: 'table.csv' }, '--files-from and --manifest cannot be used together', 'only one'],
    [{ move: true, manifest: 'table.csv' }, '--manifest works only with xfer copy -r', 'xfer rm'],
    [{ move: true }, '--follow-links cannot be used with a move', 'xfer rm', FOLLOWS],
    [{ newerThan: '1d', olderThan: '2d' }, 'modified after --newer-than and before --older-than', 'the earlier'],
    [{ newerThan: '1d', olderThan: '1d' }, 'modified after --newer-than and before --older-than', 'the earlier'],
    [{ minSize: '2', maxSize: '1' }, 'as large as --min-size and as small as --max-size', 'the larger'],
  ])('%j is refused: %s', (options, said, advice, ends = {}) => {
    const { code, message, hint } = thrownBy(() => readSelection(options, { now: () => 0, ...ends }))
    expect([code, message, hint]).toEqual(['USAGE', expect.stringContaining(said), expect.stringContaining(advice)])
  })

  test.each([
    [{}, { mode: 'copy', compares: false, byTime: false, deletes: false, nul: false, includesFirst: false }],
    [SYNC, { mode: 'sync', compares: true, byTime: true }],
    [{ ...SYNC, delete: true, maxDelete: '1' }, { deletes: true }],
    [{ ...SYNC, sizeOnly: true }, {}],
    [{ ...SYNC, checksum: true }, {}],
    [{ ignoreExisting: true }, { compares: true, byTime: false }],
    [{ update: true }, { compares: true, byTime: true }],
    [{ move: true }, { compares: false }],
    [{ newerThan: '1d' }, { compares: false, byTime: true }],
    [{ olderThan: '1d' }, { compares: false, byTime: true }],
    [{ newerThan: '2d', olderThan: '1d' }, { byTime: true }],
    [{ minSize: '1', maxSize: '1' }, {}],
    [{ filesFrom0: 'names' }, { nul: true, filesFrom: 'names' }],
    [{ manifest: 'table.csv' }, { manifest: 'table.csv' }],
    [{ filters: [{ include: 'a' }] }, { includesFirst: true }],
    [{ filters: [{ exclude: 'a' }, { include: 'b' }] }, { includesFirst: false }],
  ])('%j is taken for %j', (options, expected) => {
    expect(readSelection(options, { now: Date.now })).toMatchObject(expected)
  })

  const DELETES = { ...SYNC, delete: true }
  const BOTH = { source: object, destination: object }
  const bothWith = there => ({ source: object, destination: { ...object, ...there } })
  const UNREADABLE = { name: 'a/', source: { ...object, cause: {} } }
  function judged(selection, pair) {
    const { action, why } = selection.judge({ name: 'a', ...pair }, { aheadMs: 0, nowMs: Date.UTC(2026, 1, 1) })
    return `${action} ${why}`
  }

  test.each([
    ['an object of the source is copied', {}, { source: object }, 'copy all'],
    ['one of the destination is left to a sync', {}, { destination: object }, 'skip extra'],
    ['a sync compares both', SYNC, bothWith({ lastModifiedMs: Date.UTC(2026, 0, 9) }), 'skip older'],
    ['a move looks whether an equal one is there', { move: true }, BOTH, 'compare all'],
    ['not if it has another size', { move: true }, bothWith({ bytes: 6 }), 'copy all'],
    ['nor if nothing is there', { move: true }, { source: object }, 'copy all'],
    ['a filter leaves out', { filters: [{ exclude: 'a*' }] }, { source: object }, 'skip left out'],
    ['also what is there', { ...DELETES, filters: [{ exclude: 'a*' }] }, { destination: object }, 'skip left out'],
    ['what is extra is deleted', DELETES, { destination: object }, 'delete extra'],
    ['a size leaves out', { minSize: '6' }, { source: object }, 'skip left out'],
    ['a folder that cannot be read is, by its filter alone', { minSize: '6' }, UNREADABLE, 'copy all'],
    ['and left out with all below it', { filters: [{ exclude: 'a/**' }] }, UNREADABLE, 'skip left out'],
    ['what is nowhere is left out', {}, {}, 'skip left out'],
  ])('of %s', (_, options, pair, expected) => expect(judged(readSelection(options), pair)).toBe(expected))

  const mark = { ...object, bytes: 0, marksFolder: true }
  const FOLDERS = { makeFolder() {} }
  const older = { ...object, lastModifiedMs: object.lastModifiedMs - 60_000 }

  test.each([
    ['a mark of a folder, where the destination takes it for an object', {}, {}, { source: mark }, 'skip folder-mark'],
    ['one whose name an object with bytes has there', {}, {}, { source: mark, destination: object }, 'delete extra'],
    ['one that was copied as an object', {}, {}, { source: mark, destination: { ...mark } }, 'skip folder-mark'],
    ['one of the destination of a source with folders', FOLDERS, {}, { destination: mark }, 'skip folder-mark'],
    ['one that both sides have', {}, { marksFolders: true }, { source: mark, destination: mark }, 'skip same-size'],
    ['a file that keeps its time', {}, { keepsTimes: true }, bothWith(older), 'compare other-time'],
    ['an object that keeps none', {}, {}, bothWith(older), 'copy newer'],
  ])('of %s', (_, ours, can, pair, expected) => {
    const ends = { source: { key: '', store: { can: {}, ...ours } }, destination: { key: '', store: { can } } }
    expect(judged(readSelection(DELETES, ends), pair)).toBe(expected)
  })

  test.each([
    ['file:', '', 'home/me/', '.local/state/xfer/jobs/x', {}],
    ['s3.test', 'bucket', 'to/', 'state/jobs/x', { stateAt: JSON.stringify(['s3.test', 'bucket', 'to/state/']) }],
  ])(
    'what has the journals of jobs is none of its objects, but for xfer rm: %s',
    (host, bucket, key, name, journal) => {
      const scheme = host === 'file:' ? 'file' : 's3'
      const side = { key, place: JSON.stringify([host, bucket, key]), store: { can: {}, scheme } }
      const env = { HOME: '/home/me' }
      const actionOf = ends =>
        readSelection({ env }, ends).judge({ name, source: { ...object, key: key + name } }).action
      expect(actionOf({ source: side, run: { journal } })).toBe('skip')
      expect(actionOf({ destination: side, run: { journal } })).toBe('skip')
      expect(actionOf({ source: side })).toBe('copy')
    },
  )

  test('an age counts from the beginning of the job', () => {
    const dayMs = 86_400_000
    const judged = sinceMs => {
      const now = () => object.lastModifiedMs + sinceMs
      return readSelection({ newerThan: '1d' }, { now }).judge({ name: 'a', source: object }).action
    }
    expect([judged(dayMs / 2), judged(2 * dayMs)]).toEqual(['copy', 'skip'])
  })
})

async function endOf({ key = 'photos/', head, ...selection }) {
  const events = []
  const store = { head: async name => head?.(name) ?? Promise.reject(new Error('There is none.')) }
  const job = { source: { store, key, text: `s3://bucket/${key}` }, run: { emit: event => events.push(event) } }
  return await judgeNothing(job, selection).then(
    () => events.map(({ code }) => code),
    ({ code, facts: { object, pattern } }) => [code, object ?? pattern],
  )
}

test.each([
  ['an object may be meant', { head: name => ({ name }) }, ['NOTHING_FOUND', 's3://bucket/photos']],
  ['a pattern may be', { key: 'photos/*/' }, ['NOTHING_FOUND', true]],
  ['nothing is known otherwise', {}, ['NOTHING_FOUND', false]],
  ['there is no object of no name', { key: '', head: name => ({ name }) }, ['NOTHING_FOUND', undefined]],
  ['names of a file are told, and no error', { filesFrom: 'names' }, ['NOTHING_FOUND']],
])('where nothing was found %s', async (_, how, expected) => {
  const found = await endOf(how)
  expect(found.map(one => one || undefined)).toEqual(expected.map(one => one || undefined))
})

const rule = { rule: { include: 'a' }, meant: { include: 'a/**' } }
test.each([
  ['filters that matched nothing are told', {}, {}, ['FILTERS_UNMATCHED'], 1],
  ['and if they left nothing', {}, { filtered: 3 }, ['FILTERS_UNMATCHED', 'NOTHING_FOUND'], 1],
  ['not where nothing was listed', {}, { listed: 0, filtered: 0 }, [], 0],
  ['not where names of a file failed', { filesFrom: 'names' }, { failed: 1 }, [], 0],
  ['but where other objects failed', {}, { failed: 1 }, ['FILTERS_UNMATCHED'], 1],
  ['and where no name of a file failed', { filesFrom: 'names' }, {}, ['FILTERS_UNMATCHED'], 1],
  ['nothing is told where all matched', { unmatched: () => [] }, {}, [], 0],
])('where nothing was found %s', (_, selection, counts, codes, rules) => {
  const events = []
  const job = { source: { text: 's3://bucket/' }, run: { emit: event => events.push(event) } }
  const all = { listed: 3, filtered: 1, failed: 0, ...counts }
  const found = judgeFilters(job, { unmatched: () => [rule], ...selection }, all)
  expect([events.map(({ code }) => code), found.length]).toEqual([codes, rules])
  if (codes[0] === 'FILTERS_UNMATCHED')
    expect(events[0].facts).toMatchObject({ meant: [expect.stringContaining('a/**')] })
})

test('the files that options name are checked before anything is listed', async () => {
  const folder = newFolder()
  const [file, other, link, missing] = ['file', 'other', 'link', 'missing'].map(name => join(folder, name))
  for (const path of [file, other]) writeFileSync(path, '')
  symlinkSync(file, link)
  const saidOf = async options =>
    (await checkFiles(options).catch(({ code, message, hint }) => `${code} ${message} ${hint}`)) ?? 'taken'
  const taken = [{}, { filesFrom: file }, { filesFrom: '-' }, { filesFrom: missing, manifest: missing }]
  taken.push({ failures: missing }, { filesFrom: file, failures: other })
  const same = failures => `--files-from and --failures name the same file (${failures}), which would be emptied`
  const refused = [
    [{ filesFrom: missing }, `The names in ${missing} cannot be read (ENOENT). Check`],
    [{ filesFrom: folder }, `The names in ${folder} cannot be read (EISDIR). Check`],
    [{ failures: folder }, `The file ${folder} cannot be written (EISDIR). Give --failures another`],
    [{ failures: join(missing, 'x') }, `The file ${missing}/x cannot be written (ENOENT). Give --failures another`],
    ...[file, link].map(failures => [{ filesFrom: file, failures }, same(failures)]),
  ]
  expect(await Promise.all(taken.map(saidOf))).toEqual(taken.map(() => 'taken'))
  for (const [options, said] of refused) expect(await saidOf(options)).toContain(`USAGE ${said}`)
})

describe('a job that is resumed', () => {
  const folder = newFolder()
  const file = join(folder, 'names')
  writeFileSync(file, 'one\n')
  const digest = createHash('sha256').update('one\n').digest('hex')
  const FILE = { filesFrom: file }
  const PIPE = { filesFrom: '-' }
  const KNOWN = { ...FILE, namesDigest: digest }

  /** @param {object} select that the job began with @param {object} merged @param {string} [recursive] */
  const resumedWith = async (select, merged, recursive = 'sync') =>
    await checkResumed(/** @type {any} */ ({ id: 'j', options: { recursive, select } }), { recursive, ...merged }).then(
      () => 'taken',
      ({ code, message, hint }) => `${code} ${message} ${hint}`,
    )

  test.each([
    ['the same options', { sizeOnly: true }, { sizeOnly: true }],
    ['deletions as well', {}, { delete: true }],
    ['the same names', KNOWN, FILE],
    ['the same names, of another file', { filesFrom: 'gone', namesDigest: digest }, FILE],
    ['names that could be read only once', PIPE, PIPE],
    ['a file of the names that could be read only once', PIPE, FILE],
    ['what a pipe gives now', FILE, PIPE],
  ])('is taken with %s', async (_, select, merged) => expect(await resumedWith(select, merged)).toBe('taken'))

  test.each([
    ['other options', {}, { sizeOnly: true }, 'was begun with other options: --size-only. Leave them out'],
    ['two of them', {}, { sizeOnly: true, update: true }, 'was begun with other options: --size-only, --update.'],
    ['fewer', { sizeOnly: true }, {}, 'was begun with other options: --size-only.'],
    ['other names', { ...FILE, namesDigest: 'of others' }, FILE, `The names in ${file} are not those`],
    ['names where it had none', {}, FILE, 'was begun with other options: --files-from.'],
    ['none where it had names', KNOWN, {}, 'Give the file with these names as --files-from; xfer abort j'],
    ['others that come from a pipe', KNOWN, PIPE, 'The names in - are not those'],
    ['a file that is gone', KNOWN, { filesFrom: join(folder, 'gone') }, 'gone cannot be read'],
  ])('is refused with %s', async (_, select, merged, said) => {
    const told = await resumedWith(select, merged)
    expect(told).toContain(said)
    expect(told).toMatch(/^USAGE /)
  })
})

test('a job of names from a file is known by the names', async () => {
  const file = join(newFolder(), 'names')
  const digests = [undefined]
  for (const name of ['a', 'b']) {
    writeFileSync(file, name)
    digests.push((await prepareOptions({ filesFrom: file })).namesDigest)
  }
  expect(new Set(digests).size).toBe(3)
})
