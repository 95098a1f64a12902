'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')

/**
 * What bash says to a command, and how it ends.
 *
 * @param {string} command
 * @param {{ env: Record<string, string | undefined>, cwd?: string, set?: string[] }} how set: of bash's own options
 * @returns {Promise<{ status: number, output: string }>} output: both streams, as they came
 */
async function runShell(command, { env, cwd, set = [] }) {
  const child = spawn('bash', [...set, '-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  return { status, output }
}

module.exports = { runShell }
