'use strict'

/**
 * A process that runs one command after the other, for runWarm of run-xfer.js: to start Node.js and to load the program takes longer than
 * most commands of a test. What belongs to the program's own process (cli/xfer.js) is not run here.
 */

const { Readable, Writable } = require('node:stream')
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

process.on(
  'message',
  (
    /** @type {{ args: string[], env: Record<string, string>, cwd?: string, stdin?: Buffer }} */ {
      args,
      env,
      cwd,
      stdin,
    },
  ) => {
    /** @type {Buffer[]} */
    const [out, err] = [[], []]
    const end = (/** @type {number} */ status) => {
      atExit()
      process.send?.({ status, stdout: Buffer.concat(out), stderr: Buffer.concat(err) })
    }
    process.chdir(cwd ?? ROOT)
    process.env = env
    const input = () => Readable.from(stdin ? [stdin] : [], { objectMode: false })
    main(
      args,
      /** @type {any} */ ({ out: collect(out), err: collect(err), env, end, leave: () => process.exit(130), input }),
    )
  },
)
