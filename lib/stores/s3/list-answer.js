'use strict'

/**
 * The entries of a list, read before the SDK sees it: it reads character by character, which would be most of what
 * listing costs. It gets the answer without them, and what it makes of that is what it makes of any answer. Anything
 * that is not written as stores write it is left to the SDK.
 */

const { isAscii } = require('node:buffer')
const { readBody } = require('./answers')

const [OPEN, CLOSE] = ['<Contents>', '</Contents>']
const WHITE = /^[ \t\r\n]*$/
const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })

/** As the SDK names them. @typedef {{ Key: string, LastModified?: Date, ETag?: string, Size: string, StorageClass?: string }} Entry */

/**
 * @returns {{ middleware: (next: any) => any, complete: (output: any) => any }} middleware: to stand between the SDK's and
 *   the handler; complete: gives the SDK's output what it was not shown
 */
function listReader() {
  /** @type {Entry[] | undefined} */
  let entries
  return {
    middleware: next => async (/** @type {any} */ args) => {
      const output = await next(args)
      const { response } = output
      if (response.statusCode !== 200) return output
      const body = await readBody(response.body)
      const taken = takeEntries(body)
      entries = taken?.entries
      response.body = taken?.rest ?? body
      return output
    },
    complete: output => (entries === undefined ? output : { ...output, Contents: entries }),
  }
}

/**
 * @param {Buffer} body
 * @returns {{ entries: Entry[], rest: Buffer } | undefined} undefined: nothing that is read here
 */
function takeEntries(body) {
  // A character a byte: places in the one are places in the other.
  const text = body.toString('latin1')
  const first = text.indexOf(OPEN)
  const end = text.lastIndexOf(CLOSE) + CLOSE.length
  // A comment, or characters of which nothing is markup.
  if (first === -1 || end < first || text.includes('<!')) return undefined
  const encoding = isAscii(body) ? 'latin1' : 'utf8'
  // A copy, for a piece of a text keeps all of it in memory; what is short is copied anyway.
  const copied = (/** @type {number} */ from, /** @type {number} */ to) => body.toString(encoding, from, to)
  const piece = (/** @type {number} */ from, /** @type {number} */ to) => text.slice(from, to)
  const [key, etag] = ['Key', 'ETag'].map(name => createFinder(text, name, copied))
  const [modified, size, storageClass] = ['LastModified', 'Size', 'StorageClass'].map(name =>
    createFinder(text, name, piece),
  )
  const entries = []
  for (let at = first; at < end; ) {
    const open = text.indexOf(OPEN, at)
    const close = text.indexOf(CLOSE, at)
    if (open === -1 || close < open || !WHITE.test(text.slice(at, open))) return undefined
    const [Key, Size, time] = [key(open, close), size(open, close), modified(open, close)]
    const LastModified = time === undefined ? undefined : new Date(time)
    if (Key === undefined || Size === undefined || Number.isNaN(LastModified?.getTime() ?? 0)) return undefined
    entries.push({ Key, LastModified, ETag: etag(open, close), Size, StorageClass: storageClass(open, close) })
    at = close + CLOSE.length
  }
  return { entries, rest: Buffer.concat([body.subarray(0, first), body.subarray(end)]) }
}

/**
 * @param {string} text
 * @param {string} name
 * @param {(from: number, to: number) => string} read
 * @returns {(from: number, to: number) => string | undefined} what the first element of that name holds between two places,
 *   each time behind those of the time before
 */
function createFinder(text, name, read) {
  const [open, close] = [`<${name}>`, `</${name}>`]
  let next = 0
  return (from, to) => {
    // Where there is none for a while, it is not looked for each time.
    if (next !== -1 && next < from) next = text.indexOf(open, from)
    if (next === -1 || next > to) return undefined
    const begin = next + open.length
    const end = text.indexOf('<', begin)
    return text.startsWith(close, end) ? resolved(read(begin, end)) : undefined
  }
}

/** @param {string} text */
function resolved(text) {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (reference, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? reference
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })
}

module.exports = { listReader, takeEntries }
