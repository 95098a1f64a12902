'use strict'

/**
 * The lines of a manifest whose job lies in a store, as pieces beside the job: `manifests/ID/RUN/00000017-file` and `-held`. What the
 * journal says to be done has its lines there, so that another machine can go on with the manifest too.
 */

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const { inBatches, repeat } = require('../async')

/** Pieces that are read at once. */
const AT_ONCE = 8
const RETRIES = 5
/** In one request. */
const MOST_REMOVED = 500

/** @typedef {'file' | 'held'} MirrorKind */

/**
 * @param {import('../types').Bucket} bucket
 * @param {string} job its id
 * @returns {import('../types').ManifestMirror}
 */
function createMirror(bucket, job) {
  const folder = `manifests/${job}/`
  // Runs in order; two that write at once have pieces of their own.
  const run = `${folder}${new Date().toISOString()}-${randomBytes(4).toString('hex')}/`
  /** @type {Record<MirrorKind, string>} */
  const waiting = { file: '', held: '' }
  let pieces = 0

  return {
    async restore(paths, head) {
      for (const path of Object.values(paths)) fs.rmSync(path, { force: true })
      const listed = await bucket.list(folder)
      if (listed.length > 0) fs.writeFileSync(paths.file, head)
      for await (const batch of inBatches(listed, AT_ONCE)) {
        const texts = await Promise.all(batch.map(({ name }) => bucket.get(name)))
        for (const [i, { name }] of batch.entries()) {
          fs.appendFileSync(name.endsWith('-held') ? paths.held : paths.file, texts[i] ?? '')
        }
      }
    },

    add(kind, line) {
      waiting[kind] += `${line}\n`
    },

    async push() {
      for (const kind of /** @type {const} */ (['held', 'file'])) {
        const text = waiting[kind]
        if (text === '') continue
        const name = `${run}${String(++pieces).padStart(8, '0')}-${kind}`
        waiting[kind] = ''
        try {
          await repeat(() => bucket.putNew(name, Buffer.from(text)), { retries: RETRIES })
        } catch (error) {
          waiting[kind] = text + waiting[kind]
          throw error
        }
      }
    },

    async remove() {
      const names = (await bucket.list(folder)).map(({ name }) => name)
      for await (const batch of inBatches(names, MOST_REMOVED)) await bucket.remove(batch)
    },
  }
}

module.exports = { createMirror }
