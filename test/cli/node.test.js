'use strict'

/** What the program says of a Node.js that it cannot run on. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { runXfer } = require('../support/run-xfer')

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-node-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the program on a Node.js that calls itself so. @param {string} version @param {string[]} args */
async function runOn(version, args) {
  const preload = join(folder, `${version}.js`)
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  )
  return await runXfer(args, { nodeArgs: ['--require', preload] })
}

test.each(['18.20.8', '20.18.3', '8.17.0'])('Node.js %s is too old, in one sentence', async version => {
  for (const args of [['--version'], ['copy', 's3://a/b', 's3://c/d', '--json']]) {
    expect(await runOn(version, args)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: `xfer: Node.js ${version} is too old for xfer, which needs 20.19 or later.\n`,
    })
  }
})

test.each(['20.19.0', '21.0.0', '22.1.0', '100.0.0'])('Node.js %s is not', async version => {
  expect(await runOn(version, ['--version'])).toMatchObject({ status: 0, stderr: '' })
})

const REFUSED =
  'xfer: Node.js was told to load code for browsers, which xfer cannot run on: take --conditions=browser (-C browser) out of NODE_OPTIONS.\n'

test.each(['--conditions=browser', '--no-warnings --conditions browser', '-C browser'])(
  'NODE_OPTIONS=%s is refused with what to do',
  async options => {
    const run = await runXfer(['ls', 's3://bucket'], { env: { NODE_OPTIONS: options } })
    expect(run).toMatchObject({ status: 2, stdout: '', stderr: REFUSED })
  },
)

test('the same before the name of the program is refused, and other conditions are not', async () => {
  expect(await runXfer(['--version'], { nodeArgs: ['-C', 'browser'] })).toMatchObject({ status: 2, stderr: REFUSED })
  const other = await runXfer(['--version'], { env: { NODE_OPTIONS: '--conditions=browserish -C development' } })
  expect(other).toMatchObject({ status: 0, stderr: '' })
})
