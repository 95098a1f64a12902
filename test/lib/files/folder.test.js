'use strict'

const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { newPartialId, partialIdOf, partialName, useFolder } = require('../../../lib/files')

const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'xfer-folder-')))
afterAll(() => fs.rmSync(home, { recursive: true }))

test('a partial file is known by its name, and its id never made twice', () => {
  const ids = [newPartialId('a'), newPartialId('a')]
  expect(ids[0]).not.toBe(ids[1])
  const names = ids.map(partialName)
  expect(names.map(partialIdOf)).toEqual(ids)
  const others = ['.xfer-.partial', `x${names[0]}`, `${names[0]}~`, 'file']
  expect(others.map(partialIdOf)).toEqual(others.map(() => undefined))
})

test.each([
  ['the root itself', 'root', true],
  ['below it', 'root/a', true],
  ['a name that begins with two dots', 'root/..a', true],
  ['above it', '.', false],
  ['beside it, with a name that begins like it', 'root2', false],
])('%s is within a root: %s is %s', async (_, name, within) => {
  for (const folder of ['root/a', 'root/..a', 'root2']) fs.mkdirSync(join(home, folder), { recursive: true })
  const using = useFolder(join(home, name), { root: join(home, 'root') })
  if (!within) return expect(using).rejects.toMatchObject({ code: 'OUTSIDE' })
  const folder = await using
  fs.writeFileSync(folder.at('x'), 'x')
  expect(fs.existsSync(join(home, name, 'x'))).toBe(true)
  folder.release()
})

test('tasks that need a folder at once make it once, and all get it', async () => {
  const root = join(home, 'made')
  const path = join(root, 'a/b/c')
  const folders = await Promise.all(Array.from({ length: 20 }, () => useFolder(path, { root, make: true })))
  expect(new Set(folders.map(({ at }) => at('x'))).size).toBe(1)
  for (const { release } of folders) release()
})

test('who comes after a failure tries again', async () => {
  const root = join(home, 'later')
  fs.mkdirSync(root)
  await expect(useFolder(join(root, 'a'), { root })).rejects.toMatchObject({ code: 'ENOENT' })
  fs.mkdirSync(join(root, 'a'))
  const folder = await useFolder(join(root, 'a'), { root })
  folder.release()
})

test('the sync of a folder is shared by those who ask before it has begun', async () => {
  const folder = await useFolder(home)
  const first = folder.sync()
  expect(folder.sync()).toBe(first)
  await first
  const next = folder.sync()
  expect(next).not.toBe(first)
  await next
  folder.release()
})
