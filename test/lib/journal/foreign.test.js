'use strict'

/** Files in the folder of jobs that are no journals, or journals of other jobs: a command reads no more of them than it has to. */

const { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { JOB, newFolder } = require('./jobs')

const MiB = 1024 ** 2
const OTHER = { ...JOB, source: { text: 's3://other/x', place: 'other' } }
const COUNTED = existsSync('/proc/self/io')

/** Bytes that this process has read of files so far. */
const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))[1])

/** @param {string} home */
function openAt(home) {
  const unread = []
  const journals = openJournals({ env: { XDG_STATE_HOME: home }, onUnread: error => unread.push(error) })
  mkdirSync(journals.folder, { recursive: true })
  return { journals, unread }
}

/** @param {() => Promise<any>} work @param {number} most bytes that it may read */
async function readingAtMost(most, work) {
  const before = COUNTED ? bytesRead() : 0
  const result = await work()
  if (COUNTED) expect(bytesRead() - before).toBeLessThan(most)
  return result
}

describe('a large file that is no journal', () => {
  test.each([
    ['zeros', path => truncateSync(path, 250 * MiB)],
    ['line ends', path => appendFileSync(path, Buffer.alloc(16 * MiB, '\n'))],
  ])('of %s costs a look at its beginning, and is told', async (_, fill) => {
    const { journals, unread } = openAt(newFolder())
    const path = join(journals.folder, 'image.journal')
    writeFileSync(path, '')
    fill(path)
    expect(await readingAtMost(4 * MiB, () => journals.find(JOB))).toEqual([])
    expect(unread).toMatchObject([{ code: 'BAD_JOURNAL', facts: { path } }])
    const listed = await readingAtMost(4 * MiB, () => journals.list())
    expect(listed).toEqual([{ id: 'image', path, problem: expect.stringContaining('was not read') }])
  })
})

test("a large journal of another job is not read when one's own is looked for", async () => {
  const { journals, unread } = openAt(newFolder())
  const other = await journals.create(OTHER)
  await other.close()
  appendFileSync(other.path, Buffer.alloc(64 * MiB))
  const ours = await journals.create(JOB)
  await ours.close()
  const found = await readingAtMost(8 * MiB, () => journals.find(JOB))
  expect(found.map(({ id }) => id)).toEqual([ours.state.id])
  expect(unread).toEqual([])
})

test('a small journal whose first line is damaged is found by its others', async () => {
  const { journals } = openAt(newFolder())
  const journal = await journals.create(JOB)
  const { id, source, destination, options } = journal.state
  await journal.write({ type: 'job', version: 1, id, source, destination, options })
  await journal.close()
  const bytes = readFileSync(journal.path)
  bytes[0] ^= 1
  writeFileSync(journal.path, bytes)
  expect((await journals.find(JOB)).map(found => found.id)).toEqual([id])
})
