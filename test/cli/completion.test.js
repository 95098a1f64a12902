'use strict'

/** Completion: what `xfer __complete` answers, and the script of bash in bash. */

const { execFileSync } = require('node:child_process')
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { delimiter, join } = require('node:path')
const { flagsOfCommand } = require('../../lib/options')
const { XFER, runXfer } = require('../support/run-xfer')

const JOBS = ['20261121T104500Z-4f9k2c', '20261122T104500Z-aaaaaa']

let home
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'xfer-test-completion-'))
  mkdirSync(join(home, 'state', 'xfer', 'jobs'), { recursive: true })
  for (const id of JOBS) writeFileSync(join(home, 'state', 'xfer', 'jobs', `${id}.journal`), '')
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin', 'xfer'), `#!/bin/sh\nexec "${process.execPath}" "${XFER}" "$@"\n`, { mode: 0o755 })
  mkdirSync(join(home, 'work'))
  writeFileSync(join(home, 'work', 'private key.pem'), '')
})
afterAll(() => rmSync(home, { recursive: true }))

/** @param {string[]} args */
async function print(...args) {
  const { status, stdout, stderr } = await runXfer(args, { env: { XDG_STATE_HOME: join(home, 'state') } })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** @param {string[]} words @returns {Promise<string[]>} without their help */
const offered = async (...words) =>
  (await print('__complete', ...words))
    .split('\n')
    .filter(Boolean)
    .map(line => line.split('\t')[0])

test.each([
  ['co', ['copy', 'completion']],
  ['cp --engine ', ['auto', 'openwhisk', 'lambda', 'http', 'local']],
  ['copy --engine=o', ['--engine=openwhisk']],
  ['copy --ca-bundle p', [':files']],
  ['copy --json s3://a/b s', ['s3://']],
  ['resume 2026', [...JOBS, ':files']],
])('xfer %s', async (line, expected) => {
  expect(await offered(...line.split(' '))).toEqual(expected)
})

test('every option of a command is offered', async () => {
  const flags = flagsOfCommand('sync').map(({ flag }) => flag)
  expect(await offered('sync', '--')).toEqual([...flags, '--help'])
})

test('bash inserts what is offered', () => {
  // Esc * is readline's insert-completions. The signs are octal, because a terminal repeats this line.
  const echo = String.raw`xfer() { printf '\074\074'; printf '%s\n' "$@"; printf '\076\076\n'; }`
  const cases = [
    ['xfer version', ['version']],
    ['xfer copy --engine=o', ['copy', '--engine=openwhisk']],
    ['xfer copy s3:', ['copy', 's3://']],
    ['xfer copy --ca-bundle p', ['copy', '--ca-bundle', 'private key.pem']],
    ['xfer resume 2026', ['resume', ...JOBS]],
  ]
  const input = ['eval "$(xfer completion bash)"', echo, ...cases.map(([line]) => `${line}\x1b*`), ''].join('\n')
  const env = {
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
    TERM: 'dumb',
  }
  const text = execFileSync('bash', ['--norc', '--noprofile', '-i'], {
    ...{ cwd: join(home, 'work'), env, input, encoding: 'utf8', timeout: 60_000, stdio: ['pipe', 'pipe', 'ignore'] },
  })
  const runs = text.replaceAll('\r', '').split('<<').slice(1)
  expect(runs.map(run => run.slice(0, run.indexOf('>>')).split('\n').slice(0, -1))).toEqual(
    cases.map(([, words]) => words),
  )
})
