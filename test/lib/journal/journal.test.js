'use strict'

const { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { FACTS, JOB, newFolder, part } = require('./jobs')

const NOW = Date.UTC(2026, 10, 21, 10, 45)

/** @param {object} [options] */
function openAt({ home = newFolder(), now = () => NOW, ...options } = {}) {
  return openJournals({ env: { XDG_STATE_HOME: home }, now, ...options })
}

/** @param {any} journals */
async function createWith(journals, facts = FACTS) {
  const journal = await journals.create(JOB)
  for (const fact of facts) await journal.write(fact)
  return journal
}

test('the folder is made with the first journal, for its user alone', async () => {
  const journals = openAt()
  expect(await journals.list()).toEqual([])
  expect(existsSync(journals.folder)).toBe(false)
  const journal = await journals.create(JOB)
  expect(statSync(journals.folder).mode & 0o777).toBe(0o700)
  expect(statSync(journal.path).mode & 0o777).toBe(0o600)
  expect(journal.path).toBe(join(journals.folder, `${journal.state.id}.journal`))
  expect(journal.state.id).toMatch(/^20261121T104500Z-[0-9a-z]{6}$/)
  await journal.close()
})

test('what was written is what is read again', async () => {
  const journals = openAt()
  const journal = await createWith(journals)
  const expected = {
    id: journal.state.id,
    path: journal.path,
    createdMs: NOW,
    updatedMs: NOW,
    ...JOB,
    object: { bytes: 15_728_640, etag: '"of-the-source"', lastModifiedMs: -1_700_000_000_000 },
    plan: { route: 'multipart', partBytes: 5_242_880, parts: 3 },
    upload: { id: 'upload-1', checksums: false },
    completing: { sums: { crc32: '00000007' } },
    damaged: 0,
  }
  expect(journal.state).toMatchObject(expected)
  await journal.close()
  const again = await journals.open(journal.state.id)
  expect(again.state).toEqual(journal.state)
  expect([...again.state.parts.keys()].sort()).toEqual([1, 2, 3])
  const sums = { crc32: 'fffffffe', md5: '0123456789abcdef0123456789abcdef' }
  expect(again.state.parts.get(1)).toEqual({ partNumber: 1, bytes: 5_242_880, etag: '"etag-1"', sums })
  await again.close()
})

test('only the fields that a journal has are written', async () => {
  const journals = openAt()
  const options = { chunk: '5', env: { AWS_SECRET_ACCESS_KEY: 'hunter2' }, source: { profile: 'p', token: 'hunter2' } }
  const journal = await journals.create({ ...JOB, options })
  await journal.write({ ...part(1), url: 'https://store/?X-Amz-Signature=hunter2' })
  await journal.close()
  const text = readFileSync(journal.path, 'utf8')
  expect(text).not.toContain('hunter2')
  expect(text).toContain('"options":{"chunk":"5","source":{"profile":"p"}}')
})

test('what could not be read again is not written', async () => {
  const journal = await openAt().create(JOB)
  await expect(journal.write({ type: 'part', upload: 'u' })).rejects.toThrow('part')
  await expect(journal.write({ type: 'nonsense' })).rejects.toThrow('nonsense')
  await journal.close()
})

test('notes are on the disk, in order, when the journal is flushed', async () => {
  const journals = openAt()
  const journal = await createWith(journals, FACTS.slice(0, 8))
  for (let n = 1; n <= 1000; n++) journal.note(part(n))
  expect(journal.state.parts.size).toBe(1000)
  await journal.flush()
  const lines = readFileSync(journal.path, 'utf8').trim().split('\n')
  const numbers = lines.slice(-1000).map(line => JSON.parse(line.slice(9)).partNumber)
  expect(numbers).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
  await journal.close()
  journal.note(part(1001))
  await journal.flush()
  expect((await journals.list())[0].parts.size).toBe(1000)
})

test('a job is found, as a whole, by its id, by the beginning of it, by its path, by its ends', async () => {
  const home = newFolder()
  const one = await createWith(openAt({ home }), [{ type: 'over', name: 'n'.repeat(1024 ** 2) }, ...FACTS])
  const elsewhere = { ...JOB, destination: { text: 's3://to/other', place: 'other' } }
  const other = await openAt({ home, now: () => NOW + 1000 }).create(elsewhere)
  const journals = openAt({ home })
  await Promise.all([one.close(), other.close()])
  for (const name of [one.state.id, one.state.id.slice(0, -1), one.path]) {
    const found = await journals.open(name)
    expect(found.state.id).toBe(one.state.id)
    await found.close()
  }
  await expect(journals.open('2026')).rejects.toMatchObject({ code: 'USAGE' })
  for (const name of ['2027', '', './none.journal'])
    await expect(journals.open(name)).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
  expect((await journals.list()).map(({ id }) => id)).toEqual([other.state.id, one.state.id])
  expect(await journals.find(JOB)).toEqual([{ ...one.state, updatedMs: NOW }])
  expect(await journals.find({ source: JOB.destination, destination: JOB.source })).toEqual([])
})

test('a job is found not where its journal is damaged beyond use, and that is listed', async () => {
  const home = newFolder()
  const journals = openAt({ home })
  mkdirSync(journals.folder, { recursive: true })
  const path = join(journals.folder, '20260101T000000Z-aaaaaa.journal')
  writeFileSync(path, 'nothing of ours\n')
  const begun = await journals.create(JOB)
  await begun.write({ type: 'of', name: 'large', fact: { type: 'upload', id: 'kept', checksums: true } })
  await begun.close()
  writeFileSync(begun.path, readFileSync(begun.path, 'utf8').replace('job', 'jot'))
  mkdirSync(join(journals.folder, '20260101T000000Z-bbbbbb.journal'))
  writeFileSync(join(journals.folder, 'notes.txt'), 'x')
  expect(await journals.find(JOB)).toEqual([])
  const [noFile, noJob] = ['it is no file', 'which job it is of is missing'].map(text => expect.stringContaining(text))
  expect(await journals.list()).toEqual([
    { id: begun.state.id, path: begun.path, problem: noJob, uploads: ['kept'] },
    expect.objectContaining({ id: '20260101T000000Z-bbbbbb', problem: noFile }),
    { id: '20260101T000000Z-aaaaaa', path, problem: noJob, uploads: [] },
  ])
  await expect(journals.open('20260101T000000Z-a')).rejects.toMatchObject({ code: 'BAD_JOURNAL', exitCode: 2 })
  const device = { code: 'BAD_JOURNAL', facts: { reason: 'it is no file' } }
  await expect(journals.open('/dev/zero')).rejects.toMatchObject(device)
  expect(readFileSync(path, 'utf8')).toBe('nothing of ours\n')
})

describe('a journal that has grown', () => {
  /** Journals that have grown are written anew with what counts: nothing of it is lost, and nobody else's journal is. */

  const KiB = 1024
  const PREFIX = { ...JOB, options: { recursive: 'copy', select: {} } }

  /** What the copy of a large object below a prefix writes down. @param {string} name */
  function factsOf(name, parts = 20) {
    const upload = `upload-of-${name}-${'x'.repeat(60)}`
    return [
      { type: 'object', bytes: parts * 5_242_880, etag: '"0123456789abcdef0123456789abcdef"', lastModifiedMs: 1 },
      { type: 'plan', route: 'multipart', partBytes: 5_242_880, parts },
      { type: 'creating', atMs: 1 },
      { type: 'upload', id: upload, checksums: true, without: ['tags'] },
      ...Array.from({ length: parts }, (_, i) => part(i + 1, upload)),
      { type: 'completing', upload, sums: { crc32: '00000001' } },
    ].map(fact => ({ type: 'of', name, fact }))
  }

  const rangesAt = name => ({ type: 'ranges', ranges: [{ id: 0, after: name }], copied: { objects: 1, bytes: 2 } })

  test('of many large objects, one after the other, the journal stays small and holds what is unfinished', async () => {
    const journals = openAt({ compactBytes: 8 * KiB })
    const journal = await journals.create(PREFIX)
    const sizes = []
    for (const fact of factsOf('hours')) journal.note(fact)
    for (let i = 0; i < 40; i++) {
      for (const fact of [...factsOf(`n${i}`), { type: 'over', name: `n${i}` }, rangesAt(`n${i}`)]) journal.note(fact)
      await journal.flush()
      sizes.push(statSync(journal.path).size)
    }
    await journal.close()
    // Of some 200 KiB.
    expect(Math.max(...sizes)).toBeLessThan(30 * KiB)
    const [{ prefix }] = await journals.list()
    expect([[...prefix.objects.keys()], prefix.objects.get('hours').parts.size]).toEqual([['hours'], 20])
    expect(prefix.ranges).toEqual([{ id: 0, after: 'n39' }])
    expect(readdirSync(dirname(journal.path))).toHaveLength(1)
  })

  test('what was known before is known after, and a second run owns and goes on with it', async () => {
    const home = newFolder()
    const journals = openAt({ home, compactBytes: 2 * KiB })
    const journal = await journals.create(PREFIX)
    const { ino } = statSync(journal.path)
    for (const fact of [...factsOf('a', 3), rangesAt('a'), { type: 'failed', name: 'f' }, ...factsOf('b', 3)])
      await journal.write(fact)
    expect(statSync(journal.path).ino).not.toBe(ino)
    expect(statSync(journal.path).mode & 0o777).toBe(0o600)
    await expect(openAt({ home }).open(journal.state.id)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
    await journal.write({ type: 'over', name: 'a' })
    await journal.close()
    const again = await openAt({ home }).open(journal.state.id)
    expect({ ...again.state, updatedMs: 0 }).toEqual({ ...journal.state, updatedMs: 0 })
    expect([...again.state.prefix.objects.keys()]).toEqual(['b'])
    await again.close()
  })

  test('one that somebody else has written to is not touched', async () => {
    const journal = await openAt({ compactBytes: 2 * KiB }).create(PREFIX)
    appendFileSync(journal.path, 'a line of another one\n')
    for (const fact of [...factsOf('a'), ...factsOf('b')]) await journal.write(fact)
    expect(readFileSync(journal.path, 'utf8')).toContain('a line of another one\n')
    expect(statSync(journal.path).size).toBeGreaterThan(4 * KiB)
    await journal.close()
  })

  test("what one left that was killed doing it is in nobody's way, and goes with the job", async () => {
    const journal = await openAt({ compactBytes: 2 * KiB }).create(PREFIX)
    const temporary = `${journal.path}.new`
    writeFileSync(temporary, 'half')
    for (const fact of factsOf('a')) await journal.write(fact)
    expect(existsSync(temporary)).toBe(false)
    writeFileSync(temporary, 'half')
    await journal.remove()
    expect(existsSync(dirname(journal.path))).toBe(false)
  })
})
