'use strict'

/** Short forms, and what may be typed in more than one way: in processes of their own, as a user has them. */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder } = require('../support/opened')
const { runAlone } = require('../support/run-xfer')

test.each([
  ['nothing', [], /^Usage: xfer \[options\] \[command\]\n/],
  ['copy -h', ['copy', '-h'], /^Usage: xfer copy\b/],
  ['help cp', ['help', 'cp'], /^Usage: xfer copy\b/],
])('xfer %s prints the help on standard output, and ends with 0', async (_, args, expected) => {
  const { status, stdout, stderr } = await runAlone(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(expected)
  expect(stdout).toContain('-h, --help')
})

test.each(['du -sh', 'ls -rh'])('xfer %s prints sizes with a unit, and no help', async words => {
  const [command, letters] = words.split(' ')
  const folder = newFolder()
  writeFileSync(join(folder, 'one'), Buffer.alloc(2048))
  const { status, stdout } = await runAlone([command, letters, folder])
  expect({ status, human: stdout.includes('2.00 KiB') }).toEqual({ status: 0, human: true })
  // Behind -- it is the name of a file.
  expect(await runAlone([command, '--', letters])).toMatchObject({ status: 3 })
})

test('-h prints the usual options of a command that has many, and how to see the others', async () => {
  const [brief, all] = await Promise.all(['-h', '--help'].map(flag => runAlone(['copy', flag])))
  const optionsIn = text => [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(match => match[1])
  expect(optionsIn(brief.stdout)).toEqual(expect.arrayContaining(['--recursive', '--dry-run', '--json']))
  expect(optionsIn(all.stdout)).toEqual(expect.arrayContaining(optionsIn(brief.stdout)))
  // One screen.
  expect(brief.stdout.trim().split('\n').length).toBeLessThanOrEqual(40)
  expect(brief.stdout).toMatch(/\nCommon options:\n {2}-r, --recursive /)
  expect(brief.stdout).toMatch(/\nFor all \d+ options, and examples: xfer copy --help\n$/)
  expect(brief.stdout).toContain(`all ${optionsIn(all.stdout).length - 1} options`)
})

test('options of the output before the command mean the same as behind it', async () => {
  const line = '--debug --json copy s3://bucket/key ftp://here/key'
  const { status, stdout, stderr } = await runAlone(line.split(' '))
  expect(status).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'error', code: 'BAD_LOCATION' })
  expect(stderr).toMatch(/^XferError: /)
})
