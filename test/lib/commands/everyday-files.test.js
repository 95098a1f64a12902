'use strict'

/** The commands about one location, where it is a path. */

const { mkdtempSync, mkdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy, head, list } = require('../../../lib')

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-everyday-'))
  mkdirSync(join(folder, 'dir', 'sub'), { recursive: true })
  writeFileSync(join(folder, 'dir', 'one'), 'x')
  writeFileSync(join(folder, 'dir', 'sub', 'two'), 'yy')
  writeFileSync(join(folder, 'dirt'), 'zzz')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function named(entries) {
  const found = []
  for await (const { type, name, location } of entries) found.push([type, name, location])
  return found
}

describe('files', () => {
  it('have an ETag that a condition takes, until they change', async () => {
    const [from, to] = ['one', 'target'].map(name => join(folder, 'etag', name))
    mkdirSync(join(folder, 'etag'))
    for (const path of [from, to]) writeFileSync(path, path)
    const { etag } = await head(to)
    const options = { engine: 'local', env: { XDG_STATE_HOME: join(folder, 'etag', 'state') }, ifMatch: etag }
    await expect(copy(from, to, options)).resolves.toMatchObject({ bytes: from.length })
    await expect(copy(from, to, options)).rejects.toMatchObject({ code: 'DESTINATION_CHANGED' })
    rmSync(join(folder, 'etag'), { recursive: true })
  })

  it('are listed by what is in a folder, with a slash at its end or without', async () => {
    const level = [
      ['object', 'one', join(folder, 'dir', 'one')],
      ['prefix', 'sub/', `${join(folder, 'dir', 'sub')}/`],
    ]
    expect(await named(list(join(folder, 'dir')))).toEqual(level)
    expect(await named(list(`${join(folder, 'dir')}/`))).toEqual(level)
    expect(await named(list(`file://${join(folder, 'dir')}`))).toEqual(level)
  })

  it('are listed by the beginning of their name where that is no folder', async () => {
    expect((await named(list(join(folder, 'di')))).map(([type, name]) => [type, name])).toEqual([
      ['prefix', 'dir/'],
      ['object', 'dirt'],
    ])
    expect((await named(list(folder, { recursive: true }))).map(([, name]) => name)).toEqual([
      'dir/one',
      'dir/sub/two',
      'dirt',
    ])
  })
})
