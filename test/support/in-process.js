'use strict'

/** Runs a command in this process, for what ends before anything is moved: a hundred of them take a second. */

const { Writable } = require('node:stream')
const { main } = require('../../cli/main')

/**
 * @param {string[]} words behind the program's name
 * @param {Record<string, string>} env beside which there is only what the process needs
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
async function runHere(words, env) {
  const printed = { out: '', err: '' }
  const stream = (/** @type {'out' | 'err'} */ to) =>
    new Writable({
      write(piece, _, done) {
        printed[to] += piece
        done()
      },
    })
  const before = process.env
  process.env = { PATH: before.PATH, HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true', ...env }
  try {
    const status = await new Promise((resolve, reject) => {
      const ends = { end: resolve, leave: () => reject(new Error(printed.err)) }
      const streams = { out: stream('out'), err: stream('err'), input: () => process.stdin }
      main(words, /** @type {any} */ ({ ...streams, ...ends, env: {} }))
    })
    return { status, stdout: printed.out, stderr: printed.err }
  } finally {
    process.env = before
  }
}

module.exports = { runHere }
