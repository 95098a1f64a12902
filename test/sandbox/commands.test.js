'use strict'

/** `npm run sandbox` and `npm run demo`, as somebody types them. */

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { makeHome } = require('../support/home')
const { runShell } = require('../support/run-shell')
const { bareEnv } = require('../support/run-xfer')
const { startWalk } = require('../support/walk')

const ROOT = join(__dirname, '..', '..')

/** A machine that is busy with other tests. */
const LIMIT_MS = 180_000

test(
  'what the sandbox tells one to type copies and deploys, and leaves nothing',
  async () => {
    const walk = await startWalk(['--lambda'])
    let configFile = ''
    try {
      const words = walk.typed.map(line => line.split(' ')[0])
      expect(words.join(' ')).toBe('export alias xfer xfer export xfer export xfer xfer export xfer xfer')
      configFile = walk.typed[0].replace('export AWS_CONFIG_FILE=', '')
      expect(existsSync(configFile)).toBe(true)
      const PATH = `${join(process.execPath, '..')}:${process.env.PATH}`
      const env = { ...bareEnv, HOME: makeHome({}), PATH }
      const how = { env, cwd: ROOT, set: ['-e', '-O', 'expand_aliases'] }
      const { status, output } = await runShell(walk.typed.join('\n'), how)
      expect({ status, output }).toEqual({ status: 0, output })
      expect(output).toMatch(
        /^Engine local[\s\S]*: proved\.\n[\s\S]*: proved\.\n[\s\S]*Created xfer\/copy-range[\s\S]*Created xfer-copy-range[\s\S]*Engine lambda[\s\S]*: proved\.\n[\s\S]* to az:\/\/.*: proved\.\n[\s\S]* to gs:\/\/.*: proved\.\n/m,
      )
    } finally {
      await walk.stop()
    }
    expect(existsSync(configFile)).toBe(false)
  },
  LIMIT_MS,
)

test(
  'the sandbox ends with npm, of which it hears nothing',
  async () => {
    // As npm does it: a shell between, which waits for it.
    const env = { ...process.env, npm_lifecycle_event: 'sandbox' }
    const command = `"${process.execPath}" sandbox/index.js --json; true`
    const shell = spawn('sh', ['-c', command], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(shell.stdout, 'end')
    const [line] = await once(shell.stdout.setEncoding('utf8'), 'data')
    const { configFile } = JSON.parse(line)
    expect(existsSync(configFile)).toBe(true)
    shell.kill('SIGKILL')
    await ended
    expect(existsSync(configFile)).toBe(false)
  },
  LIMIT_MS,
)

// That of openwhisk is part of the checks before a release.
test.each(['lambda', 'http'])('the demo copies an object by the engine %s, and proves it', engine => {
  const args = ['sandbox/demo.js', '--size', '8MiB', '--engine', engine]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
  expect(status).toBe(0)
  const sums = [...stdout.matchAll(/^SHA-256 in \w+ +(\w{64})$/gm)].map(([, sum]) => sum)
  expect(sums).toHaveLength(2)
  expect(sums[0]).toBe(sums[1])
})
