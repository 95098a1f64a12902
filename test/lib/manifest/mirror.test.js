'use strict'

/** A manifest whose lines lie beside its job in a store: several runs write it, each on a machine of its own. */

const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { createMirror, openManifestOut } = require('../../../lib/manifest')
const { newFolder } = require('../../support/folder')
const { createRiggedBucket } = require('../../support/rigged-bucket')

/** A run on a machine of its own. @param {import('../../../lib/types').Bucket} bucket @param {(name: string) => boolean} isOpen */
async function run(bucket, isOpen) {
  const path = join(newFolder(), 'out.ndjson')
  const head = { job: 'j', source: 's3://a/', destination: 's3://b/', began: 'now' }
  const mirror = createMirror(bucket, 'j')
  const manifest = await openManifestOut({ path, csv: false, head, goesOn: false, mirror })
  await manifest.begin(isOpen, error => {
    throw error
  })
  const lines = () => readFileSync(path, 'utf8').trim().split('\n')
  const wordsOf = ({ action, name, etag }) => (action ? [[action, name, etag].join(' ').trim()] : [])
  const named = () => lines().flatMap(line => wordsOf(JSON.parse(line)))
  return { manifest, mirror, named, path }
}
const copied = etag => ({ bytes: 1, etag, proof: ['store-crc32'] })
const ALL = () => true
const NONE = () => false

test('a name that a later run deals with again has its line alone, whichever machine seals it', async () => {
  const { bucket } = createRiggedBucket()
  const first = await run(bucket, ALL)
  first.manifest.failed('x', 'PART_FAILED')
  first.manifest.copied('copy', 'y', copied('"1"'))
  await first.manifest.sync()
  const second = await run(bucket, ALL)
  second.manifest.copied('copy', 'x', copied('"2"'))
  second.manifest.copied('copy', 'y', copied('"2"'))
  await second.manifest.sync()
  const third = await run(bucket, NONE)
  await third.manifest.end('done')
  expect(third.named().sort()).toEqual(['copy x "2"', 'copy y "2"'])
})

test('what is about to be deleted, also while lines are written, is known to the next machine', async () => {
  const { bucket, rule } = createRiggedBucket()
  const first = await run(bucket, ALL)
  first.manifest.intend('delete', 'extra')
  rule({ call: 'putNew', of: 'manifests/j/', before: () => first.manifest.intend('delete', 'more') })
  await first.manifest.sync()
  const next = await run(bucket, ALL)
  await next.manifest.end('done')
  expect(next.named()).toEqual(['delete extra', 'delete more'])
})

test('many lines are several pieces, of which each can be read', async () => {
  const { bucket, objects } = createRiggedBucket()
  const first = await run(bucket, ALL)
  const names = Array.from({ length: 30_000 }, (_, i) => `name-${i}-${'x'.repeat(60)}`)
  for (const name of names) first.manifest.copied('copy', name, copied('"1"'))
  await Promise.all([first.manifest.sync(), first.manifest.sync()])
  expect(Math.max(...[...objects.values()].map(({ length }) => length))).toBeLessThan(3 * 1024 ** 2)
  expect(objects.size).toBeGreaterThan(1)
  const next = await run(bucket, NONE)
  await next.manifest.end('done')
  expect(next.named()).toHaveLength(names.length)
  await next.mirror.remove()
  expect(objects.size).toBe(0)
  expect(existsSync(next.path)).toBe(true)
})
