'use strict'

/** Commands with a source and a destination: `xfer copy`, `sync`, `mv` and `verify`; and `cat`, whose destination is standard output. */

const fs = require('node:fs')
const { devNull } = require('node:os')
const { pipeline } = require('node:stream/promises')
const { isatty } = require('node:tty')
const { CommanderError } = require('commander')
const lib = require('../../lib')
const table = require('../../lib/options')
const { asOptions, givenOf, optionsOf, refuse } = require('../options')
const { runJob } = require('../run')

/** @type {import('../run').Definition} */
const copy = {
  action: (process, source, destination, flags) =>
    copyEither(process, [source, destination], flags, flags.recursive && 'copy'),
}

/** @type {import('../run').Definition} */
const sync = {
  action: (process, source, destination, flags) => copyEither(process, [source, destination], flags, 'sync'),
}

/** @type {import('../run').Definition} */
const mv = {
  job: ({ options }, source, destination) => lib.move(source, destination, options),
}

/** @type {import('../run').Definition} */
const verify = {
  what: 'comparison',
  async job({ flags, options }, source, destination) {
    const { manifest, recursive } = flags
    if (manifest !== undefined) return await verifyManifest(manifest, { recursive, options }, source, destination)
    const missing = source === undefined ? 'SRC' : destination === undefined && 'DEST'
    if (missing) throw missingPlace(missing)
    if (recursive) return lib.verifyPrefix(source, destination, options)
    table.checkScope('verify', options)
    return lib.verify(source, destination, options)
  },
}

/**
 * @param {string} manifest
 * @param {{ recursive?: boolean, options: any }} given
 * @param {string} [at]
 * @param {string} [other]
 */
async function verifyManifest(manifest, { recursive, options: { source, ...options } }, at, other) {
  const stray = other ?? (recursive ? '-r' : source && Object.keys(source)[0])
  if (stray !== undefined) {
    const text = `${stray} does not go with --manifest, which stands in place of the source.`
    throw new lib.XferError('USAGE', { text, advice: 'Write xfer verify --manifest FILE, or with DEST behind it.' })
  }
  return await lib.verifyManifest(manifest, { ...options, ...(at !== undefined && { at }) })
}

/** As commander says it. @param {string} place */
function missingPlace(place) {
  const error = new CommanderError(1, 'commander.missingArgument', `error: missing required argument '${place}'`)
  return Object.assign(error, { command: 'verify' })
}

/** @type {import('../run').Definition} */
const cat = {
  action(process, locations, flags) {
    const { verbose = false, progress = verbose } = flags
    const options = () => optionsOf('cat', flags)
    return writeOut(process, { locations, flags: { ...flags, progress }, options, silent: !verbose })
  },
}

/**
 * Copies an object, or everything below a prefix.
 *
 * @param {import('../run').Process} process
 * @param {[source: string, destination: string]} places
 * @param {any} flags as commander read them
 * @param {'copy' | 'sync'} [recursive]
 */
async function copyEither(process, [source, destination], flags, recursive) {
  if (source === '-') return await fromStandardInput(process, destination, flags, recursive)
  if (destination === '-') {
    return await writeOut(process, { locations: [source], flags, options: () => optionsToWriteOut(flags, recursive) })
  }
  const options = optionsOf(recursive ?? 'copy', flags)
  await runJob(process, flags, async run => {
    if (recursive) return await lib.copyPrefix(source, destination, { filters: [], ...options, recursive, ...run })
    table.checkScope('copy', options)
    return await lib.copy(source, destination, { ...options, ...run })
  })
}

/** @param {any} flags @param {string} [recursive] @returns {Record<string, any>} of the library's `download` */
function optionsToWriteOut(flags, recursive) {
  if (recursive) {
    const text = 'Everything below a prefix cannot be written to standard output as one stream.'
    throw new lib.XferError('USAGE', { text, advice: 'Name the objects, in their order: xfer cat LOCATION...' })
  }
  const known = table.flagsOfCommand('cat').map(({ flag }) => flag)
  // The engine is the only way.
  const given = givenOf('copy', flags).filter(({ spec, value }) => spec.name !== 'route' || value === 'server')
  const other = given.find(({ flag }) => !known.includes(flag))
  refuse(other, 'a copy to standard output')
  return asOptions(given)
}

/** The descriptor of standard input. */
const INPUT = 0

/** @param {import('../run').Process} process @param {string} destination @param {any} flags @param {string} [recursive] */
async function fromStandardInput(process, destination, flags, recursive) {
  await runJob(process, flags, async run => {
    refuseWhatDoesNotApply(flags, recursive)
    refuseNothing()
    const stats = fs.fstatSync(INPUT)
    // For Node.js block devices and folders are empty inputs, so only what can keep its reader waiting is left to it.
    const waits = stats.isFIFO() || stats.isSocket()
    const input = waits ? process.input() : fs.createReadStream('', { fd: INPUT, autoClose: false })
    // How much comes is known of a file: `< file`.
    const size = stats.isFile() && stats.size > 0 ? `${stats.size}B` : undefined
    return await lib.upload(input, destination, { size, ...optionsOf('copy', flags), ...run })
  })
}

/** @throws {lib.XferError} USAGE if nobody gives an object */
function refuseNothing() {
  const text = isatty(INPUT)
    ? 'Standard input is a terminal, and xfer copy - reads an object from it.'
    : isClosed() && 'Standard input is closed, and xfer copy - reads an object from it.'
  if (!text) return
  const advice =
    'Give it the output of a program, or a file: tar c folder | xfer copy - DEST, or xfer copy - DEST < file.'
  throw new lib.XferError('USAGE', { text, advice })
}

/** If it is closed, Node.js opens /dev/null in its place: for writing too, as `< /dev/null` does not. */
function isClosed() {
  const { rdev } = fs.fstatSync(INPUT)
  if (rdev === 0 || rdev !== fs.statSync(devNull, { throwIfNoEntry: false })?.rdev) return false
  try {
    fs.writeSync(INPUT, '')
    return true
  } catch {
    return false
  }
}

/** @param {any} flags @param {string} [recursive] */
function refuseWhatDoesNotApply(flags, recursive) {
  if (recursive) {
    const text = 'Standard input is one object, and this command copies all that is below a prefix.'
    throw new lib.XferError('USAGE', { text, advice: 'Leave -r out, or copy a prefix or a folder.' })
  }
  const known = table.optionsOf('upload').map(({ name }) => name)
  const other = givenOf('copy', flags).find(
    ({ spec, side }) => spec.only !== 'cli' && (side === 'source' || (!side && !known.includes(spec.name))),
  )
  refuse(other, 'a copy from standard input')
}

/**
 * Writes objects to standard output, one after the other. Everything else, events too, goes to standard error. A reader that
 * stops reading ends it without an error.
 *
 * @param {import('../run').Process} process
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
    { what: 'download', silent },
  )
}

/**
 * @param {import('../../lib').ByteStream} source
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

module.exports = { copy, sync, mv, verify, cat }
