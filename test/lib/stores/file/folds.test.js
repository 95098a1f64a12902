'use strict'

/** Whether a file system takes two names for one is found out by files, which do not stay. */

const { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { partialIdOf } = require('../../../../lib/files')
const { openStore, parsePlace } = require('../../../../lib/stores')

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-folds-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const storeOf = path => openStore(parsePlace(path, 'destination'), { side: 'destination', keep: {} })

/** What the file system does with two spellings, by other means than the store's. */
function isOne(name, other) {
  const place = mkdtempSync(join(tmpdir(), 'xfer-spellings-'))
  writeFileSync(join(place, name), '')
  writeFileSync(join(place, other), '')
  const { length } = readdirSync(place)
  rmSync(place, { recursive: true })
  return length === 1
}

test('the store says of its file system what is so, and leaves nothing', async () => {
  const expected = { case: isOne('a', 'A'), unicode: isOne('\u00e9', 'e\u0301') }
  expect(await storeOf(`${folder}/`).folds()).toEqual(expected)
  expect(readdirSync(folder)).toEqual([])
})

test('the folder above is asked for one that is not there yet, which is not made', async () => {
  expect(await storeOf(`${folder}/not/there/`).folds()).toEqual(expect.objectContaining({ case: expect.any(Boolean) }))
  expect(readdirSync(folder)).toEqual([])
})

const onLinux = process.platform === 'linux' ? test : test.skip
onLinux('where no file can be made, nobody knows', async () => {
  expect(await storeOf('/proc/self/').folds()).toBeUndefined()
})

test('what a killed process leaves of it is no object, and is found as a partial file', async () => {
  const { pending } = storeOf(`${folder}/`).upload
  for (const letter of ['\u00e9', 'e\u0301']) {
    const name = `.xfer-0123456789abcdef${letter}.partial`
    expect(partialIdOf(name)).toBe(`0123456789abcdef${letter}`)
    writeFileSync(join(folder, name), '')
  }
  mkdirSync(join(folder, 'below'))
  const store = storeOf(`${folder}/`)
  const prefix = `${folder.slice(1)}/`
  expect((await store.list({ prefix })).objects).toEqual([])
  const { uploads } = await pending({ prefix })
  for (const { key, id } of uploads) await store.upload.abort({ key, uploadId: id })
  expect(readdirSync(folder)).toEqual(['below'])
})
