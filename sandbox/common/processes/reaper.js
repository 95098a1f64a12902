'use strict'

/**
 * A process that cleans up after the platform, however the platform ended, also after kill -9. Containers that are frozen or
 * in an endless loop cannot notice that themselves. It reads `+PID` and `-PID` lines (a container leads its own process
 * group). At the end of its input it kills the containers that are left, and removes the directory that it was given.
 */

const fs = require('node:fs')
const readline = require('node:readline')

const [root] = process.argv.slice(2)
/** @type {Set<number>} */
const groups = new Set()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

const lines = readline.createInterface({ input: process.stdin })
lines.on('line', line => {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) groups.add(pid)
  else groups.delete(pid)
})
lines.on('close', () => {
  for (const pid of groups) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // it has exited already
    }
  }
  if (root) fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
})
