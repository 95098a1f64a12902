'use strict'

/** A disk that is full, a file that may not be written, a power cut: what is on the disk is true, and the copy goes on. */

const { appendFileSync, readFileSync, truncateSync, writeFileSync } = require('node:fs')
const { open } = require('node:fs/promises')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { fileLog } = require('../../../lib/journal/file')
const { createAppender } = require('../../../lib/journal/journal')
const { decodeLines } = require('../../../lib/journal/facts')
const { FACTS, JOB, newFolder, part } = require('./jobs')
const { startRun } = require('./processes')

const MOST_BYTES = 16 * 1024

const parts = Array.from({ length: 1000 }, (_, i) => part(i + 1))

test('a disk that gets full is told once, and leaves a journal that can be gone on with', async () => {
  const home = newFolder()
  const run = await startRun(home, { limit: `ulimit -f ${MOST_BYTES / 1024}` })
  const { id, path } = (await run.ask('create', JOB)).answer
  for (const fact of FACTS.slice(0, 8)) await run.ask('write', fact)
  for (let i = 0; i < parts.length; i += 100) {
    await run.ask('note', parts.slice(i, i + 100))
    await run.ask('flush')
  }
  expect(readFileSync(path)).toHaveLength(MOST_BYTES)
  const told = { code: 'BAD_JOURNAL', message: `The journal ${path} cannot be used: it cannot be written (EFBIG).` }
  expect(await run.ask('trouble')).toEqual({ answer: [told] })
  // Who has to know whether it is on the disk is told that it is not.
  expect(await run.ask('write', { type: 'completing', upload: 'upload-1', sums: { crc32: '00000001' } })).toEqual(told)
  expect(await run.ask('close')).toEqual({})
  expect(await run.ask('trouble')).toEqual({ answer: [told] })
  await run.end()

  const journals = openJournals({ env: { XDG_STATE_HOME: home } })
  const journal = await journals.open(id)
  const { size } = journal.state.parts
  expect(size).toBeGreaterThan(50)
  expect(size).toBeLessThan(1000)
  expect([...journal.state.parts.keys()]).toEqual(parts.slice(0, size).map(({ partNumber }) => partNumber))
  expect(journal.state.completing).toBeUndefined()
  for (const fact of parts.slice(size)) journal.note(fact)
  await journal.close()
  expect((await journals.list())[0].parts.size).toBe(1000)
})

test('what a write left out is on the disk with the next one, and a line cut short is no damage to the others', async () => {
  const path = join(newFolder(), 'file')
  writeFileSync(path, '')
  const handle = await open(path, 'a')
  let failures = 0
  const failing = {
    async write(bytes, offset, length, position) {
      if (failures === 0) return handle.write(bytes, offset, length, position)
      if (--failures % 2) return handle.write(bytes, offset, 7, position)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
    datasync: () => handle.datasync(),
  }
  const appender = createAppender(fileLog(failing, path))
  await appender.append('one\n')
  failures = 2
  const both = Promise.all([appender.append('second\n'), appender.append('third\n')])
  await expect(both).rejects.toMatchObject({ code: 'ENOSPC' })
  await appender.append('fourth\n')
  await appender.settle()
  expect(readFileSync(path, 'utf8')).toBe('one\nsecond\n\nsecond\nthird\nfourth\n')
  await handle.close()
})

test('what comes while a write fails is written behind it', async () => {
  const writes = []
  let fail
  const log = {
    async append(text) {
      if (writes.push(text) > 1) return
      await new Promise((_, reject) => {
        fail = reject
      })
    },
  }
  const appender = createAppender(log)
  const first = appender.append('one\n')
  while (!fail) await new Promise(setImmediate)
  const second = appender.append('two\n')
  fail(new Error('full'))
  await Promise.allSettled([first, second])
  await appender.append('three\n').catch(() => appender.settle())
  expect(writes.slice(1).join('')).toBe('one\ntwo\nthree\n')
})

test('what a flush did not take to the disk is written again', async () => {
  const path = join(newFolder(), 'file')
  writeFileSync(path, '')
  const handle = await open(path, 'a')
  let flushes = 0
  const failing = {
    write: handle.write.bind(handle),
    async datasync() {
      if (flushes++ === 0) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    },
  }
  const appender = createAppender(fileLog(failing, path))
  await expect(appender.append('one\n')).rejects.toMatchObject({ code: 'EIO' })
  await appender.append('two\n')
  expect(readFileSync(path, 'utf8').split('\n').filter(Boolean)).toEqual(['one', 'one', 'two'])
  await handle.close()
})

test('a journal whose last line a power cut took half of is gone on with behind it', async () => {
  const home = newFolder()
  const run = await startRun(home)
  const { id, path } = (await run.ask('create', JOB)).answer
  for (const fact of FACTS) await run.ask('write', fact)
  await run.kill()
  truncateSync(path, readFileSync(path).length - 20)
  // Whose last blocks were promised, and never written.
  appendFileSync(path, Buffer.alloc(100))
  const journals = openJournals({ env: { XDG_STATE_HOME: home } })
  const again = await journals.open(id)
  expect(again.state.completing).toBeUndefined()
  expect(again.state.parts.size).toBe(3)
  await again.write({ type: 'completing', upload: 'upload-1', sums: { crc32: '00000008' } })
  await again.close()
  const found = { completing: { sums: { crc32: '00000008' } }, damaged: 1, running: false }
  expect(await journals.list()).toMatchObject([found])
  expect(decodeLines(readFileSync(path)).whole).toBe(true)
})
