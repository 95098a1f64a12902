'use strict'

const { mkdtempSync, renameSync, statSync, utimesSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { fileEtag } = require('../../../lib/files')

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
