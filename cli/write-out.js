'use strict'

const fs = require('node:fs')
const { pipeline } = require('node:stream/promises')
const lib = require('../lib')
const { formatBytes, plural } = require('./format')
const { PROOFS, atOnce, paceOf } = require('./reporters/text')
const { runJob } = require('./run')

/**
 * Writes objects to standard output, one after the other. Everything else, events too, goes to standard error. A reader that
 * stops reading ends it without an error.
 *
 * @param {import('./run').Process} process
 * @param {object} what
 * @param {string[]} what.locations
 * @param {any} what.flags as commander read them
 * @param {() => Record<string, any>} what.options of the library's `download`
 * @param {boolean} [what.silent] prints neither plan nor result
 */
async function writeOut(process, { locations, flags, options, silent = false }) {
  const { out, err, leave } = process
  // Lines that are redrawn would end up between those that are written.
  const shown = /** @type {any} */ (out).isTTY ? { ...flags, progress: false } : flags
  let writable = true
  /** @param {number} status */
  const end = status => {
    // What waits in the pipe may never be read.
    if (!writable || status === lib.EXIT.INTERRUPTED) err.write('', () => leave(status))
    else process.end(status)
  }
  await runJob(
    { ...process, out: err, end },
    shown,
    async run => {
      const own = options()
      for (const location of locations) {
        try {
          await pour(lib.download(location, { ...own, ...run }), out)
        } catch (cause) {
          if (cause instanceof lib.XferError) throw cause
          writable = false
          const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
          if (code === 'EPIPE') return
          throw new lib.XferError('FILE_UNWRITABLE', { path: 'Standard output', reason: code ?? message }, { cause })
        }
      }
    },
    { words: silent ? SILENT : { planLines, doneLines }, what: 'download' },
  )
}

/**
 * @param {import('../lib').ByteStream} source
 * @param {NodeJS.WritableStream} out
 * @returns {Promise<void>}
 */
async function pour(source, out) {
  const file = fileBehind(out)
  if (file) return await pipeline(source, file)
  await pipeline(source, out, { end: false })
  await new Promise((resolve, reject) => out.write('', error => (error ? reject(error) : resolve(undefined))))
}

/**
 * Standard output that is a file or a device is written by a stream of our own: that of Node.js writes a piece in part when the
 * disk is nearly full, and does not notice.
 *
 * @param {NodeJS.WritableStream & { fd?: number, isTTY?: boolean }} out
 */
function fileBehind({ fd, isTTY }) {
  if (fd === undefined || isTTY) return undefined
  const stat = fs.fstatSync(fd)
  if (stat.isFIFO() || stat.isSocket()) return undefined
  // The file stays open for what comes next.
  return fs.createWriteStream('', { fd, autoClose: false, fs: { ...fs, close: (_, done) => done?.() } })
}

/** The texts of `xfer cat`, and of a copy to standard output, that differ from those of a copy. */

/** @typedef {import('../lib/types').DownloadEvent} DownloadEvent */
/** @typedef {Extract<DownloadEvent, { type: 'plan' }>} PlanEvent */
/** @typedef {Extract<DownloadEvent, { type: 'done' }>} DoneEvent */

const UNCOMPARED = 'Nothing was compared with what the source keeps'

/** @param {PlanEvent} plan @param {Pick<import('./style').Style, 'signs'>} style */
function planLines(plan, { signs }) {
  const { bytes, ranges, rangeBytes, ahead } = plan
  const how =
    ranges === 1
      ? 'in one piece'
      : `in ${plural(ranges, 'range')} of ${formatBytes(rangeBytes)}, ${ahead} in memory at most`
  return [
    `Engine ${plan.engine}: ${plan.where} (${plan.why})`,
    `${plan.source} ${signs.to} standard output`,
    bytes === undefined ? 'Of unknown size, in one piece' : `${formatBytes(bytes)} ${how}, ${atOnce(plan)}`,
  ]
}

/** @param {DoneEvent} done @returns {string[]} the last one says it all, for a log */
function doneLines(done) {
  const { source, bytes, proof, uncompared } = done
  const outcome = proof.length > 0 ? 'proved' : 'not proved'
  return [
    proof.length > 0
      ? `Proof: ${proof.map(each => PROOFS[each]).join('; ')}.`
      : `${UNCOMPARED}${uncompared ? ', because it keeps no checksum that fits; --verify full reads it a second time' : ''}.`,
    `Wrote ${formatBytes(bytes)} from ${source} to standard output ${paceOf(done)}: ${outcome}.`,
  ]
}

/** Prints errors and notices alone. @type {import('./reporters').Words} */
const SILENT = { planLines: () => [], doneLines: () => [] }

module.exports = { writeOut }
