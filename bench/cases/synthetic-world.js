'use strict'

/** Two synthetic stores, and the check of a copy between them. Shared by all cases on synthetic stores. */

const { makeCertificate } = require('../certificate')
const { startSyntheticStore } = require('../stores')

const BUCKET = 'bench'
const COPY = `${BUCKET}/copy`

/**
 * @param {Record<string, number>} made objects of the source by key, and their bytes
 * @param {{ home: string, tls?: boolean }} how
 */
async function startWorld(made, { home, tls = false }) {
  const certificate = tls ? makeCertificate(`${home}/certificate`) : undefined
  const names = Object.fromEntries(Object.entries(made).map(([key, bytes]) => [`${BUCKET}/${key}`, bytes]))
  const common = { certificate: certificate?.folder }
  const [source, destination] = await Promise.all([
    startSyntheticStore({ made: names, ...common }),
    startSyntheticStore(common),
  ])
  return {
    source,
    destination,
    pids: [...source.pids, ...destination.pids],

    /** @param {string} key @param {number} bytes @returns {import('../clients').Job} */
    job: (key, bytes) => ({
      source,
      destination,
      from: `${BUCKET}/${key}`,
      to: COPY,
      bytes,
      home,
      ca: certificate?.ca,
      synthetic: true,
    }),

    /** Resets the counters, and removes the last copy. @param {boolean} checking whether the destination computes the CRC-32 of the bytes that it gets */
    async prepare(checking) {
      await destination.remove(COPY)
      await Promise.all([source, destination].map(store => store.reset()))
      await destination.check(checking)
    },

    /**
     * Compares the CRC-32 of the bytes that the destination got with that of the source. The destination must have been checking.
     *
     * @param {string} key
     * @returns {Promise<string | undefined>} what is wrong
     */
    async judge(key) {
      const [made, copied] = await Promise.all([source.find(`${BUCKET}/${key}`), destination.find(COPY)])
      const { bytesIn } = await destination.counters()
      if (!made || !copied) return 'there is no copy'
      if (copied.bytes !== made.bytes || bytesIn < made.bytes) return `it copied ${copied.bytes} bytes of ${made.bytes}`
      return copied.found === made.crc32 ? undefined : `the copy's CRC-32 is ${copied.found}, not ${made.crc32}`
    },

    /** Whether the destination has an object of so many bytes. @param {string} key @param {number} bytes @returns {Promise<string | undefined>} what is wrong */
    async lacks(key, bytes) {
      const found = await destination.find(`${BUCKET}/${key}`)
      return found?.bytes === bytes ? undefined : `the object ${key} is missing`
    },

    close: () => Promise.all([source.close(), destination.close()]),
  }
}

module.exports = { startWorld, BUCKET, COPY }
