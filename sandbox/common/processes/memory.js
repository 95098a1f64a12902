'use strict'

const fs = require('node:fs')

/**
 * Imitates the hard memory limit of a Docker container: checks the process's anonymous memory (which the kernel cannot
 * reclaim) at intervals, and reports when it is above the limit. Without /proc only V8's own heap limit holds.
 *
 * @param {object} options
 * @param {number | undefined} options.pid
 * @param {number} options.maxBytes
 * @param {number} options.everyMs 0 for never
 * @param {() => void} options.onExceeded
 */
function watchMemory({ pid, maxBytes, everyMs, onExceeded }) {
  const status = `/proc/${pid}/status`
  const watch = {
    /** Checks only while a request runs: unpacking a large archive may need memory that a real platform does not count. */
    active: false,
    exceeded: false,
    stop: () => clearInterval(timer),
  }
  const timer = setInterval(
    () => {
      if (!watch.active || watch.exceeded) return
      const bytes = anonymousBytes(status)
      if (bytes <= maxBytes) return
      watch.exceeded = true
      onExceeded()
    },
    everyMs || 2 ** 30,
  )
  timer.unref()
  if (!everyMs) clearInterval(timer)
  return watch
}

/** @param {string} file */
function anonymousBytes(file) {
  try {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(fs.readFileSync(file, 'utf8'))
    return found ? Number(found[1]) * 1024 : 0
  } catch {
    return 0
  }
}

module.exports = { watchMemory }
