'use strict'

/** Jest itself runs test files of every outcome, with the reporter, into a pipe and on a terminal. */

const { spawn } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { createServer } = require('node:net')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createScreen } = require('../cli/screen')

const FIXTURES = join(__dirname, 'fixtures')
const JEST = require.resolve('jest/bin/jest')
const TAKES = 'about a second'

let cacheDirectory
beforeAll(() => {
  cacheDirectory = mkdtempSync(join(tmpdir(), 'xfer-test-tiers-'))
})
afterAll(() => rmSync(cacheDirectory, { recursive: true }))

/**
 * @param {string[]} names of the fixtures
 * @param {{ args?: string[], nodeArgs?: string[], lineMs?: number, env?: object, onText?: (soFar: string) => void }} [options]
 * @returns {Promise<{ status: number, text: string }>}
 */
function run(names, { args = [], nodeArgs = [], lineMs, env, onText } = {}) {
  const config = {
    rootDir: FIXTURES,
    cacheDirectory,
    transform: {},
    // Jest would print the console of a file that is alone at once.
    verbose: false,
    testMatch: names.map(name => join(FIXTURES, `${name}.js`)),
    reporters: [[join(__dirname, 'progress.js'), { takes: TAKES, lineMs }], 'summary'],
  }
  const child = spawn(process.execPath, [...nodeArgs, JEST, '--config', JSON.stringify(config), ...args], {
    env: { ...process.env, FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
      onText?.(text)
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', status => resolve({ status: Number(status), text }))
  })
}

const PASSED = `Running 1 test file: ${TAKES}.

Test Suites: 1 passed, 1 total
Tests:       1 passed, 1 total
Snapshots:   0 total
Time:        0 s
Ran all test suites.
`
/** @param {string} text */
const withoutTime = text => text.replace(/^Time: +.*/m, 'Time:        0 s')

describe('in a pipe', () => {
  test('what passes prints nothing, and the summary says how many', async () => {
    const { status, text } = await run(['passing'])
    expect({ status, text: withoutTime(text) }).toEqual({ status: 0, text: PASSED })
  })

  test('what fails or cannot be loaded is named with its reason and with what it printed', async () => {
    const { status, text } = await run(['passing', 'failing', 'unloadable'])
    expect(status).toBe(1)
    expect(text).toMatch(/^FAIL failing.js\n {2}● fails\n.*Expected: 2\n {4}Received: 1\n/ms)
    expect(text).toMatch(/^FAIL unloadable.js\n {2}● Test suite failed to run\n\n {4}Cannot find module '.\/missing'/m)
    expect(text).toMatch(/^Test Suites: 2 failed, 1 passed, 3 total\nTests: +1 failed, 1 passed, 2 total\n/m)
    expect(text).toContain('console.log: printed by what failed\n')
    expect(text).not.toContain('printed by what passed')
  })

  test('a file without a test has failed, and no file is an error of jest', async () => {
    const none = await run(['terminal'])
    expect(none.text).toMatch(/^FAIL terminal.js\n.*Your test suite must contain at least one test\.\n/ms)
    expect((await run(['passing'], { args: ['nowhere'] })).text).toMatch(/^No tests found, exiting with code 1\n/)
  })

  test('what failed can be run alone, and how long everything takes is left out then', async () => {
    await run(['passing', 'failing'])
    const { text } = await run(['passing', 'failing'], { args: ['--onlyFailures'] })
    expect(text).toMatch(/^Running 1 test file\.\nFAIL failing.js\n/)
    expect(text).toMatch(/^Test Suites: 1 failed, 1 total\n/m)
  })

  test('a line from time to time says how far it is, and a failure is not kept until the end', async () => {
    const server = createServer()
    await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const waiting = new Promise(resolve => server.once('connection', resolve))
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const { text } = await run(['failing', 'waiting'], {
      args: ['--maxWorkers=2'],
      lineMs: 20,
      env: { PORT: String(port) },
      async onText(soFar) {
        if (/^FAIL failing.js$/m.test(soFar) && /^1 of 2 test files, 0:\d\d, 1 failed$/m.test(soFar))
          (await waiting).end()
      },
    })
    server.close()
    expect(text).toMatch(/^Test Suites: 1 failed, 1 passed, 2 total$/m)
  })
})

describe('on a terminal', () => {
  const TERMINAL = { nodeArgs: ['--require', join(FIXTURES, 'terminal.js')] }

  test('one line says how far it is, and is gone in the end', async () => {
    const { text } = await run(['passing'], TERMINAL)
    expect(text).toContain('\x1b[0J0 of 1 test file, 0:00\x1b[1G')
    expect(text).toContain('\x1b[0J1 of 1 test file, 0:0')
    const screen = createScreen(80)
    screen.write(text)
    expect(withoutTime(`${screen.lines().join('\n')}\n`)).toBe(PASSED)
  })

  test('a failure takes the place of that line', async () => {
    const { text } = await run(['failing'], TERMINAL)
    const screen = createScreen(80)
    screen.write(text.slice(0, text.indexOf('Test Suites:')))
    expect(screen.lines().slice(0, 3)).toEqual([`Running 1 test file: ${TAKES}.`, 'FAIL failing.js', '  ● fails'])
    expect(text).toContain('\x1b[0J1 of 1 test file, 0:0')
    expect(screen.lines().filter(line => /of 1 test file/.test(line))).toEqual([])
  })
})
