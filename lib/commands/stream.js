'use strict'

/** `xfer cat` and `xfer copy SRC -`: the bytes of one object as a stream; and `xfer copy -`: an object from a stream. */

const { Readable } = require('node:stream')
const { untilAborted, withHandler } = require('../async')
const { XferError, kindOf, usage } = require('../errors')
const { perform, runJob } = require('../job')
const { checkArguments } = require('../options')
// Each is loaded on use.
const streams = require('../stream')
const { unlessPart } = require('../verify')

/** @typedef {import('../types').DownloadOptions} DownloadOptions */
/** @typedef {import('../types').Download} Download */

/** What waits for the reader, besides the ranges that were read ahead. */
const WAITING_BYTES = 256 * 1024

/**
 * Reads one object. The stream begins at once to read ahead, and reads no further than the options allow until somebody takes
 * the bytes. It fails with an XferError; destroying it ends everything that it has begun, and it closes when all has ended.
 *
 * @param {string} source `s3://bucket/key`
 * @param {DownloadOptions} [options]
 * @returns {Readable} of bytes, in order; each range of them is whole, and of the object that was found at the beginning. It
 *   ends without an error only if all of it was compared with what the source keeps, as far as it keeps anything
 */
function download(source, options = {}) {
  const gone = new AbortController()
  /** Resolves when the reader wants more. */
  let wanted = () => {}
  const stream = new Readable({
    highWaterMark: WAITING_BYTES,
    read: () => wanted(),
    destroy(error, callback) {
      gone.abort(new XferError('INTERRUPTED', { what: 'download' }))
      over.then(() => callback(error))
    },
  })
  const reader = {
    gone: gone.signal,
    /** @param {Buffer} piece @param {AbortSignal} ended */
    async give(piece, ended) {
      if (stream.push(piece)) return
      const more = new Promise(resolve => {
        wanted = () => resolve(undefined)
      })
      await untilAborted(more, ended)
    },
  }
  const over = withHandler('onEvent', options, given => run(source, given, reader)).then(
    () => void stream.push(null),
    error => void stream.destroy(error),
  )
  return stream
}

/**
 * @param {string} source
 * @param {DownloadOptions} options
 * @param {{ give: (piece: Buffer, ended: AbortSignal) => Promise<void>, gone: AbortSignal }} reader give: hands out a piece, and waits
 *   until more is wanted; gone: aborted when nobody reads any more
 * @returns {Promise<Download>}
 */
async function run(source, options = {}, { give, gone }) {
  return await perform(untilGone(options, gone), async ({ begin, emit }) => {
    checkArguments('download', { source }, options)
    const opened = await streams.openDownload(source, options, unlessPart(emit), gone)
    begin(opened)
    return await streams.downloadObject(opened, piece => give(piece, /** @type {AbortSignal} */ (opened.run.cancel)))
  })
}

/** The options of which the handler is no longer called once nobody reads any more. @param {DownloadOptions} options @param {AbortSignal} gone */
function untilGone(options, gone) {
  const { onEvent } = options ?? {}
  if (typeof onEvent !== 'function') return options
  return { ...options, onEvent: (/** @type {any} */ event) => (gone.aborted ? undefined : onEvent(event)) }
}

/** `xfer copy -`: an object from a stream. */

/** @typedef {import('../types').UploadOptions} UploadOptions */
/** @typedef {import('../types').Summary} Summary */

/**
 * Writes an object from a stream, or from bytes. Nothing of it is visible before all of it has come, and nothing is kept if it fails.
 *
 * @param {AsyncIterable<Uint8Array> | Uint8Array} readable a stream is destroyed when the upload ends
 * @param {string} destination `s3://bucket/key`
 * @param {UploadOptions} [options]
 * @returns {Promise<Summary>} resolves once the object is at the destination and proved
 * @throws {XferError} INPUT_FAILED, INPUT_DIFFERS, TOO_LARGE; as `copy`
 */
async function upload(readable, destination, options = {}) {
  const stream = readable instanceof Readable ? readable : undefined
  // An error that comes before the first read fails that read, and not the process.
  stream?.on('error', () => {})
  try {
    return await runJob(options, async (given, how) => {
      const input = inputOf(readable)
      checkArguments('upload', { destination }, given)
      const size = readable instanceof Uint8Array && readable.length > 0 ? `${readable.length}B` : undefined
      return await streams.uploadStream(input, destination, { ...(size && { size }), ...given }, how)
    })
  } finally {
    stream?.destroy()
  }
}

/** What can be read once, and was given to an upload. @type {WeakSet<object>} */
const taken = new WeakSet()

/** @param {unknown} readable @returns {import('../stream/cut').StreamInput} */
function inputOf(readable) {
  if (readable instanceof Readable) {
    if (readable.readableEnded) throw used('was read to its end before')
    return takeOnce(readable)
  }
  if (readable instanceof Uint8Array) return { whole: readable }
  const given = /** @type {any} */ (readable)
  if (typeof given?.[Symbol.asyncIterator] === 'function') {
    if (given.locked === true) throw used('has another reader')
    // Else each reader gets an iterator of its own.
    const isIterator = given instanceof ReadableStream || typeof given.next === 'function'
    return Readable.from(isIterator ? takeOnce(given) : given)
  }
  const text = `upload: the stream is ${given === undefined ? 'missing' : `${kindOf(given)}, not a readable stream`}.`
  throw usage(text, 'Give a Readable of bytes, such as createReadStream(path), or a Buffer.')
}

/** @template {object} S @param {S} stream @returns {S} */
function takeOnce(stream) {
  if (taken.has(stream)) throw used('was given to an upload before')
  taken.add(stream)
  return stream
}

/** @param {string} why */
const used = why => usage(`upload: the stream ${why}.`, 'Give each upload a stream of its own, which nobody has read.')

module.exports = { download, upload }
