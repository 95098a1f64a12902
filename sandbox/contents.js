'use strict'

/**
 * What the sandbox's stores hold when they are ready: the first one large object and a prefix with small ones, the second
 * an upload that nobody finishes.
 */

const { open, putInto, putRandom } = require('./objects')

const KIB = 1024
const MIB = 1024 * KIB

/** @type {{ key: string, bytes: number }} */
const LARGE = { key: 'raid.tar', bytes: 300 * MIB }

const PREFIX = '2026/'
const PHOTOS = 12

/** @type {Array<{ key: string, bytes: number }>} */
const SMALL = [
  ...Array.from({ length: PHOTOS }, (_, i) => ({
    key: `${PREFIX}IMG_${String(i + 1).padStart(4, '0')}.jpg`,
    bytes: (1500 + 250 * i) * KIB,
  })),
]

const NOTES = Array.from({ length: 40 }, (_, i) => `Note ${String(i + 1).padStart(2, '0')}: nothing else to tell`)
const TEXT = { key: `${PREFIX}notes.txt`, body: Buffer.from(NOTES.map(line => `${line}\n`).join('')) }

const ABANDONED = 'away.tar'

/** For people. */
const CONTENTS = `${LARGE.key} (${LARGE.bytes / MIB} MiB) and ${PREFIX} (${SMALL.length + 1} objects)`

/** @param {import('./sandbox').StoreAccess} store @param {string} bucket */
async function fill(store, bucket) {
  await Promise.all([
    ...[LARGE, ...SMALL].map(object => putRandom(store, { bucket, ...object })),
    putText(store, bucket),
  ])
}

/** @param {import('./sandbox').StoreAccess} access @param {string} bucket */
async function putText(access, bucket) {
  const store = open(access, bucket)
  const { key, body } = TEXT
  try {
    await putInto(store, { key, bytes: body.length }, [body])
  } finally {
    store.close()
  }
}

/** Begins an upload, as a program that is gone. @param {import('./sandbox').StoreAccess} access @param {string} bucket */
async function abandonUpload(access, bucket) {
  const store = open(access, bucket)
  try {
    await store.upload.create({ key: ABANDONED, attributes: { metadata: { headers: {}, user: {} } }, checksum: false })
  } finally {
    store.close()
  }
}

module.exports = { fill, abandonUpload, CONTENTS }
