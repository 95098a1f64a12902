'use strict'

/** In a process of its own: what reads Parquet is an ES module, which this test runner does not load. */

const { execFileSync } = require('node:child_process')
const { join } = require('node:path')

const ROOT = join(__dirname, '..', '..', '..')

const SCRIPT = `
const { openManifest } = require('./lib/manifest')
async function rowsFrom(from) {
  const { files, close } = await openManifest('test/e2e/inventory/rows.parquet', {})
  const numbers = []
  for await (const { first, rows } of files[0].batches(await files[0].open(), from)) {
    numbers.push(...rows.map((_, i) => first + i))
  }
  await close()
  return numbers
}
Promise.all([1, 2, 3, 4, 5].map(rowsFrom)).then(found => console.log(JSON.stringify(found)))
`

test('Parquet is read from any row on, and no group before it', () => {
  // Five rows, in groups of two.
  const found = JSON.parse(execFileSync(process.execPath, ['-e', SCRIPT], { cwd: ROOT, encoding: 'utf8' }))
  expect(found).toEqual([[1, 2, 3, 4, 5], [2, 3, 4, 5], [3, 4, 5], [4, 5], [5]])
})
