'use strict'

/** What platforms make of the action's source and environment. */

const { cpSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { main } = require('../../actions/copy-range')
const { VERSION } = require('../../actions/copy-range/failure')
const { newFolder } = require('../support/folder')

const SOURCE = join(__dirname, '..', '..', 'actions', 'copy-range')

test('the ActionLoop of Apache OpenServerless appends a line to index.js, and the action runs', async () => {
  const folder = newFolder()
  cpSync(SOURCE, folder, { recursive: true })
  const file = join(folder, 'index.js')
  const text = readFileSync(file, 'utf8')
  // Its bin/compile: unless that line is there already.
  if (!/^module\.exports = main$/m.test(text)) writeFileSync(file, `${text}\nmodule.exports = main\n`)
  const run = require(folder)
  expect(await run({ version: VERSION, tasks: [] })).toMatchObject({ version: VERSION, outcomes: [] })
  expect(await run({})).toEqual({ error: expect.stringContaining('interface version') })
})

test('of activations in one container each has its own end', async () => {
  const task = { partNumber: 1, bytes: 1, sums: [], expect: { etag: '"a"', totalBytes: 1 } }
  const request = { method: 'GET', url: 'http://127.0.0.1:9/', headers: {} }
  const params = { version: VERSION, tasks: [{ ...task, read: request }] }
  const before = process.env.__OW_DEADLINE
  try {
    // The runtime sets it, and then calls main, for each activation.
    process.env.__OW_DEADLINE = String(Date.now() + 100)
    const late = main(params)
    process.env.__OW_DEADLINE = String(Date.now() + 60_000)
    const early = main(params)
    const [one, other] = await Promise.all([late, early])
    expect(one.outcomes[0].error.code).toBe('NOT_STARTED')
    expect(other.outcomes[0].error.code).not.toBe('NOT_STARTED')
  } finally {
    if (before === undefined) delete process.env.__OW_DEADLINE
    else process.env.__OW_DEADLINE = before
  }
})
