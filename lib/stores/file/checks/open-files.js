'use strict'

const { readFileSync } = require('node:fs')

/** What a request has open at most: a file, and a connection. */
const EACH = 2
/** What the process has open besides. */
const OTHERS = 100

/** @returns {number | undefined} how many files this process may have open; Infinity: as many as it likes; undefined: not known */
function openFilesLimit() {
  try {
    const [, soft] = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return undefined
  }
}

/**
 * Pure.
 *
 * @param {number | undefined} limit
 * @param {number} concurrency
 * @returns {import('../../../types').Finding}
 */
function judgeOpenFiles(limit, concurrency) {
  if (limit === undefined) return { ok: null, detail: 'This system does not tell how many files a process may open.' }
  const needed = EACH * concurrency + OTHERS
  const may = Number.isFinite(limit) ? `${limit.toLocaleString('en-US')} files` : 'as many files as it likes'
  const atOnce = `${concurrency.toLocaleString('en-US')} requests at once need up to ${needed.toLocaleString('en-US')}`
  const detail = `This process may open ${may}, and ${atOnce}.`
  if (limit >= needed) return { ok: true, detail }
  return { ok: true, detail, hint: `Raise the limit with ulimit -n ${needed}, or give copies a lower --concurrency.` }
}

module.exports = { judgeOpenFiles, openFilesLimit }
