'use strict'

/** Identifies this process, and tells whether another one still runs. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */

const { readFile, readlink } = require('node:fs/promises')
const { hostname } = require('node:os')

/** @typedef {import('../types').Claim} Claim */

/**
 * @returns {Promise<{ pid: number, host: string, processStart?: string }>} processStart: on Linux the boot, the
 *   process id namespace, and the start time since the boot
 */
async function thisProcess() {
  const view = await viewOf()
  const start = await startOf('self')
  return { pid: process.pid, host: hostname(), ...(view && start && { processStart: `${view} ${start.ticks}` }) }
}

/**
 * @param {Claim} claim
 * @returns {Promise<'alive' | 'dead' | 'unseen'>} unseen: it is on another machine or in another container
 */
async function lifeOf({ pid, host, processStart }) {
  if (host !== hostname()) return 'unseen'
  const view = await viewOf()
  if (processStart !== undefined && view !== undefined) {
    const [boot, space, ticks] = processStart.split(' ')
    const [ourBoot, ourSpace] = view.split(' ')
    if (boot !== ourBoot) return 'dead'
    if (space !== ourSpace) return 'unseen'
    const start = await startOf(String(pid))
    if (start !== undefined) return start.ticks === ticks && !start.ended ? 'alive' : 'dead'
  }
  try {
    process.kill(pid, 0)
    return 'alive'
  } catch (error) {
    // A process of another user exists, but may not be signalled.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH' ? 'dead' : 'alive'
  }
}

/** @returns {Promise<string | undefined>} the boot and the process id namespace of this process */
async function viewOf() {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** @param {string} pid @returns {Promise<{ ticks: string, ended: boolean } | undefined>} undefined when the system does not tell */
async function startOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The process name may contain anything, brackets and blanks too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Fields 3 (state) and 22 (start time); a zombie has ended and waits for its parent.
  const [state, ticks] = [fields[0], fields[19]]
  return ticks === undefined ? undefined : { ticks, ended: /[ZXx]/.test(state) }
}

module.exports = { thisProcess, lifeOf }
