'use strict'

const { mkdtempSync, renameSync, statSync, utimesSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { fileEtag, isEtagOf, sourceEtag } = require('../../../lib/files')

const folder = mkdtempSync(join(tmpdir(), 'xfer-etag-'))
const etagOf = path => fileEtag(statSync(path, { bigint: true }))

test('a file has another ETag after it was changed, touched or replaced, and keeps it under another name', () => {
  const path = join(folder, 'file')
  writeFileSync(path, 'one')
  const first = etagOf(path)
  expect(first).toMatch(/^"3-[0-9a-f]+-[0-9a-f]+"$/)
  writeFileSync(path, 'four')
  const longer = etagOf(path)
  utimesSync(path, 1, 1)
  const touched = etagOf(path)
  renameSync(path, `${path} 2`)
  expect(etagOf(`${path} 2`)).toBe(touched)
  writeFileSync(path, 'four')
  utimesSync(path, 1, 1)
  expect(new Set([first, longer, touched, etagOf(path)]).size).toBe(4)
})

test('a file that was changed and got its time back has another ETag as a source', () => {
  const path = join(folder, 'source')
  writeFileSync(path, 'one')
  utimesSync(path, 1, 1)
  const before = statSync(path, { bigint: true })
  let after = before
  // The clock of a file system goes in steps.
  while (after.ctimeNs === before.ctimeNs) {
    writeFileSync(path, 'two')
    utimesSync(path, 1, 1)
    after = statSync(path, { bigint: true })
  }
  expect(fileEtag(after)).toBe(fileEtag(before))
  expect(sourceEtag(after)).not.toBe(sourceEtag(before))
  expect(isEtagOf(sourceEtag(before), after)).toBe(false)
  expect(isEtagOf(sourceEtag(after), after)).toBe(true)
  expect(isEtagOf(fileEtag(after), after)).toBe(true)
})
