'use strict'

/** Reads a manifest line by line, and checks its seal. */

const { createReadStream } = require('node:fs')
const { XferError, usage } = require('../errors')
const { formOf } = require('./form')
const { createTree, faultOf } = require('./seal')

/** @typedef {import('../types').ManifestLine} ManifestLine */
/** @typedef {import('../types').ManifestHead} ManifestHead */
/** @typedef {import('../types').ManifestSeal} ManifestSeal */

/** Far longer than any line: a name has a kilobyte or two. */
const LONGEST_BYTES = 1024 ** 2
const LINE_END = 0x0a
const VERSION = 1

/** @param {string} path @param {string} reason a clause */
const broken = (path, reason) => new XferError('SEAL_BROKEN', { path, reason })

/**
 * @param {string} path
 * @returns {AsyncGenerator<{ line: Buffer, whole: boolean }>} whole: it has its line end
 * @throws {XferError} SEAL_BROKEN if a line is too long
 */
async function* linesOf(path) {
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(path)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
      yield { line: bytes.subarray(start, end), whole: true }
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > LONGEST_BYTES) throw broken(path, 'a line is too long')
  }
  if (rest.length > 0) yield { line: rest, whole: false }
}

/** Whether a record is of an object. @param {any} record @returns {record is ManifestLine} */
function isLine(record) {
  const { action, name, bytes, sums = {} } = record
  const sized = bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= 0)
  return typeof action === 'string' && typeof name === 'string' && sized && typeof sums === 'object' && sums !== null
}

/**
 * The lines of a sealed manifest. Only once all of them were taken is it known that none is forged.
 *
 * @param {string} path
 * @param {import('node:crypto').KeyObject} [key] the public one with whose private one it has to be signed
 * @returns {AsyncGenerator<ManifestLine, { head: ManifestHead, seal: ManifestSeal }>}
 * @throws {XferError} SEAL_BROKEN
 */
async function* readSealed(path, key) {
  const form = formOf(path)
  const tree = createTree()
  /** @type {ManifestHead | undefined} */
  let head
  /** @type {ManifestSeal | undefined} */
  let seal
  try {
    for await (const { line } of linesOf(path)) {
      if (seal) throw broken(path, 'it goes on behind its seal')
      const record = form.decode(line.toString())
      if (record?.type === 'seal') {
        seal = record
        continue
      }
      tree.add(line)
      if (!head && record?.type === 'manifest' && record.version === VERSION) head = record
      else if (!head) throw broken(path, 'its first line is not that of a manifest of this version')
      else if (record && isLine(record)) yield record
      else if (!record?.columns) throw broken(path, `its line ${tree.count()} is none of a manifest`)
    }
  } catch (cause) {
    if (cause instanceof XferError) throw cause
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw usage(
      `The manifest ${path} cannot be read (${code ?? message}).`,
      'Name the file of --manifest-out; copy it to this machine if it is in a store.',
    )
  }
  if (!head || !seal) throw broken(path, 'it has no seal: it is not finished, or its end is lost')
  const fault = faultOf(seal, tree, key)
  if (fault) throw broken(path, fault)
  return { head, seal }
}

/**
 * Reads all of a manifest, and checks it.
 *
 * @param {string} path
 * @param {import('node:crypto').KeyObject} [key] as of `readSealed`
 * @returns {Promise<{ head: ManifestHead, seal: ManifestSeal, objects: number }>} objects: those that it says to be at the destination
 * @throws {XferError} SEAL_BROKEN
 */
async function checkManifest(path, key) {
  const lines = readSealed(path, key)
  let objects = 0
  for (let next = await lines.next(); ; next = await lines.next()) {
    if (next.done) return { ...next.value, objects }
    if (next.value.action !== 'delete') objects++
  }
}

module.exports = { VERSION, broken, checkManifest, isLine, linesOf, readSealed }
