'use strict'

const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

let links = true
jest.mock('node:fs', () => {
  const real = jest.requireActual('node:fs')
  // A file system without hard links answers so.
  const refused = () => Object.assign(new Error('no hard links'), { code: 'ENOTSUP' })
  return { ...real, link: (from, to, done) => (mockLinks() ? real.link(from, to, done) : done(refused())) }
})
const mockLinks = () => links

const { fileEtag } = require('../../../lib/files')
const { publish } = require('../../../lib/files/publish')

const home = fs.mkdtempSync(join(tmpdir(), 'xfer-publish-'))
afterAll(() => fs.rmSync(home, { recursive: true }))

let folder = ''
beforeEach(() => {
  folder = fs.mkdtempSync(join(home, 'f-'))
  fs.writeFileSync(at('partial'), 'new')
})

const at = name => join(folder, name)
const read = name => fs.readFileSync(at(name), 'utf8')
const names = () => fs.readdirSync(folder)
const etagOf = name => fileEtag(fs.lstatSync(at(name), { bigint: true }))

describe.each([
  ['with hard links', true],
  ['without hard links', false],
])('%s', (_, has) => {
  beforeEach(() => {
    links = has
  })

  test('a new name is given', async () => {
    await publish(at('partial'), at('file'), { ifNoneMatch: true })
    expect(names()).toEqual(['file'])
    expect(read('file')).toBe('new')
  })

  test('a name that exists is refused, and both files stay', async () => {
    fs.writeFileSync(at('file'), 'old')
    await expect(publish(at('partial'), at('file'), { ifNoneMatch: true })).rejects.toMatchObject({ code: 'EXISTS' })
    expect([read('file'), read('partial')]).toEqual(['old', 'new'])
  })

  test('one of many gets a new name', async () => {
    const partials = Array.from({ length: 20 }, (_, index) => `partial-${index}`)
    for (const name of partials) fs.writeFileSync(at(name), name)
    const publishing = partials.map(name => publish(at(name), at('file'), { ifNoneMatch: true }))
    const results = await Promise.allSettled(publishing)
    const given = partials.filter((_, index) => results[index].status === 'fulfilled')
    expect(given).toHaveLength(1)
    expect(read('file')).toBe(given[0])
    expect(names()).toHaveLength(1 + 1 + partials.length - 1)
  })

  test('a partial file that is gone leaves no empty file', async () => {
    await expect(publish(at('gone'), at('file'), { ifNoneMatch: true })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(names()).toEqual(['partial'])
  })
})

test('a file is replaced if it has the ETag', async () => {
  fs.writeFileSync(at('file'), 'old')
  await publish(at('partial'), at('file'), { ifMatch: etagOf('file') })
  expect(names()).toEqual(['file'])
  expect(read('file')).toBe('new')
})

test.each([
  ['is another', () => fs.writeFileSync(at('file'), 'longer')],
  ['is gone', () => fs.rmSync(at('file'))],
])('a file that %s is not replaced', async (_, change) => {
  fs.writeFileSync(at('file'), 'old')
  const ifMatch = etagOf('file')
  change()
  const before = names()
  await expect(publish(at('partial'), at('file'), { ifMatch })).rejects.toMatchObject({ code: 'CHANGED' })
  expect(names()).toEqual(before)
})

test('a folder is not replaced', async () => {
  fs.mkdirSync(at('file'))
  await expect(publish(at('partial'), at('file'))).rejects.toMatchObject({ code: 'EISDIR' })
})
