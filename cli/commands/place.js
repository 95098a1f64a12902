'use strict'

/** Commands for one place or several, each by itself: `xfer head`, `presign`, `mb` and `rm`. */

const lib = require('../../lib')
const { readerOf } = require('../../lib/options')
const { confirmer } = require('../confirm')
const { formatBytes, formatCount, formatDuration, jsonLine, plural, printable } = require('../format')
const { SUMS } = require('../reporters/copy-words')
const { limitPlanned } = require('../reporters/lines')

/** How wide the names are. */
const WIDTH = 16

/** @param {import('../../lib/types').ObjectInfo} info @returns {string[]} */
function linesOf(info) {
  const { bytes, etag, lastModifiedMs, versionId, checksums = [], parts, storageClass, encryption } = info
  const { headers, metadata, tags = {}, tagCount, redirect, others = [] } = info
  const size = bytes < 1024 ? '' : ` (${formatBytes(bytes)})`
  const time = lastModifiedMs === undefined ? undefined : `${new Date(lastModifiedMs).toISOString().slice(0, 19)}Z`
  /** @type {Array<[name: string, value: string | undefined]>} */
  const rows = [
    ['size', `${formatCount(bytes)} bytes${size}`],
    ['last modified', time],
    ['ETag', etag || 'none'],
    ['version', versionId],
    ...checksums.map(({ sum, value, kind }) => row(SUMS[sum], kind === 'full' ? value : `${value} (composite)`)),
    ['parts', parts && `${formatCount(parts.count)} of ${formatBytes(parts.bytes)}`],
    ['storage class', storageClass],
    ['encryption', encryption && [encryption.kind, encryption.keyId].filter(Boolean).join(', ')],
    ...Object.entries(headers),
    ...Object.entries(metadata).map(([name, value]) => row('metadata', `${name}: ${value}`)),
    ...Object.entries(tags).map(([name, value]) => row('tag', `${name}: ${value}`)),
    ['tags', tagCount === undefined ? undefined : `${formatCount(tagCount)}, which may not be read`],
    ['redirect', redirect],
    ['also', others.length > 0 ? others.join(', ') : undefined],
  ]
  return [
    info.location,
    ...rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(WIDTH)} ${value}`])),
  ]
}

/** @type {(name: string, value: string) => [string, string]} */
const row = (name, value) => [name, value]

/** @type {import('../run').Definition} */
const head = {
  what: 'question',
  async work({ process, flags, options, signal, onEvent }, location) {
    const info = await lib.head(location, { ...options, signal, onEvent })
    process.print(flags.json ? [jsonLine(info)] : linesOf(info).map(printable))
  },
}

/** A shorter life than was asked for, beyond what rounding and clocks make. */
const WORTH_A_NOTE_MS = 60_000

/** @type {import('../run').Definition} */
const presign = {
  what: 'question',
  async work({ process, flags, options, signal, onEvent }, location) {
    const signed = await lib.presign(location, { ...options, signal, onEvent })
    process.print([flags.json ? jsonLine(signed) : signed.url])
    const leftMs = signed.endsMs - Date.now()
    if (leftMs < readerOf('presign', flags)('expires') - WORTH_A_NOTE_MS)
      process.err.write(`Note: the URL ends in ${formatDuration(Math.max(0, leftMs))}, as the credentials do.\n`)
  },
}

/** @type {import('../run').Definition} */
const mb = {
  what: 'creation',
  async work({ process, flags, options, signal, onEvent }, location) {
    const made = await lib.makeBucket(location, { ...options, signal, onEvent })
    process.print([flags.json ? jsonLine(made) : printable(`Created ${made.location.replace(/\/$/, '')}.`)])
  },
}

/** @param {import('../../lib/types').RemovedObject} object @returns {string} as it is usual among such tools */
function removedLine({ location, outcome }) {
  return `${outcome === 'left' ? '(dryrun) ' : ''}delete: ${location}`
}

/** @param {import('../../lib/types').RemovedObject} object */
function failureLine({ location, error }) {
  return `delete failed: ${location} ${error?.message} (${error?.code})`
}

/** @type {import('../run').Definition} */
const rm = {
  what: 'deletion',
  async work({ process, flags, options, signal, onEvent, say }, locations) {
    const planned = limitPlanned(flags.verbose)
    let bytes = 0
    /** @param {string} line */
    const linesOf = line => (flags.dryRun ? planned.linesOf('delete', line) : [line]) ?? []
    const removed = await lib
      .remove(locations, {
        ...options,
        ...(flags.recursive && !flags.dryRun && { confirm: confirmer(process, flags, locations) }),
        signal,
        onEvent,
        onObject(object) {
          bytes += object.bytes ?? 0
          const failed = object.outcome === 'failed'
          if (failed && !flags.json) process.err.write(`${printable(failureLine(object))}\n`)
          else say({ type: 'object', ...object }, flags.quiet ? [] : linesOf(removedLine(object)))
        },
      })
      .finally(() => void (flags.json || flags.quiet || process.print(planned.moreLines())))
    const sum = `Would delete ${plural(removed.objects, 'object')} with ${formatBytes(bytes)}.`
    say({ type: 'done', ...removed }, flags.dryRun ? [sum] : [])
  },
}

module.exports = { head, presign, mb, rm }
