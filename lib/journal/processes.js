'use strict'

/** Which process this is, and whether another one still is there. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */

const { readFile, readlink } = require('node:fs/promises')
const { hostname } = require('node:os')

/** @typedef {import('../types').Claim} Claim */

/**
 * @returns {Promise<{ pid: number, host: string, processStart?: string }>} processStart: on Linux which boot, which
 *   namespace of process numbers, and when in the life of the machine
 */
async function thisProcess() {
  const view = await viewOf()
  const start = await startOf('self')
  const identity = { pid: process.pid, host: hostname() }
  return view === undefined || start === undefined ? identity : { ...identity, processStart: `${view} ${start.ticks}` }
}

/**
 * @param {Claim} claim
 * @returns {Promise<'alive' | 'dead' | 'unseen'>} unseen: on another machine, or in a container of its own
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
    // Somebody else's is there too, and may not be sent a signal.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH' ? 'dead' : 'alive'
  }
}

/** @returns {Promise<string | undefined>} the boot, and the namespace of process numbers, in which we see processes */
async function viewOf() {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}

/** @param {string} pid @returns {Promise<{ ticks: string, ended: boolean } | undefined>} undefined where it is not told */
async function startOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name before may hold anything, brackets and blanks too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // The fields 3 and 22; one that has ended waits, as a zombie, for its parent.
  const [state, ticks] = [fields[0], fields[19]]
  return ticks === undefined ? undefined : { ticks, ended: /[ZXx]/.test(state) }
}

module.exports = { thisProcess, lifeOf }
