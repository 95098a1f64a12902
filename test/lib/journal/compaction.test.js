'use strict'

/** Journals that have grown are written anew with what counts: nothing of it is lost, and nobody else's journal is. */

const { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { JOB, newFolder, part } = require('./jobs')

const KiB = 1024
const PREFIX = { ...JOB, options: { recursive: 'copy', select: {} } }

/** What the copy of a large object below a prefix writes down. @param {string} name */
function factsOf(name, parts = 20, idLength = 60) {
  const upload = `upload-of-${name}-${'x'.repeat(idLength)}`
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

/** @param {object} [options] */
function openAt({ home = newFolder(), ...options } = {}) {
  return openJournals({ env: { XDG_STATE_HOME: home }, ...options })
}

test('of 500 large objects, one after the other, the journal stays small and holds what is unfinished', async () => {
  const home = newFolder()
  const journals = openAt({ home })
  const journal = await journals.create(PREFIX)
  let most = 0
  let written = 0
  for (const fact of factsOf('hours')) journal.note(fact)
  for (let i = 0; i < 500; i++) {
    const name = `photos/2026/${i}`
    // Long ids, so that few facts are many bytes.
    for (const fact of factsOf(name, 20, 2 * KiB)) {
      journal.note(fact)
      written += JSON.stringify(fact).length
    }
    journal.note({ type: 'over', name })
    if (i % 50 === 0) {
      journal.note(rangesAt(name))
      await journal.flush()
      most = Math.max(most, statSync(journal.path).size)
    }
  }
  await journal.close()
  expect(written).toBeGreaterThan(22 * KiB * KiB)
  // What comes between two flushes is written before the size is looked at.
  expect(most).toBeLessThan(10 * KiB * KiB)
  const [found] = await journals.list()
  expect([...found.prefix.objects.keys()]).toEqual(['hours'])
  expect(found.prefix.objects.get('hours').parts.size).toBe(20)
  expect(found.prefix.ranges).toEqual([{ id: 0, after: 'photos/2026/450' }])
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
  expect(again.state.createdMs).toBe(journal.state.createdMs)
  expect([...again.state.prefix.objects.keys()]).toEqual(['b'])
  await again.close()
})

test('one that is let go of is free, though it was written anew at that moment', async () => {
  const home = newFolder()
  const journal = await openAt({ home, compactBytes: 2 * KiB }).create(PREFIX)
  for (const fact of factsOf('a')) journal.note(fact)
  await journal.flush()
  const { ino } = statSync(journal.path)
  await journal.close()
  expect(statSync(journal.path).ino).not.toBe(ino)
  const again = await openAt({ home }).open(journal.state.id)
  expect(readFileSync(journal.path, 'utf8')).not.toContain('"takes"')
  await again.close()
})

test('the journal of a single object is left as it is', async () => {
  const journal = await openAt().create(JOB)
  const { ino } = statSync(journal.path)
  await journal.write({ type: 'upload', id: 'upload-1', checksums: true })
  for (let n = 1; n <= 10_000; n++) journal.note(part(n))
  await journal.flush()
  journal.note(part(1))
  await journal.flush()
  expect(statSync(journal.path).ino).toBe(ino)
  await journal.close()
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
