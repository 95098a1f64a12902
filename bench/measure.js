'use strict'

/**
 * Runs a command and measures it: wall time, processor time and peak memory of all its processes, and the processor time
 * that servers used meanwhile. Linux only, because it reads /proc.
 */

const { execFileSync, spawn } = require('node:child_process')
const { readFileSync, readdirSync } = require('node:fs')

/** The interval of samples. The kernel records each process's peak; samples miss only its last moments, and the sum of peaks. */
const LOOK_EVERY_MS = 50

/**
 * @typedef {object} Cost
 * @property {number} status the command's exit status; 128 or more if a signal ended it
 * @property {number} startedMs epoch milliseconds
 * @property {number} wallSeconds
 * @property {number} cpuSeconds of all its processes, by the kernel's account of those that have ended (bash's `time`)
 * @property {number} peakBytes the largest sum of its processes' resident memory in any sample, and at least the
 *   largest peak of a single process
 * @property {number} serverCpuSeconds of the processes given as `servers` and their descendants
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * @param {string[]} command
 * @param {Record<string, string | undefined>} env
 * @param {{ servers?: number[], signal?: AbortSignal }} [options] servers: process ids; signal: ends the command and its child processes
 * @returns {Promise<Cost>}
 * @throws {any} the signal's reason
 */
async function measure(command, env, { servers = [], signal } = {}) {
  signal?.throwIfAborted()
  const serversBefore = cpuSecondsOf(servers)
  const startedMs = performance.timeOrigin + performance.now()
  const child = spawn('bash', ['-c', 'TIMEFORMAT="TIME %U %S"; time "$@"', 'bash', ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that all its processes can be ended.
    detached: true,
  })
  const pid = /** @type {number} */ (child.pid)
  const end = () => process.kill(-pid, 'SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  const [stdout, stderr] = [child.stdout, child.stderr].map(collect)
  let peakBytes = 0
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, memoryOf(descendantsOf(pid)))
  }, LOOK_EVERY_MS)
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, killedBy) => resolve(killedBy ? 137 : code))
  })
  const wallSeconds = (performance.timeOrigin + performance.now() - startedMs) / 1000
  clearInterval(timer)
  signal?.removeEventListener('abort', end)
  signal?.throwIfAborted()
  const [, user, system] = /TIME ([\d.]+) ([\d.]+)\s*$/.exec(stderr()) ?? []
  return {
    status,
    startedMs,
    wallSeconds,
    cpuSeconds: Number(user) + Number(system),
    peakBytes,
    serverCpuSeconds: cpuSecondsOf(servers) - serversBefore,
    stdout: stdout(),
    stderr: stderr().replace(/TIME [\d.]+ [\d.]+\s*$/, ''),
  }
}

/** @param {import('node:stream').Readable} stream @returns {() => string} what has come so far */
function collect(stream) {
  let text = ''
  stream.setEncoding('utf8').on('data', piece => {
    text += piece
  })
  return () => text
}

/** @param {number} pid @returns {number[]} its children and all below them */
function descendantsOf(pid) {
  const children = childrenOf(pid)
  return [...children, ...children.flatMap(descendantsOf)]
}

/** The child processes of all threads. @param {number} pid @returns {number[]} none if the process is gone */
function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** @param {number[]} pids @returns {number} bytes: what is resident now of all, or the most that one has had */
function memoryOf(pids) {
  const each = pids.map(pid => ({ now: statusBytes(pid, 'VmRSS'), peak: peakOf(pid) }))
  return Math.max(
    each.reduce((sum, { now }) => sum + now, 0),
    ...each.map(({ peak }) => peak),
  )
}

/** @param {string | number} pid @returns {number} peak resident bytes, 0 where it is gone */
function peakOf(pid) {
  return statusBytes(pid, 'VmHWM')
}

/** @param {string | number} pid @param {'VmRSS' | 'VmHWM'} name @returns {number} 0 where it is gone */
function statusBytes(pid, name) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/**
 * The processor time of processes and their descendants, including those that have ended.
 *
 * @param {number[]} pids
 * @returns {number}
 */
function cpuSecondsOf(pids) {
  const all = new Set(pids.flatMap(pid => [pid, ...descendantsOf(pid)]))
  return [...all].reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksASecond()
}

/** @param {number} pid @returns {number} its own and those of its children that have ended; proc(5), "stat" */
function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0
  }
}

/** @type {number | undefined} */
let ticks

function ticksASecond() {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return ticks
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

module.exports = { cpuSecondsOf, measure, median, peakOf }
