'use strict'

const { rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { gzipSync } = require('node:zlib')
const { namedSteps, rowSteps } = require('../../../lib/many/named')
const { newFolder } = require('../../support/opened')
const { TROUBLES, createRiggedStore, md5Of } = require('../../support/rigged-store')

const DAY_MS = 86_400_000
const AT = Date.UTC(2026, 0, 1)
let folder
beforeEach(() => {
  folder = newFolder()
})

/** Both ends, and what is asked of them. */
function createRig({ source = {}, destination = {}, trouble = {} } = {}) {
  const ends = {
    source: createRiggedStore({ side: 'source', texts: source, atMs: AT, trouble }),
    destination: createRiggedStore({ texts: destination, atMs: AT }),
  }
  const events = []
  const versions = []
  const sideOf = (store, key) => ({ store, key, text: `s3://bucket/${key}`, plain: `s3://bucket/${key}` })
  const from = ends.source.open()
  const { head } = from
  from.head = (key, how) => {
    versions.push(how.versionId)
    return head(key, how)
  }
  const run = { cancel: new AbortController().signal, emit: event => events.push(event) }
  const job = { source: sideOf(from, 'from/'), destination: sideOf(ends.destination.open(), 'to/'), run }
  const asked = () => Object.values(ends).flatMap(({ calls }) => calls)
  return { job: /** @type {any} */ (job), events, versions, asked }
}

async function all(steps) {
  const found = []
  for await (const step of steps) found.push(step)
  return found
}

/** What a step says of each name. */
const shown = ({ name, source, destination, error }) => [name, error?.code ?? source?.bytes, destination?.bytes]

test('names are looked up at both ends, some at once; one that cannot be found is an error of its own', async () => {
  const names = ['a', 'b', '/from/a', 's3://x/a', 'new', ...Array(60).fill('a')]
  const { job } = createRig({ source: { 'from/a': '1', 'from/b': '22' }, destination: { 'to/b': '333', 'to/new': '' } })
  const steps = await all(namedSteps({ job, names, compares: true }))
  expect(steps.map(({ pairs }) => pairs.length)).toEqual([64, 1])
  const [{ pairs }] = steps
  const [missing, there] = ['NO_SUCH_KEY', undefined]
  expect(pairs.slice(0, 5).map(shown)).toEqual([
    ['a', 1, there],
    ['b', 2, 3],
    ...['/from/a', 's3://x/a', 'new'].map(name => [name, missing, there]),
  ])
  expect(pairs[1]).toMatchObject({ source: { key: 'from/b', lastModifiedMs: AT }, destination: { key: 'to/b' } })
  expect(pairs.slice(2, 5).map(({ error }) => error.facts.absolute)).toEqual([true, true, undefined])
})

test('the destination is left alone where nothing is compared, and what is refused does not count as gone', async () => {
  const { job, asked } = createRig({ source: { 'from/a': '1' }, trouble: { 'head from/b': [TROUBLES.denied] } })
  const [{ pairs }] = await all(namedSteps({ job, names: ['a', 'b'], compares: false }))
  expect(pairs.map(shown)).toEqual([
    ['a', 1, undefined],
    ['b', 'ACCESS_DENIED', undefined],
  ])
  expect(asked()).toEqual(['head from/a', 'head from/b'])
})

/** @param {string} schema @param {string[]} parts the rows of each data file */
function inventory(schema, parts) {
  for (const [i, part] of parts.entries()) writeFileSync(join(folder, `${i}.gz`), gzipSync(part))
  const files = parts.map((_, i) => ({ key: `${i}.gz` }))
  const path = join(folder, 'manifest.json')
  writeFileSync(path, JSON.stringify({ fileFormat: 'CSV', fileSchema: schema, files }))
  return path
}
const rowsOf = (job, manifest, how = {}) => {
  const usual = { options: { manifest }, selection: { byTime: false }, ranges: [{ id: 0 }], compares: false }
  return all(rowSteps({ job, ...usual, ...how }))
}
const pairsOf = steps => steps.flatMap(({ pairs = [] }) => pairs)
/** @param {number} file from 0 @param {number} row from 1 */
const placeOf = (file, row) => String(file * 10 ** 10 + row).padStart(16, '0')

test('what a row does not tell is asked for, of the version that it names; what is not as it says is outdated', async () => {
  const tag = md5Of('1')
  const rows = [
    ['whole', `1,${tag},v1,2026-01-02`, 1],
    ['sized', '1,,v2,2026-01-02', 1],
    ['tagged', `,${tag},,`, 1],
    ['larger', '0,,,', 'ROW_OUTDATED'],
    ['smaller', '2,,,', 'ROW_OUTDATED'],
    ['other', '1,other,,', 1],
    ['another', ',other,,', 'ROW_OUTDATED'],
    ['gone', '1,,,', 'ROW_OUTDATED'],
  ]
  const source = Object.fromEntries(rows.slice(0, -1).map(([name]) => [`from/${name}`, '1']))
  const text = rows.map(([name, fields]) => `from/${name},${fields}\n`).join('')
  const manifest = inventory('Key, Size, ETag, VersionId, LastModifiedDate', [text])
  const { job, asked, versions } = createRig({ source })
  const steps = await rowsOf(job, manifest)
  expect(pairsOf(steps).map(shown)).toEqual(rows.map(([name, , found]) => [name, found, undefined]))
  const incomplete = ['sized', 'tagged', 'larger', 'smaller', 'another', 'gone'].map(name => `head from/${name}`)
  expect(asked()).toEqual(incomplete)
  expect(versions).toEqual(['v2', ...Array(5).fill(undefined)])
  const [whole, sized, tagged] = pairsOf(steps).map(({ source }) => source)
  expect(whole).toMatchObject({ pinned: true, etag: `"${tag}"`, versionId: 'v1', lastModifiedMs: AT + DAY_MS })
  expect(sized).toMatchObject({ pinned: true, etag: `"${tag}"`, versionId: 'v2', lastModifiedMs: AT })
  expect(tagged).toMatchObject({ key: 'from/tagged', bytes: 1 })

  // Where times decide, a row without one does not tell enough; where ends are compared, both are looked at.
  const byTime = createRig({ source })
  await rowsOf(byTime.job, manifest, { selection: { byTime: true } })
  expect(byTime.asked().sort()).toEqual([...incomplete, 'head from/other'].sort())
  inventory('Key, Size, ETag', [`from/whole,1,${tag}\n`])
  const compared = createRig({ source, destination: { 'to/whole': '22' } })
  expect(shown(pairsOf(await rowsOf(compared.job, manifest, { compares: true }))[0])).toEqual(['whole', 1, 2])
})

test('rows that are not below SRC, not the newest, or of another bucket are not copied, and that is told', async () => {
  const texts = [
    'from/a,bucket,true,',
    'else/b,bucket,true,',
    'from/c,bucket,false,',
    'from/e,bucket,false,',
    'from/d,bucket,false,true',
  ]
  const { job, events, asked } = createRig({ source: { 'from/a': '1' } })
  const schema = 'Key, Bucket, IsLatest, IsDeleteMarker'
  const manifest = inventory(schema, [texts.join('\n'), 'from/y,other,true,\nfrom/x,bucket,true,\n'])
  const pairs = pairsOf(await rowsOf(job, manifest))
  expect(pairs.map(shown)).toMatchObject([
    ['a', 1],
    ['y', 'BAD_MANIFEST'],
    ['x', 'ROW_OUTDATED'],
  ])
  expect(pairs[1]).toMatchObject({ at: placeOf(1, 1), error: { facts: { row: 1, file: '1.gz' } } })
  expect(asked()).toEqual(['head from/a', 'head from/x'])
  expect(events).toMatchObject([
    { code: 'ROWS_LEFT_OUT', message: expect.stringMatching(/ 1 not .* 2 of versions .* 1 of delete/) },
  ])
  const first = rowsOf(job, inventory(schema, ['from/y,other,true,\n']))
  await expect(first).rejects.toMatchObject({ code: 'USAGE' })
})

test('each range has its rows, whichever file they are in and wherever a run was killed; no other file is opened', async () => {
  // Each chunk that is read has a row or two.
  const counts = [3, 1, 3]
  const files = counts.map((count, file) => Array.from({ length: count }, (_, i) => ({ file, row: i + 1 })))
  const textOf = ({ file, row }) => `from/${file}${row}${'x'.repeat(9_000)},1,etag\n`
  const manifest = inventory(
    'Key, Size, ETag',
    files.map(rows => rows.map(textOf).join('')),
  )
  const places = files.flat().map(({ file, row }) => placeOf(file, row))
  const { job } = createRig()
  const isIn = ({ after = '', until = '~' }, place) => place > after && place <= until
  for (const first of places) {
    for (const second of places.filter(place => place >= first)) {
      const [third, ...others] = [
        { id: 3, after: second },
        { id: 1, until: first },
        { id: 2, after: first, until: second },
      ]
      for (const ranges of [[third, ...others], others, [third]]) {
        const steps = await rowsOf(job, manifest, { ranges })
        const found = ranges.map(({ id }) => [id, pairsOf(steps.filter(step => step.range === id)).map(({ at }) => at)])
        expect(found).toEqual(ranges.map(range => [range.id, places.filter(place => isIn(range, place))]))
        const [ends, given] = [steps.slice(-ranges.length), steps.slice(0, -ranges.length)]
        expect(ends).toEqual(ranges.map(({ id }) => ({ type: 'end', range: id })))
        // What is given is never past what counts as given, nor that past its range.
        const ofId = Object.fromEntries(ranges.map(range => [range.id, range]))
        const wrong = ({ range, pairs, through }) => !isIn(ofId[range], through) || pairs.some(({ at }) => at > through)
        expect(given.filter(wrong)).toEqual([])
      }
    }
  }
  for (const i of [0, 2]) rmSync(join(folder, `${i}.gz`))
  const within = { id: 0, after: placeOf(1, 0), until: placeOf(1, 1) }
  expect(pairsOf(await rowsOf(job, manifest, { ranges: [within] }))).toHaveLength(1)
})
