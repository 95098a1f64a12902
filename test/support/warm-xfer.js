'use strict'

/**
 * A process that runs one command after the other, for runWarm of run-xfer.js: to start Node.js and to load the program takes longer than
 * most commands of a test. What belongs to the program's own process (cli/xfer.js) is not run here, and it has no standard input.
 */

const { runMain } = require('./in-process')

const ROOT = process.cwd()

/** What the program does when its process ends. */
function atExit() {
  for (const listener of process.rawListeners('exit')) listener.call(process, 0)
  process.removeAllListeners('exit')
}

/** @param {{ args: string[], env: Record<string, string>, cwd?: string }} command */
async function run({ args, env, cwd = ROOT }) {
  process.chdir(cwd)
  process.env = env
  const ended = await runMain(args, env)
  atExit()
  process.send?.(ended)
}

process.on('message', run)
