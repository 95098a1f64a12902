'use strict'

/**
 * What the pages tell one to type in the sandbox works, in their order, and prints what they show. With XFER_UPDATE_DOCS=1
 * it writes into the pages what was printed.
 */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { readFileSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { text } = require('node:stream/consumers')
const { gathered } = require('../support/bounded-child')
const { makeHome } = require('../support/home')
const { bareEnv } = require('../support/run-xfer')
const { startWalk } = require('../support/walk')
const { JOB_ID, notPrinted, shownIn, withOutputs } = require('./transcript')

const ROOT = join(__dirname, '..', '..')
const XFER = join(ROOT, 'cli', 'xfer.js')

/** A machine that is busy with other tests. */
const LIMIT_MS = 300_000

/** The pages of which every command behind a `$` is typed. */
const GUIDES = ['getting-started', 'copying', 'prefixes', 'proof', 'jobs']
const PAGES = ['README.md', ...GUIDES.map(name => `docs/guides/${name}.md`)]

/** A folder in which `xfer` is the program, for PATH. */
function makeBin() {
  const folder = makeHome({})
  symlinkSync(XFER, join(folder, 'xfer'))
  symlinkSync(process.execPath, join(folder, 'node'))
  return folder
}

/**
 * Types a command into a shell; one that is interrupted gets its SIGINT when the first part is there.
 *
 * @param {string} typed
 * @param {import('./transcript').Shown} shown
 * @param {NodeJS.ProcessEnv} env
 */
async function type(typed, { interrupted }, env) {
  const command = `exec 2>&1; ${interrupted ? 'exec ' : ''}${typed}`
  const shell = spawn('bash', ['-c', command], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = gathered(shell.stdout)
  const closed = once(shell, 'close')
  if (interrupted) {
    await firstPart(env, shell)
    shell.kill('SIGINT')
  }
  const [status] = await closed
  return { status, output: output() }
}

/** @param {NodeJS.ProcessEnv} env @param {import('node:child_process').ChildProcess} command */
async function firstPart(env, command) {
  while (command.exitCode === null) {
    const asked = spawn(process.execPath, [XFER, 'jobs', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const jobs = (await text(asked.stdout)).split('\n').filter(Boolean)
    if (jobs.some(line => JSON.parse(line).partsDone > 0)) return
  }
}

/** @param {string | undefined} line as the sandbox prints it: NAME=VALUE NAME=VALUE @returns {Record<string, string>} */
const settingsOf = line =>
  Object.fromEntries(
    (line ?? '').split(' ').map(setting => [setting.split('=', 1)[0], setting.replace(/^\w*='?|'$/g, '')]),
  )

test.each(PAGES)(
  '%s',
  async name => {
    const page = readFileSync(join(ROOT, name), 'utf8')
    const bin = makeBin()
    const walk = await startWalk()
    const lines = walk.typed.flatMap(line => line.match(/^export (.*)/)?.[1] ?? [])
    const PATH = `${bin}:${process.env.PATH}`
    let env = { ...bareEnv, HOME: makeHome({}), XDG_STATE_HOME: undefined, PATH, ...settingsOf(lines[0]) }
    try {
      const runs = []
      const wrong = []
      for (const shown of shownIn(page)) {
        const variable = shown.typed.match(/^export (\w+)/)?.[1]
        if (variable) {
          env = { ...env, ...settingsOf(lines.find(line => line.startsWith(`${variable}=`))) }
          continue
        }
        const typed = shown.typed.replace(JOB_ID, runs.at(-1)?.output.match(JOB_ID)?.at(-1) ?? '')
        const { status, output } = await type(typed, shown, env)
        runs.push({ shown, typed, output })
        if (status !== (shown.interrupted ? 130 : 0)) wrong.push(`$ ${shown.typed}\nended with ${status}:\n${output}`)
        const missing = process.env.XFER_UPDATE_DOCS ? [] : notPrinted(shown, output)
        if (missing.length > 0) wrong.push(`$ ${shown.typed}\ndid not print\n${missing.join('\n')}\nbut\n${output}`)
      }
      expect(wrong).toEqual([])
      expect(runs.length).toBeGreaterThan(0)
      if (process.env.XFER_UPDATE_DOCS) writeFileSync(join(ROOT, name), withOutputs(page, runs))
    } finally {
      await walk.stop()
    }
  },
  LIMIT_MS,
)
