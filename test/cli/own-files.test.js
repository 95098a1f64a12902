'use strict'

/** A file that a command writes beside the copy is never one that it was given for something else. */

const { spawnSync } = require('node:child_process')
const { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder } = require('../support/opened')
const { runXfer } = require('../support/run-xfer')

let folder
beforeEach(() => {
  folder = newFolder()
  for (const name of ['from', 'to']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'from/a'), 'bytes')
  symlinkSync('from', join(folder, 'link'))
})

test.each([
  ['the source would be emptied', 'copy from/a to/ --trace from/a', 'reads'],
  ['the same by another path', 'copy from/a to/ --metrics link/a', 'reads'],
  ['the copy would be replaced', 'copy from/a to/ --report to/a', 'writes'],
  ['the copy would take its place', 'copy from/a to/b --manifest-out to/b', 'writes'],
  ['it would be copied while it grows', 'copy -r from to/ --trace link/t', 'reads'],
  ['it would be moved away', 'mv -r from/ to/ --manifest-out from/m', 'reads'],
  ['it would be deleted', 'sync from/ to/ --delete --manifest-out to/m', 'deletes from'],
  ['a source would be emptied', 'copy -r from/ to/ --failures from/a', 'reads'],
  ['one would replace the other', 'copy from/a to/ --report x --trace x', '--trace'],
  ['the prices would be emptied', 'copy from/a to/ --cost --prices p --trace p', '--prices'],
  ['the events would be replaced', 'report from/a -o from/a', 'reads'],
])('%s: %s', async (_, line, reason) => {
  const { status, stderr } = await runXfer(line.split(' '), { cwd: folder })
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)])
  expect(readFileSync(join(folder, 'from/a'), 'utf8')).toBe('bytes')
  expect(existsSync(join(folder, 'to/a'))).toBe(false)
})

test.each([
  'copy from/a to/a --report /dev/null --trace /dev/null',
  'copy from/a to/a --log-file log --summary log',
  'copy -r from/ to/ --report to/r.html',
  'copy from/a to/ --report from.html',
])('allowed: %s', async line => {
  const { status, stderr } = await runXfer([...line.split(' '), '--quiet'], { cwd: folder })
  expect([status, stderr]).toEqual([0, ''])
  expect(readFileSync(join(folder, 'to/a'), 'utf8')).toBe('bytes')
})

test('what is no file is not replaced by metrics, and no other file is left', async () => {
  spawnSync('mkfifo', [join(folder, 'pipe')])
  for (const name of ['pipe', 'to']) {
    const { status, stderr } = await runXfer(['copy', 'from/a', 'to/', '--metrics', name], { cwd: folder })
    expect([status, stderr]).toEqual([2, expect.stringContaining('--metrics')])
  }
  expect(readdirSync(folder).sort()).toEqual(['from', 'link', 'pipe', 'to'])
  expect(statSync(join(folder, 'pipe')).isFIFO()).toBe(true)
})

test.each([
  ['in the home folder', []],
  ['in a state', ['--state', 'shared']],
])('nor is the source of a job %s that is resumed', async (_, state) => {
  const env = { XDG_STATE_HOME: join(folder, 'state') }
  const run = (...args) => runXfer([...args, ...state, '--json'], { cwd: folder, env })
  // The job waits for a manifest that cannot be written.
  const { stdout } = await run('copy', '-r', 'from/', 'to/', '--manifest-out', 'none/m')
  const { job } = JSON.parse(stdout.trim().split('\n').at(-1))
  expect((await run('resume', job.slice(0, -1), '--trace', 'from/a')).status).toBe(2)
  expect(readFileSync(join(folder, 'from/a'), 'utf8')).toBe('bytes')
})
