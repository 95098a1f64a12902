'use strict'

/**
 * A sealed manifest, with those of its ranges if the job was split: their files lie beside it, and its head has their roots. What it
 * says itself of a name is newer.
 */

const { chunksOf } = require('./file')
const { broken } = require('./records')
const { checkManifest, readSealed } = require('./seal')

/** @typedef {import('./file').OpenedManifest} OpenedManifest */
/** @typedef {import('../types').ManifestLine} ManifestLine */

/**
 * @param {OpenedManifest} opened
 * @param {string} path for messages
 * @param {object} how
 * @param {(file: string) => Promise<OpenedManifest>} how.beside opens a file by its name
 * @param {import('node:crypto').KeyObject} [how.key] the public one: the manifest is signed, and so the roots in it are
 * @returns {Promise<{ head: import('../types').ManifestHead, result: string, objects: number, batches: () => AsyncGenerator<ManifestLine[], void>, close: () => Promise<void> }>} objects:
 *   those that are said to be at the destination; result: 'done', or the first other one, of the manifest or of a range; batches: its
 *   lines, checked again while they are read; close: of those beside it
 * @throws {import('../types').XferError} SEAL_BROKEN, BAD_MANIFEST
 */
async function openSealed(opened, path, { beside, key }) {
  const { head, seal, objects } = await checkManifest(chunksOf(opened), path, key)
  /** @type {Array<{ opened: OpenedManifest, path: string }>} */
  const ranges = []
  /** Of the manifest itself. @type {Set<string>} */
  const named = new Set()
  let all = objects
  let { result } = seal
  const isOld = (/** @type {ManifestLine} */ { name }) => named.has(name)

  async function* batches() {
    yield* readSealed(chunksOf(opened), path, key)
    for (const range of ranges) {
      for await (const some of readSealed(chunksOf(range.opened), range.path)) yield some.filter(line => !isOld(line))
    }
  }

  const close = async () => {
    for (const range of ranges) await range.opened.handle.close()
  }

  try {
    if (head.ranges)
      for await (const some of readSealed(chunksOf(opened), path, key)) for (const { name } of some) named.add(name)
    for (const { file, lines, root } of head.ranges ?? []) {
      const range = { opened: await beside(file), path: file }
      ranges.push(range)
      const found = await checkManifest(chunksOf(range.opened), file, undefined, isOld)
      if (found.seal.lines !== lines || found.seal.root !== root)
        throw broken(file, `it is not the one of which ${path} has the root`)
      all += found.objects
      if (result === 'done') ({ result } = found.seal)
    }
    return { head, result, objects: all, batches, close }
  } catch (error) {
    await close()
    throw error
  }
}

module.exports = { openSealed }
