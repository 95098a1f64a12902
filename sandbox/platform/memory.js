'use strict'

const fs = require('node:fs')

/**
 * The kernel's hard limit of a docker container, as near as a process comes to it: anonymous memory (what can't be given back) is looked at
 * now and then, and the process is ended when it is over. Where there is no /proc, V8's own heap limit is all there is.
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
    /** Only while an activation runs: unpacking a large archive is the sandbox's own need. */
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
