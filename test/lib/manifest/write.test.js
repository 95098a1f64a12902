'use strict'

/** A manifest that several runs of a job write. */

const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { openManifestOut } = require('../../../lib/manifest/write')

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-manifest-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** @param {boolean} goesOn */
async function run(goesOn) {
  const path = join(folder, 'out.ndjson')
  const head = { job: 'j', source: 's3://a/', destination: 's3://b/', from: 'now' }
  const manifest = await openManifestOut({ path, csv: false, head, goesOn })
  // All that earlier runs have dealt with is done.
  await manifest.begin(
    () => false,
    fail => {
      throw fail
    },
  )
  return {
    manifest,
    lines: () =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
}

const copied = etag => ({ bytes: 1, etag, proof: ['store-crc32'] })
/** Lines say the time in milliseconds. */
const later = () => new Promise(resolve => setTimeout(resolve, 5))

test('a name that a later run copies again has the newest line alone, also if that run was killed', async () => {
  const first = await run(false)
  first.manifest.copied('copy', 'n', copied('"v1"'))
  first.manifest.copied('copy', 'm', copied('"v1"'))
  await first.manifest.sync()
  await later()
  const second = await run(true)
  // Killed before its line was in the file.
  second.manifest.copied('copy', 'n', copied('"v2"'))
  const third = await run(true)
  third.manifest.skipped({ name: 'n', destination: { key: 'n', etag: '"v2"' } }, 'earlier')
  await later()
  third.manifest.copied('copy', 'm', copied('"v3"'))
  await third.manifest.end('done')
  const named = third.lines().filter(({ name }) => name !== undefined)
  expect(named.map(({ name, etag }) => [name, etag]).sort()).toEqual([
    ['m', '"v3"'],
    ['n', '"v2"'],
  ])
  const seal = third.lines().at(-1)
  expect(seal).toMatchObject({ type: 'seal', result: 'done' })
})
