'use strict'

/** The completion scripts, in the shells that are installed: bash needs no package of completions for that. */

const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { INSTALL } = require('../../cli/completion')
const { flagsOfCommand } = require('../../lib/options')
const { runXfer } = require('../support/run-xfer')
const { complete, isInstalled } = require('./completion/shells')

const COMMANDS = ['copy', 'sync', 'resume', 'verify', 'jobs', 'abort', 'clean', 'deploy', 'doctor']
const OTHERS = ['completion', 'help', 'version']
const JOBS = ['20261121T104500Z-4f9k2c', '20261122T104500Z-aaaaaa']

let home
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'xfer-test-completion-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** @param {string} text of a help @returns {string[]} the options that it lists, long and short */
const optionsIn = text =>
  [...text.matchAll(/^ {2}(?:(-\w), )?(--[a-z0-9-]+)/gm)].flatMap(([, short, long]) => (short ? [short, long] : [long]))

/** @param {string[]} args */
async function print(...args) {
  const { status, stdout, stderr } = await runXfer(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

describe.each(Object.keys(INSTALL))('in %s', shell => {
  if (!isInstalled(shell)) return test.skip(`nothing is tried: ${shell} is not installed`, () => {})

  test('every option that the help of a command lists is offered, and no other', async () => {
    const listed = await Promise.all(COMMANDS.map(async name => optionsIn(await print('help', name))))
    expect(listed.flat().length).toBeGreaterThan(100)
    const [, ...offered] = complete(shell, ['xfer ver', ...COMMANDS.map(name => `xfer ${name} -`)], { home })
    // zsh writes an option that takes a value with the sign that may follow.
    const bare = words => words.slice(1).map(word => word.replace(/=$/, ''))
    expect(offered.map(words => bare(words).sort())).toEqual(listed.map(options => options.sort()))
  })

  const CASES = [
    ['xfer co', ['completion', 'copy']],
    ['xfer --json ver', ['--json', 'verify', 'version']],
    ['xfer cp --engi', ['cp', '--engine', '--engine-limits']],
    ['xfer copy --engine ', ['copy', '--engine', 'auto', 'http', 'lambda', 'local', 'openwhisk']],
    ['xfer copy --engine=o', ['copy', '--engine=openwhisk']],
    ['xfer copy --sse aws:kms:', ['copy', '--sse', 'aws:kms:dsse']],
    ['xfer copy --chunk m', ['copy', '--chunk', 'match']],
    ['xfer copy --ca-bundle p', ['copy', '--ca-bundle', 'private key.pem']],
    ['xfer copy --ca-bundle=p', ['copy', '--ca-bundle=private key.pem']],
    ['xfer copy s3:', ['copy', 's3://']],
    ['xfer copy a', ['copy', 'az://']],
    ['xfer sync s3://a/b gs:', ['sync', 's3://a/b', 'gs://']],
    ['xfer copy --json s3://a/b s', ['copy', '--json', 's3://a/b', 's3://']],
    ['xfer resume 2026', ['resume', ...JOBS]],
    ['xfer abort --debug 20261122', ['abort', '--debug', JOBS[1]]],
    ['xfer resume p', ['resume', 'private key.pem']],
    ['xfer help dep', ['help', 'deploy']],
    ['xfer completion ', ['completion', 'bash', 'fish', 'zsh']],
  ]

  test('what can follow is offered', () => {
    mkdirSync(join(home, 'state', 'xfer', 'jobs'), { recursive: true })
    for (const id of JOBS) writeFileSync(join(home, 'state', 'xfer', 'jobs', `${id}.journal`), '')
    const cwd = join(home, 'work')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'private key.pem'), '')
    const found = complete(shell, ['xfer version', ...CASES.map(([line]) => line)], { home, cwd })
    expect(found.slice(1)).toEqual(CASES.map(([, words]) => words))
  })

  test('no job is offered where there is none', () => {
    expect(complete(shell, ['xfer version', 'xfer abort 2026'], { home })[1].slice(1)).toEqual(
      shell === 'fish' ? [] : ['2026'],
    )
  })
})

test('an option takes a value in each command or in none, because a script knows it by its name', () => {
  const kindOf = ({ value, type, choices, words }) =>
    JSON.stringify(value === undefined ? [] : [type === 'file', choices, words])
  const flags = COMMANDS.flatMap(name => flagsOfCommand(name))
  const kinds = new Set(flags.map(({ spec, flag }) => `${flag} ${kindOf(spec)}`))
  expect(kinds.size).toBe(new Set(flags.map(({ flag }) => flag)).size)
})

describe('xfer completion', () => {
  test.each(Object.entries(INSTALL))('for %s is told how to be installed', async (shell, line) => {
    expect(line).toContain(`xfer completion ${shell}`)
    expect(await print('help', 'completion')).toContain(`\n  ${shell.padEnd(4)}  ${line}\n`)
  })

  test.each(['zsh', 'fish'])('for %s has every command, and every option of each', async shell => {
    const script = await print('completion', shell)
    for (const name of [...COMMANDS, ...OTHERS, 'cp']) expect(script).toMatch(new RegExp(`\\b${name}\\b`))
    const flags = COMMANDS.flatMap(name => flagsOfCommand(name)).map(({ flag }) => flag.slice(2))
    expect(flags.filter(flag => !new RegExp(`(?:--|-l )${flag}\\b`).test(script))).toEqual([])
  })

  test.each([
    ['no shell, and guesses', [], '/usr/bin/zsh', 'No shell was named', INSTALL.zsh],
    ['no shell, and cannot guess', [], '/bin/tcsh', 'No shell was named', 'Name bash, zsh or fish'],
    ['no shell, and knows of none', [], undefined, 'No shell was named', 'Name bash, zsh or fish'],
    ['another shell', ['tcsh'], '/bin/zsh', 'no completion for the shell "tcsh"', 'Name bash, zsh or fish'],
  ])('refuses %s', async (_, args, SHELL, problem, advice) => {
    const { status, stdout, stderr } = await runXfer(['completion', ...args], { env: { SHELL } })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(problem)
    expect(stderr).toContain(advice)
  })
})
