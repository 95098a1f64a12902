'use strict'

/** Runs commands in this process. */

const { Writable } = require('node:stream')
const { main } = require('../../cli/main')

/**
 * @param {string[]} words behind the program's name
 * @param {Record<string, string>} env
 * @returns {Promise<{ status: number, stdout: Buffer, stderr: Buffer }>} rejects where a second signal ends the command at once
 */
async function runMain(words, env) {
  /** @type {Record<'out' | 'err', Buffer[]>} */
  const printed = { out: [], err: [] }
  const stream = (/** @type {'out' | 'err'} */ to) =>
    new Writable({
      write(piece, _, done) {
        printed[to].push(piece)
        done()
      },
    })
  const textOf = (/** @type {'out' | 'err'} */ of) => Buffer.concat(printed[of])
  const status = await new Promise((resolve, reject) => {
    const ends = { end: resolve, leave: () => reject(new Error(String(textOf('err')))) }
    const streams = { out: stream('out'), err: stream('err'), input: () => process.stdin }
    main(words, /** @type {any} */ ({ ...streams, ...ends, env }))
  })
  return { status, stdout: textOf('out'), stderr: textOf('err') }
}

/**
 * For what ends before anything is moved: a hundred of them take a second.
 *
 * @param {string[]} words behind the program's name
 * @param {Record<string, string>} env beside which there is only what the process needs
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
async function runHere(words, env) {
  const before = process.env
  process.env = { PATH: before.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env }
  try {
    const { status, stdout, stderr } = await runMain(words, {})
    return { status, stdout: String(stdout), stderr: String(stderr) }
  } finally {
    process.env = before
  }
}

module.exports = { runHere, runMain }
