'use strict'

/** Reads a manifest that xfer wrote, and checks its seal. */

const { VERSION, decode, isLine } = require('./line')
const { broken, lines, recordsOf } = require('./records')
const { createTree, faultOf } = require('./seal')

/** @typedef {import('../types').ManifestLine} ManifestLine */
/** @typedef {import('../types').ManifestHead} ManifestHead */
/** @typedef {import('../types').ManifestSeal} ManifestSeal */

/**
 * The lines of a sealed manifest, in batches. Only once all of them were taken is it known that none is forged.
 *
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {string} path for messages
 * @param {import('node:crypto').KeyObject} [key] the public one with whose private one it has to be signed
 * @returns {AsyncGenerator<ManifestLine[], ManifestHead>}
 * @throws {import('../types').XferError} SEAL_BROKEN
 */
async function* readSealed(chunks, path, key) {
  const tree = createTree()
  /** @type {ManifestHead | undefined} */
  let head
  /** @type {ManifestSeal | undefined} */
  let seal
  for await (const { records } of recordsOf(chunks, path, lines, { ignoreBOM: true })) {
    const found = []
    for (const text of records) {
      if (seal) throw broken(path, 'it goes on behind its seal')
      const record = decode(text)
      if (record?.type === 'seal') {
        seal = record
        continue
      }
      tree.add(text)
      if (!head && record?.type === 'manifest' && record.version === VERSION) head = record
      else if (!head) throw broken(path, 'its first line is not that of a manifest of this version')
      else if (record && isLine(record)) found.push(record)
      else if (record?.type !== 'columns') throw broken(path, `its line ${tree.count()} is none of a manifest`)
    }
    yield found
  }
  if (!head || !seal) throw broken(path, 'it has no seal: it is not finished, or its end is lost')
  const fault = faultOf(seal, tree, key)
  if (fault) throw broken(path, fault)
  return head
}

/**
 * Reads all of a manifest, and checks it.
 *
 * @type {(...given: Parameters<typeof readSealed>) => Promise<{ head: ManifestHead, objects: number }>} objects: those that it says
 *   to be at the destination
 */
async function checkManifest(...given) {
  const batches = readSealed(...given)
  let objects = 0
  for (let next = await batches.next(); ; next = await batches.next()) {
    if (next.done) return { head: next.value, objects }
    objects += next.value.filter(({ action }) => action !== 'delete').length
  }
}

module.exports = { checkManifest, readSealed }
