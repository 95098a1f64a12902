'use strict'

/**
 * A second small store of the contract, on the server of toy-store.js, whose uploads are as far from those of S3 as they may be:
 * an upload is begun without a request, each attempt at a part writes a block with a name of its own, the completion brings the
 * attributes and removes all other blocks of the object, and nothing aborts an upload: its blocks lapse. Its checksum is
 * CRC-64/NVME.
 */

const { randomBytes } = require('node:crypto')
const { createToyClient, createToyStore, toy } = require('./toy-store')

const MiB = 1024 ** 2
const WEEK_MS = 7 * 24 * 60 * 60_000

/** @returns {import('../../lib/stores/contract').Store} */
function createBlockStore(place, settings, { location, now = Date.now }) {
  const store = createToyStore(place, { answered: ['crc64nvme'], ...settings }, { location, now })
  const { write, call, headersFor } = createToyClient(place, settings, { location, now })
  const facts = { ...store.facts, terms: block.terms() }

  /** The blocks of an upload. The name of a block is that of its upload, the part's number, and that of the attempt. */
  async function blocksOf(key, signal) {
    const { blocks } = await call('GET', key, { query: { block: '' }, signal })
    return blocks.map(({ name, bytes }) => {
      const [upload, partNumber] = name.split('.')
      return { upload, part: { partNumber: Number(partNumber), etag: name, bytes } }
    })
  }

  return {
    ...{ ...store, scheme: 'block', facts },
    limits: { minBytes: 1, maxBytes: 4000 * MiB, maxParts: 50_000, equalParts: false },
    upload: {
      attributesAt: 'completion',
      lapse: { afterMs: WEEK_MS, words: 'the store removes such blocks a week after the last one' },

      async create() {
        return { id: randomBytes(6).toString('hex'), checksums: false }
      },
      async part({ key, uploadId, partNumber, bytes }) {
        const tag = `${uploadId}.${partNumber}.${randomBytes(3).toString('hex')}`
        return { ...write(key, { block: tag }, { 'content-length': String(bytes) }), tag }
      },
      async parts({ key, uploadId, marker = '0', most = 1000 }, { signal } = {}) {
        const parts = (await blocksOf(key, signal))
          .filter(({ upload, part }) => upload === uploadId && part.partNumber > Number(marker))
          .map(({ part }) => part)
          .sort((one, other) => one.partNumber - other.partNumber)
        const numbers = [...new Set(parts.map(({ partNumber }) => partNumber))].slice(0, most)
        const page = parts.filter(({ partNumber }) => numbers.includes(partNumber))
        return { parts: page, next: page.length < parts.length ? String(numbers.at(-1)) : undefined }
      },
      async complete({ key, parts, attributes }, { signal } = {}) {
        const json = { names: parts.map(({ etag }) => etag) }
        const headers = headersFor(attributes)
        const { version } = await call('POST', key, { query: { block: '' }, headers, json, signal, of: 'write' })
        return { etag: version }
      },
      async pending({ prefix }, { signal } = {}) {
        const { keys } = await call('GET', undefined, { query: { blocks: prefix }, signal })
        const found = keys.map(async key => {
          const uploads = new Set((await blocksOf(key, signal)).map(({ upload }) => upload))
          return [...uploads].map(id => ({ key, id }))
        })
        return { uploads: (await Promise.all(found)).flat() }
      },
    },
  }
}

/** @type {import('../../lib/stores/contract').StoreFactory<any>} */
const block = {
  ...toy,
  schemes: ['block'],
  example: 'block://container/key',
  forms: 'block://container/key',
  configured: 'block:// by nothing',
  // Those of toy-store.js.
  options: [],
  terms: () => ({ ...toy.terms(), part: 'block' }),
  parse: (text, side) => ({ ...toy.parse(text.replace('block:', 'toy:'), side), scheme: 'block' }),
  open: createBlockStore,
}

module.exports = { block }
