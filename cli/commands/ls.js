'use strict'

const lib = require('../../lib')
const { formatBytes } = require('../format')
const { checkFound, createLines } = require('../lines')
const { hasScheme } = require('../help-texts')

/**
 * As people know it from other tools: time, size and name.
 *
 * @param {import('../../lib/types').ListEntry} entry
 * @param {{ recursive?: boolean, human?: boolean }} flags
 */
function lineOf(entry, { recursive, human }) {
  if (entry.type === 'prefix') return `${'PRE'.padStart(30)} ${entry.name}`
  if (entry.type === 'container') return `${timeText(entry.createdMs)} ${entry.name}`
  const { bytes, lastModifiedMs, location, key } = entry
  // An object's key is below its container, and a file's name below the folder that was given.
  const name = recursive && hasScheme(location) ? key : entry.name
  const size = human ? formatBytes(bytes) : String(bytes)
  return `${timeText(lastModifiedMs)} ${size.padStart(10)} ${name}`
}

/** @param {number | undefined} ms @returns {string} by this machine's clock, to the second: `2026-11-23 16:05:09` */
function timeText(ms) {
  if (ms === undefined) return '-'.padEnd(19)
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'list objects',
  description: 'Lists objects, one level or all that is below.',
  places: [['<LOCATION>', '{a place[/prefix]}']],
  what: 'listing',
  async work({ process, flags, options, signal, onEvent }, location) {
    const lines = createLines(process.out, flags)
    const counts = { objects: 0, prefixes: 0, containers: 0, bytes: 0 }
    for await (const entry of lib.list(location, { ...options, signal, onEvent })) {
      if (entry.type === 'object') counts.bytes += entry.bytes
      counts[/** @type {const} */ ({ object: 'objects', prefix: 'prefixes', container: 'containers' })[entry.type]]++
      // Nobody reads any more, as behind `| head`.
      if (!(await lines.print(entry, lineOf(entry, flags)))) return
    }
    await lines.print({ type: 'done', ...counts, time: new Date().toISOString() })
    if ((await lines.end()) && counts.objects + counts.prefixes + counts.containers === 0) checkFound(location)
  },
}
