'use strict'

/** Files of this machine: their ETags, their folders, and how they get their names. */

const fs = require('node:fs')
const { join } = require('node:path')

let mockLinks = true
/** What Linux tells of mounts, where a rename is refused. */
let mockMounts
jest.mock('node:fs/promises', () => {
  const real = jest.requireActual('node:fs/promises')
  // A file system without hard links answers so.
  const refused = () => Object.assign(new Error('no hard links'), { code: 'ENOTSUP' })
  const busy = () => Object.assign(new Error('busy'), { code: 'EBUSY' })
  return {
    ...real,
    link: async (from, to) => (mockLinks ? await real.link(from, to) : Promise.reject(refused())),
    rename: async (from, to) => (mockMounts === undefined ? await real.rename(from, to) : Promise.reject(busy())),
    readFile: async () => mockMounts.shift(),
  }
})

const { fileEtag, isEtagOf, publish, sourceEtag, useFolder } = require('../../../lib/files')
const { newFolder } = require('../../support/folder')

const home = fs.realpathSync(newFolder())
const statsOf = path => fs.statSync(path, { bigint: true })
const etagOf = path => fileEtag(statsOf(path))

test('a file has another ETag after it was changed, touched or replaced, and keeps it under another name', () => {
  const path = join(home, 'file')
  fs.writeFileSync(path, 'one')
  const first = etagOf(path)
  expect(first).toMatch(/^"3-[0-9a-f]+-[0-9a-f]+"$/)
  fs.writeFileSync(path, 'four')
  const longer = etagOf(path)
  fs.utimesSync(path, 1, 1)
  const touched = etagOf(path)
  fs.renameSync(path, `${path} 2`)
  expect(etagOf(`${path} 2`)).toBe(touched)
  fs.writeFileSync(path, 'four')
  fs.utimesSync(path, 1, 1)
  expect(new Set([first, longer, touched, etagOf(path)]).size).toBe(4)
})

test('a file that was changed and got its time back has another ETag as a source', () => {
  const path = join(home, 'source')
  fs.writeFileSync(path, 'one')
  fs.utimesSync(path, 1, 1)
  const before = statsOf(path)
  let after = before
  // The clock of a file system goes in steps.
  while (after.ctimeNs === before.ctimeNs) {
    fs.writeFileSync(path, 'two')
    fs.utimesSync(path, 1, 1)
    after = statsOf(path)
  }
  expect(fileEtag(after)).toBe(fileEtag(before))
  expect(sourceEtag(after)).not.toBe(sourceEtag(before))
  const tags = [sourceEtag(before), sourceEtag(after), fileEtag(after)]
  expect(tags.map(tag => isEtagOf(tag, after))).toEqual([false, true, true])
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

describe('a complete file gets its name', () => {
  let folder = ''
  beforeEach(() => {
    folder = fs.mkdtempSync(join(home, 'f-'))
    fs.writeFileSync(at('partial'), 'new')
  })

  const at = name => join(folder, name)
  const write = (name, text) => fs.writeFileSync(at(name), text)
  /** All files with their texts. */
  const files = () => Object.fromEntries(fs.readdirSync(folder).map(name => [name, fs.readFileSync(at(name), 'utf8')]))

  describe.each(['with', 'without'])('%s hard links', how => {
    beforeEach(() => {
      mockLinks = how === 'with'
    })
    const publishNew = name => publish(at(name), at('file'), { ifNoneMatch: true })

    test('a new name is given', async () => {
      await publishNew('partial')
      expect(files()).toEqual({ file: 'new' })
    })

    test('a name that exists is refused, and both files stay', async () => {
      write('file', 'old')
      await expect(publishNew('partial')).rejects.toMatchObject({ code: 'EXISTS' })
      expect(files()).toEqual({ file: 'old', partial: 'new' })
    })

    test('one of many gets a new name', async () => {
      const partials = Array.from({ length: 20 }, (_, index) => `partial-${index}`)
      for (const name of partials) write(name, name)
      const results = await Promise.allSettled(partials.map(publishNew))
      const [given, ...more] = partials.filter((_, index) => results[index].status === 'fulfilled')
      const others = partials.filter(name => name !== given)
      expect(more).toEqual([])
      expect(files()).toEqual({ file: given, partial: 'new', ...Object.fromEntries(others.map(name => [name, name])) })
    })

    test('a partial file that is gone leaves no empty file', async () => {
      await expect(publishNew('gone')).rejects.toMatchObject({ code: 'ENOENT' })
      expect(files()).toEqual({ partial: 'new' })
    })
  })

  test('a file is replaced if it has the ETag', async () => {
    write('file', 'old')
    await publish(at('partial'), at('file'), { ifMatch: etagOf(at('file')) })
    expect(files()).toEqual({ file: 'new' })
  })

  test.each([
    ['is another', () => write('file', 'longer')],
    ['is gone', () => fs.rmSync(at('file'))],
  ])('a file that %s is not replaced', async (_, change) => {
    write('file', 'old')
    const ifMatch = etagOf(at('file'))
    change()
    const before = files()
    await expect(publish(at('partial'), at('file'), { ifMatch })).rejects.toMatchObject({ code: 'CHANGED' })
    expect(files()).toEqual(before)
  })

  test.each([
    ['a mount point', '701', 'MOUNT'],
    ['open elsewhere, on SMB', '70', 'EBUSY'],
  ])('a file is not replaced that is %s', async (_, own, code) => {
    write('a file', 'old')
    mockMounts = [own, '70'].map(id => `pos:\t0\nmnt_id:\t${id}\n`)
    await expect(publish(at('partial'), at('a file'))).rejects.toMatchObject({ code })
    mockMounts = undefined
  })

  test('a folder is not replaced', async () => {
    fs.mkdirSync(at('file'))
    await expect(publish(at('partial'), at('file'))).rejects.toMatchObject({ code: 'EISDIR' })
  })
})
