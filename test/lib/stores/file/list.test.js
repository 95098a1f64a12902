'use strict'

const { execFileSync } = require('node:child_process')
const { mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { openStore, parsePlace } = require('../../../../lib/stores')
const { makeHome } = require('../../../support/home')
const { all } = require('../../../support/stores')
const { byBytes } = require('../../listing/names')

let root
beforeEach(() => {
  root = makeHome({})
})

/** @param {...(string | Buffer)} names of files that are made */
function make(...names) {
  for (const name of names) {
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)])
    mkdirSync(dirname(path.toString()), { recursive: true })
    writeFileSync(path, 'x')
  }
}

const open = (options = {}, side = 'source') =>
  openStore(parsePlace(`${root}/`, side, { containerAlone: true }), { side, followLinks: false, keep: {}, ...options })

/** Names below the root, and what was left out. */
async function namesBelow({ prefix = '', after = '', most, skips, ...options } = {}) {
  const store = open(options)
  const list = { prefix: `${root.slice(1)}/${prefix}`, after: after && `${root.slice(1)}/${after}`, most, skips }
  const { entries } = await all(marker => store.list({ ...list, marker }), 'objects')
  const names = entries.filter(({ doubtful }) => !doubtful).map(({ key }) => key.slice(root.length))
  return { names, odd: entries.length - names.length, notices: store.notices().map(({ code }) => code) }
}

test('whole keys come in the order of their UTF-8 bytes, whatever folders they are in', async () => {
  const names = ['a', 'a!b', 'b/1', 'b/c/d', 'b-/1', 'b0', 'ä/1', '\ufb01', '😀/x', 'B/1', ' ']
  make(...names)
  const sorted = [...names].sort(byBytes)
  for (const most of [1, 2, 3, 1000]) expect((await namesBelow({ most })).names).toEqual(sorted)
})

test.each([
  ['a part of a name', { prefix: 'in/a' }, ['in/a', 'in/ab/c']],
  ['a folder', { prefix: 'in/' }, ['in/a', 'in/ab/c', 'in/b']],
  ['a folder that is not there', { prefix: 'nothing/' }, []],
  ['a folder that is a file', { prefix: 'other/' }, []],
  ['what is behind a name that is not there', { after: 'in/ab/0' }, ['in/ab/c', 'in/b', 'other']],
])('a list begins with %s', async (_, asked, names) => {
  make('in/a', 'in/ab/c', 'in/b', 'other')
  expect((await namesBelow(asked)).names).toEqual(names)
})

test('links, pipes, empty folders and partial files are no objects', async () => {
  make('a', '.xfer-0123456789abcdef.partial', '.xfer-not.partial')
  mkdirSync(join(root, 'empty'))
  symlinkSync('a', join(root, 'link'))
  symlinkSync('/etc', join(root, 'out'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  const notices = ['FILES_SKIPPED', 'FILES_SKIPPED']
  expect(await namesBelow()).toMatchObject({ names: ['.xfer-not.partial', 'a'], notices })
})

test('a folder of which nothing is wanted is not opened', async () => {
  make('a/1', 'b/1', 'b/c/1')
  for (const folder of ['a', 'b/c']) symlinkSync('1', join(root, folder, 'link'))
  const skips = key => ['a/', 'b/c/'].includes(key.slice(root.length))
  expect(await namesBelow({ skips })).toMatchObject({ names: ['b/1'], notices: [] })
})

test('links are followed where that is asked for, and one that leads back is not', async () => {
  make('dir/a')
  symlinkSync('dir/a', join(root, 'file'))
  symlinkSync('dir', join(root, 'folder'))
  symlinkSync('..', join(root, 'dir', 'up'))
  symlinkSync('nowhere', join(root, 'broken'))
  const names = ['dir/a', 'file', 'folder/a']
  expect(await namesBelow({ followLinks: true })).toMatchObject({ names, notices: ['FILES_SKIPPED'] })
})

test('a link whose target cannot be looked at ends the list: it is not taken for one that leads nowhere', async () => {
  make('a')
  symlinkSync('n'.repeat(256), join(root, 'link'))
  await expect(namesBelow({ followLinks: true })).rejects.toMatchObject({ facts: { storeCode: 'ENAMETOOLONG' } })
})

test('what lists leave out is known by its key, and by those behind it', async () => {
  make('dir/a')
  symlinkSync('dir', join(root, 'folder'))
  symlinkSync('dir/a', join(root, 'file'))
  symlinkSync('nowhere', join(root, 'broken'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  /** @param {string[]} names @param {object} [options] */
  const leftOut = async (names, options) => {
    const found = await Promise.all(names.map(name => open(options).leavesOut(`${root.slice(1)}/${name}`)))
    return names.filter((_, index) => found[index])
  }
  const links = ['folder', 'folder/a', 'folder/gone', 'folder/', 'file', 'broken', 'broken/x', 'pipe']
  const gone = ['gone', 'dir', 'dir/', 'dir/gone', 'dir/a/b', 'dir/a/', 'dir//a', 'dir/../file']
  expect(await leftOut([...links, ...gone])).toEqual(links)
  const followed = ['folder/a', 'file', 'broken', 'broken/x', 'pipe']
  expect(await leftOut([...links, ...gone], { followLinks: true })).toEqual(followed)
})

test('a name that is no UTF-8 is told, and the others are listed', async () => {
  make(Buffer.from([0x61, 0xff]), 'b', '\ufffd')
  expect(await namesBelow()).toMatchObject({ names: ['b', '\ufffd'], odd: 1 })
})

test('a source folder that is missing is an error, and a destination folder is empty', async () => {
  rmSync(root, { recursive: true })
  const list = { prefix: `${root.slice(1)}/` }
  const missing = { code: 'NO_SUCH_BUCKET', message: `There is no source folder ${root}.` }
  await expect(open().list(list)).rejects.toMatchObject(missing)
  expect(await open({}, 'destination').list(list)).toEqual({ objects: [], next: undefined })
})
