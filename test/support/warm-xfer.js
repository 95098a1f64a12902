'use strict'

/**
 * A process that runs one command after the other, for runWarm of run-xfer.js: to start Node.js and to load the program takes longer than
 * most commands of a test. What belongs to the program's own process (cli/xfer.js) is not run here, and it has no standard input.
 */

const { Writable } = require('node:stream')
const { main } = require('../../cli/main')

const ROOT = process.cwd()

/** @param {Buffer[]} pieces */
const collect = pieces =>
  new Writable({
    write(piece, _, done) {
      pieces.push(piece)
      done()
    },
  })

/** What the program does when its process ends. */
function atExit() {
  for (const listener of process.rawListeners('exit')) listener.call(process, 0)
  process.removeAllListeners('exit')
}

/** @param {{ args: string[], env: Record<string, string>, cwd?: string }} command */
function run({ args, env, cwd = ROOT }) {
  /** @type {Record<'stdout' | 'stderr', Buffer[]>} */
  const printed = { stdout: [], stderr: [] }
  const end = (/** @type {number} */ status) => {
    atExit()
    const [stdout, stderr] = [printed.stdout, printed.stderr].map(pieces => Buffer.concat(pieces))
    process.send?.({ status, stdout, stderr })
  }
  process.chdir(cwd)
  process.env = env
  const [out, err] = [collect(printed.stdout), collect(printed.stderr)]
  const leave = () => process.exit(130)
  main(args, /** @type {any} */ ({ out, err, env, end, leave, input: () => process.stdin }))
}

process.on('message', run)
