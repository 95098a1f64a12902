'use strict'

/** Runs a command and says what it cost: the kernel's own accounting of its processor time, its peak memory, the wall clock. */

const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')

/** Peak memory is asked for while the process lives: the kernel keeps the maximum, so only the last moment can be missed. */
const LOOK_EVERY_MS = 20

/**
 * Linux only: processor time comes from bash's `time`, peak memory from /proc.
 *
 * @param {string[]} command
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<{ status: number, cpuSeconds: number, wallSeconds: number, peakBytes: number, stdout: string, stderr: string }>} peakBytes: of the
 *   command's own process, threads included
 */
async function measure(command, env) {
  const startedMs = performance.now()
  const child = spawn('bash', ['-c', 'TIMEFORMAT="TIME %U %S"; time "$@"', 'bash', ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  let peakBytes = 0
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOfChildren(/** @type {number} */ (child.pid)))
  }, LOOK_EVERY_MS)
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearInterval(timer)
  const [, user, system] = /TIME ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? []
  return {
    status,
    cpuSeconds: Number(user) + Number(system),
    wallSeconds: (performance.now() - startedMs) / 1000,
    peakBytes,
    stdout,
    stderr: stderr.replace(/TIME [\d.]+ [\d.]+\s*$/, ''),
  }
}

/** @param {number} pid @returns {number} the largest peak among its children */
function peakOfChildren(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return Math.max(0, ...children.map(peakOf))
  } catch {
    return 0
  }
}

/** @param {string | number} pid @returns {number} peak resident bytes, 0 where it is gone */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

module.exports = { measure, median, peakOf }
