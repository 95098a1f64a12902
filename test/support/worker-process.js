'use strict'

/** `xfer serve` as a process of its own. */

const { startXfer } = require('./run-xfer')

/**
 * @param {{ env?: Record<string, string>, args?: string[] }} [how]
 * @returns {Promise<{ url: string, child: import('node:child_process').ChildProcess, ended: Promise<any>, entry: (fits: (entry: any) => boolean) => Promise<any>, close: () => Promise<void> }>}
 *   once it listens; entry: the first entry of its log that fits
 */
async function startWorkerProcess({ env = {}, args = [] } = {}) {
  const { child, ended } = startXfer(['serve', '--port', '0', '--host', '127.0.0.1', ...args], { env })
  /** @type {any[]} */
  const entries = []
  const looking = new Set()
  let rest = ''
  child.stderr.on('data', text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('{')) entries.push(JSON.parse(line))
    for (const look of looking) look()
  })
  const entry = fits =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = entries.find(fits)
        if (found === undefined) return
        looking.delete(look)
        resolve(found)
      }
      looking.add(look)
      look()
      ended.then(({ stderr }) => reject(new Error(`the worker ended: ${stderr}`)), reject)
    })
  const { url } = await entry(({ event }) => event === 'listening')
  return {
    ...{ url, child, ended, entry },
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

module.exports = { startWorkerProcess }
