'use strict'

/** Loaded before the program: when it ends, it writes the most memory that it had, in KiB, into the file XFER_MATRIX_PEAK. */

const { readFileSync, writeFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

/** The kernel's own number: the usage that wait4 tells begins with that of the process that started this one. */
function peakKib() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

if (isMainThread) process.on('exit', () => writeFileSync(process.env.XFER_MATRIX_PEAK ?? '', String(peakKib())))
