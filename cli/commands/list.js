'use strict'

/** Commands that list: `xfer ls` and `du`. */

const { once } = require('node:events')
const lib = require('../../lib')
const { formatBytes, formatCount, jsonLine, printable } = require('../format')
const { hasScheme } = require('../help-texts')

/**
 * As people know it from other tools: time, size and name.
 *
 * @param {import('../../lib/types').ListEntry} entry
 * @param {{ recursive?: boolean, human?: boolean }} flags
 */
function entryLine(entry, { recursive, human }) {
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
const ls = {
  what: 'listing',
  async work({ process, flags, options, signal, onEvent }, location) {
    const lines = createLines(process.out, flags)
    const counts = { objects: 0, prefixes: 0, containers: 0, bytes: 0 }
    for await (const entry of lib.list(location, { ...options, signal, onEvent })) {
      if (entry.type === 'object') counts.bytes += entry.bytes
      counts[/** @type {const} */ ({ object: 'objects', prefix: 'prefixes', container: 'containers' })[entry.type]]++
      // Nobody reads any more, as behind `| head`.
      if (!(await lines.print(entry, entryLine(entry, flags)))) return
    }
    await lines.print({ type: 'done', ...counts, time: new Date().toISOString() })
    if ((await lines.end()) && counts.objects + counts.prefixes + counts.containers === 0) checkFound(location)
  },
}

/** @param {{ bytes: number, objects: number }} counted @param {string} name @param {{ human?: boolean }} how */
function usageLine({ bytes, objects }, name, { human }) {
  const [size, count] = human ? [formatBytes(bytes), formatCount(objects)] : [bytes, objects].map(String)
  return `${size.padStart(15)} ${count.padStart(10)} ${name}`
}

/** @type {import('../run').Definition} */
const du = {
  what: 'count',
  async work({ process, flags, options, signal: interrupted, onEvent }, location) {
    const lines = createLines(process.out, flags)
    const signal = AbortSignal.any([interrupted, lines.gone])
    const onPrefix = async (/** @type {import('../../lib/types').PrefixUsage} */ prefix) =>
      void (await lines.print({ type: 'prefix', ...prefix }, usageLine(prefix, prefix.name, flags)))
    const asked = { ...options, signal, onEvent, ...(!flags.summarize && { onPrefix }) }
    const total = await lib.usage(location, asked).catch(error => {
      if (!lines.gone.aborted || interrupted.aborted) throw error
    })
    if (!total) return
    if (total.objects === 0) checkFound(location)
    const event = { type: 'done', ...total, time: new Date().toISOString() }
    await lines.print(event, usageLine(total, total.location, flags))
    await lines.end()
  },
}

/** So much is written at once. */
const MOST_BYTES = 16 * 1024

/**
 * Lines are collected until the work waits for something, so that a page of a list is one write.
 *
 * @param {NodeJS.WritableStream & { writableNeedDrain?: boolean }} out
 * @param {{ json?: boolean }} how
 * @returns {{ print(event: object, line?: string): Promise<boolean>, end(): Promise<boolean>, gone: AbortSignal }} both resolve when the
 *   reader may get more: false if nobody reads any more. print: with `json` the event, else the line, if there is one; end: prints what
 *   was collected; gone: aborted when nobody reads any more, as behind `| head`
 */
function createLines(out, { json }) {
  let collected = ''
  /** @type {NodeJS.Immediate | undefined} */
  let soon
  const reader = new AbortController()
  const gone = reader.signal
  // The process reports a failure that is no reader's going (cli/xfer.js).
  for (const event of ['error', 'close']) out.once(event, () => reader.abort())

  function flush() {
    clearImmediate(soon)
    soon = undefined
    if (collected !== '' && !gone.aborted) out.write(collected)
    collected = ''
  }

  async function room() {
    while (out.writableNeedDrain && !gone.aborted) await once(out, 'drain', { signal: gone }).catch(() => {})
    return !gone.aborted
  }

  return {
    gone,
    async print(event, line) {
      const text = json ? jsonLine(event) : line && printable(line)
      if (text !== undefined) collected += `${text}\n`
      if (collected.length >= MOST_BYTES) flush()
      else soon ??= setImmediate(flush)
      return await room()
    },
    async end() {
      flush()
      return await room()
    },
  }
}

/**
 * Nothing begins with a location. An empty container is no error.
 *
 * @param {string} location as it was typed
 * @throws {import('../../lib/types').XferError} NOTHING_FOUND
 */
function checkFound(location) {
  const { parsePlace, placeText } = require('../../lib/stores')
  const place = parsePlace(location, 'source', { containerAlone: true, accountAlone: true })
  if (place.key === '') return
  const path = place.scheme === 'file' && { path: true }
  throw new lib.XferError('NOTHING_FOUND', { location: placeText(place), pattern: /[*?]/.test(place.key), ...path })
}

module.exports = { ls, du }
