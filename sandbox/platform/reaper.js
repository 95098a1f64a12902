'use strict'

/**
 * A process beside the platform that cleans up after it, however it ended: kill -9 included, and containers that are frozen or in an
 * endless loop included, which could not notice by themselves. It reads `+PID` and `-PID` lines (containers that lead a
 * process group of their own) and, at the end of its input, kills what is left and removes the directory it was given.
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
      // it has ended by itself
    }
  }
  if (root) fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
})
