'use strict'

/**
 * The lines of a manifest whose job lies in a store, as pieces beside the job: `manifests/ID/RUN/00000017-file`, and `-held` for
 * FILE.held. What the journal says to be done has its lines there, so that another machine can go on with the manifest too. Nothing
 * is replaced: `-again` has the names whose lines of earlier runs count no more.
 */

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const { inBatches, repeat } = require('../async')
const { decode } = require('./line')

/** Pieces that are read at once. */
const AT_ONCE = 8
const RETRIES = 5
/** Of a piece, in characters: it is read as a whole. */
const MOST_CHARS = 2 * 1024 ** 2

/** @typedef {'file' | 'held' | 'again'} MirrorKind */

/**
 * @param {import('../types').Bucket} bucket
 * @param {string} job its id
 * @returns {import('../types').ManifestMirror}
 */
function createMirror(bucket, job) {
  const folder = `manifests/${job}/`
  // In the order of the runs; two that write at once have pieces of their own.
  const run = `${new Date(bucket.now()).toISOString()}-${randomBytes(4).toString('hex')}`
  /** @type {Record<MirrorKind, string>} */
  const waiting = { file: '', held: '', again: '' }
  let pieces = 0
  /** One push after the other. */
  let pushing = Promise.resolve()

  /** @param {string} name */
  const partsOf = name => {
    const [of, piece] = name.slice(folder.length).split('/')
    return { of, kind: piece.slice(piece.lastIndexOf('-') + 1) }
  }

  /** The text of pieces, in order. @param {string[]} names */
  async function* textsOf(names) {
    for await (const batch of inBatches(names, AT_ONCE)) {
      const texts = await Promise.all(batch.map(name => bucket.get(name)))
      for (const [i, name] of batch.entries()) yield { ...partsOf(name), text: String(texts[i] ?? '') }
    }
  }

  async function write() {
    // What takes lines back is there before the lines that count in their place.
    for (const kind of /** @type {const} */ (['held', 'again', 'file'])) {
      while (waiting[kind] !== '') {
        const text = waiting[kind]
        const end = text.length <= MOST_CHARS ? text.length : text.indexOf('\n', MOST_CHARS) + 1 || text.length
        const name = `${folder}${run}/${String(++pieces).padStart(8, '0')}-${kind}`
        await repeat(() => bucket.putNew(name, Buffer.from(text.slice(0, end))), { retries: RETRIES })
        waiting[kind] = waiting[kind].slice(end)
      }
    }
  }

  return {
    async restore(paths, head) {
      for (const path of Object.values(paths)) fs.rmSync(path, { force: true })
      const names = (await bucket.list(folder)).map(({ name }) => name)
      if (names.length > 0) fs.writeFileSync(paths.file, head)
      /** The last run that has written each of them again. @type {Map<string, string>} */
      const again = new Map()
      for await (const { of, text } of textsOf(names.filter(name => partsOf(name).kind === 'again'))) {
        for (const line of text.split('\n')) if (line !== '') again.set(JSON.parse(line), of)
      }
      for await (const { of, kind, text } of textsOf(names.filter(name => partsOf(name).kind !== 'again'))) {
        const isOld = (/** @type {string} */ line) => again.size > 0 && (again.get(decode(line)?.name) ?? '') > of
        const lines = text.split(/(?<=\n)/).filter(line => !isOld(line.trimEnd()))
        fs.appendFileSync(kind === 'held' ? paths.held : paths.file, lines.join(''))
      }
    },

    add(kind, line) {
      waiting[kind] += `${line}\n`
    },

    push() {
      const pushed = pushing.then(write)
      pushing = pushed.catch(() => {})
      return pushed
    },

    async remove() {
      await bucket.remove((await bucket.list(folder)).map(({ name }) => name))
    },
  }
}

module.exports = { createMirror }
