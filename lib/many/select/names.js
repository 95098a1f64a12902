'use strict'

/**
 * A file of names, one name a line. A line that begins with `#` is a comment. A line that begins with a double quote is a
 * JSON string: for names that begin with `#` or a quote, and for names with line ends. Every other line is the name itself,
 * blanks included. Empty lines are skipped.
 */

const { createReadStream } = require('node:fs')
const { XferError } = require('../../errors')
const { mkdtemp, open, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

const LINE_END = 0x0a
const COMMENT = '#'
/** A name has at most 1,024 bytes; escaped in JSON, up to twelve times as many. */
const MOST_LINE_BYTES = 64 * 1024

/**
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} from the file, for messages
 * @param {{ nul?: boolean }} [how] nul: each name ends with NUL, and everything else belongs to it
 * @returns {AsyncGenerator<string, void, undefined>}
 * @throws {XferError} USAGE, with the number of the line that cannot be read
 */
async function* namesIn(chunks, from, { nul = false } = {}) {
  let number = 0
  for await (const line of linesOf(chunks, nul ? 0 : LINE_END)) {
    number++
    const name = nul
      ? textOf(line, `Name ${number} of ${from}`) || undefined
      : nameOf(line, number, `Line ${number} of ${from}`)
    if (name !== undefined) yield name
  }
}

/** Of a line that is too long for a name: its beginning. @param {AsyncIterable<Uint8Array>} chunks @param {number} lineEnd */
async function* linesOf(chunks, lineEnd) {
  /** @type {Buffer[]} */
  let begun = []
  let bytes = 0
  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    for (let end = buffer.indexOf(lineEnd); end !== -1; end = buffer.indexOf(lineEnd, at)) {
      yield Buffer.concat([...begun, buffer.subarray(at, end)])
      begun = []
      bytes = 0
      at = end + 1
    }
    bytes += buffer.length - at
    // A copy, because the owner of the chunk may reuse its memory.
    if (at < buffer.length) begun.push(Buffer.from(buffer.subarray(at)))
    if (bytes > MOST_LINE_BYTES) break
  }
  if (bytes > 0) yield Buffer.concat(begun)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * @param {Buffer} line without its end
 * @param {number} number
 * @param {string} where for messages
 * @returns {string | undefined} undefined: the line is empty or a comment
 */
function nameOf(line, number, where) {
  let text = textOf(line, where).replace(/\r$/, '')
  if (number === 1) text = text.replace(/^\ufeff/, '')
  if (text === '' || text.startsWith(COMMENT)) return undefined
  return text.startsWith('"') ? parse(text, where) : text
}

/** @param {Buffer} line @param {string} where @returns {string} */
function textOf(line, where) {
  if (line.length > MOST_LINE_BYTES) throw unreadable(`${where} is too long for a name.`, 'Write one name a line.')
  try {
    return utf8.decode(line)
  } catch (cause) {
    throw unreadable(`${where} is not UTF-8.`, 'Write the names in UTF-8, one a line.', cause)
  }
}

/** @param {string} text @param {string} where @returns {string} */
function parse(text, where) {
  const advice = 'Write a name that begins with a double quote, too, as a JSON string: "\\"name\\"".'
  /** @type {unknown} */
  let name
  try {
    name = JSON.parse(text)
  } catch (cause) {
    throw unreadable(`${where} begins with a double quote and is no JSON string.`, advice, cause)
  }
  if (typeof name === 'string' && name.isWellFormed()) return name
  throw unreadable(`${where} is a JSON string that no key can be.`, 'Write whole characters in it.')
}

/** @param {string} text @param {string} advice @param {unknown} [cause] */
function unreadable(text, advice, cause) {
  return new XferError('USAGE', { text, advice }, { cause })
}

/** Characters that a plain line would lose or hide: control characters, blanks at the ends, a leading comment sign, quote or byte order mark. */
const TO_QUOTE = /^$|^[#"\ufeff\s]|\s$|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u

/**
 * @param {string} name
 * @returns {string} the line, with its end, that `readNames` reads as this name
 */
function lineOf(name) {
  return `${TO_QUOTE.test(name) ? JSON.stringify(name) : name}\n`
}

/**
 * @param {string} file a path, or `-` for standard input
 * @param {{ nul?: boolean }} [how] as of `namesIn`
 * @returns {AsyncGenerator<string, void, undefined>}
 * @throws {XferError} USAGE, also when the file cannot be read
 */
async function* readNames(file, how) {
  if (file === '-') return yield* namesIn(process.stdin, 'standard input', how)
  yield* namesIn(bytesOf(file), file, how)
}

/** @param {string} file @returns {AsyncGenerator<Uint8Array, void, undefined>} */
async function* bytesOf(file) {
  try {
    yield* createReadStream(file)
  } catch (cause) {
    throw unreadableNames(file, cause)
  }
}

/** @param {string} file of names @param {unknown} cause */
function unreadableNames(file, cause) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  return unreadable(`The names in ${file} cannot be read (${code ?? message}).`, 'Check the path of the file.', cause)
}

/** Characters that wait to be written to the file. */
const MOST_BUFFERED = 64 * 1024

const ADVICE = 'Make room there, or name another folder with TMPDIR, then repeat the command; nothing was deleted.'

/** Names of what is to be deleted in a temporary file, because there may be millions of them. */
function createSpool() {
  /** @type {{ folder: string, handle: import('node:fs/promises').FileHandle } | undefined} */
  let file
  let buffered = ''

  async function write() {
    try {
      if (!file) {
        const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
        file = { folder, handle: await open(join(folder, 'names'), 'wx+', 0o600) }
        // Unlinked now, the file disappears with the process however that ends; some systems keep the name until then.
        await rm(folder, { recursive: true, force: true }).catch(() => {})
      }
      const text = buffered
      buffered = ''
      await file.handle.appendFile(text)
    } catch (cause) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
      const path = `The list of what to delete, in ${tmpdir()},`
      throw new XferError('FILE_UNWRITABLE', { path, reason: code ?? message, advice: ADVICE }, { cause })
    }
  }

  return {
    /** @param {string} name @throws {XferError} FILE_UNWRITABLE */
    async add(name) {
      buffered += lineOf(name)
      if (buffered.length > MOST_BUFFERED) await write()
    },

    /** @returns {AsyncGenerator<string, void, undefined>} the names, in the order in which they were added */
    async *names() {
      await write()
      const { handle } = /** @type {NonNullable<typeof file>} */ (file)
      yield* namesIn(handle.createReadStream({ start: 0, autoClose: false }), 'the names to delete')
    },

    /** Forgets all names. */
    async close() {
      buffered = ''
      const gone = file
      file = undefined
      if (!gone) return
      await gone.handle.close()
      await rm(gone.folder, { recursive: true, force: true })
    },
  }
}

module.exports = { lineOf, namesIn, readNames, unreadableNames, createSpool }
