'use strict'

/** The lines that `--verbose` adds: each part, and what happened to it. */

const { formatBytes, formatCount, formatDuration, plural, printable } = require('../format')

/**
 * @param {any} event of any type
 * @param {{ parts?: number }} plan
 * @returns {string | undefined} undefined: nothing to say
 */
function detailLine(event, { parts }) {
  const { type, partNumber, message, attempt, bytes, elapsedMs, delayMs } = event
  const of = event.name === undefined ? (parts === undefined ? '' : ` of ${formatCount(parts)}`) : ` of ${event.name}`
  const part = `part ${partNumber}${of}`
  const again = attempt > 1 ? `, attempt ${attempt}` : ''
  const wait = delayMs === undefined ? '' : ` Again in ${formatDuration(delayMs)}.`
  switch (type) {
    case 'part':
      return printable(`${part}: ${formatBytes(bytes)} in ${formatDuration(elapsedMs)}${again}`)
    case 'retry':
      return printable(`${partNumber === undefined ? `${event.call} (${event.side})` : part}: ${message}${wait}`)
    case 'throttle':
      return printable(`throttled: ${message}${wait} ${plural(event.limit, 'invocation')} at once from now on.`)
    case 'hedge':
      return printable(`${part}: started a second time after ${formatDuration(elapsedMs)}`)
    case 'phase':
      return printable(`${event.phase}${whatOf(event)}${event.name === undefined ? '' : ` of ${event.name}`}`)
    default:
      return undefined
  }
}

/** @param {{ parts?: number, bytes?: number, objects?: number }} phase */
function whatOf({ parts, bytes, objects }) {
  if (parts !== undefined) return ` ${plural(parts, 'part')}`
  if (bytes !== undefined) return ` ${formatBytes(bytes)}`
  return objects === undefined ? '' : ` ${plural(objects, 'object')}`
}

module.exports = { detailLine }
