'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

/**
 * Starts `npm run sandbox`.
 *
 * @param {string[]} [args]
 * @returns {Promise<{ typed: string[], stop: () => Promise<void> }>} typed: the lines that it says to type
 */
async function startWalk(args = []) {
  const program = join(__dirname, '..', '..', 'sandbox', 'index.js')
  const sandbox = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(sandbox, 'exit')
  let text = ''
  for await (const chunk of sandbox.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes('Ctrl-C stops')) break
  }
  if (!text.includes('Ctrl-C stops')) throw new Error(`the sandbox ended, with status ${(await exited)[0]}`)
  return {
    typed: text.split('\n').flatMap(line => line.match(/^ {2}((?:export|alias|xfer) .*)/)?.[1] ?? []),
    async stop() {
      sandbox.kill('SIGTERM')
      await exited
    },
  }
}

module.exports = { startWalk }
