'use strict'

const CHECK_MS = 1_000

/**
 * Calls when the program that started this process is gone: a killed one says nothing. The watch keeps no process alive.
 *
 * @param {() => void} then called at least once
 */
function onParentGone(then) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && then(), CHECK_MS).unref()
}

module.exports = { onParentGone }
