'use strict'

/**
 * The world of the contract's suite for files: each bucket is a folder, and the keys that the suite uses are below it. The store's own
 * keys are absolute paths.
 */

const { mkdirSync } = require('node:fs')
const { join } = require('node:path')
const { openStore, parsePlace } = require('../../lib/stores')
const { newFolder } = require('../support/folder')

/** @param {import('../../lib/types').Store} store @param {string} base before every key @returns {import('../../lib/types').Store} */
function below(store, base) {
  const to = of => ({ ...of, key: base + of.key })
  const back = ({ key, ...rest }) => ({ key: key.slice(base.length), ...rest })
  const { upload } = store
  return {
    ...store,
    head: (key, options) => store.head(base + key, options),
    read: of => store.read(to(of)),
    put: of => store.put(to(of)),
    heeds: of => store.heeds(to(of)),
    remove: of => store.remove(to(of)),
    async list({ prefix, marker, after, ...more }) {
      const from = { marker: marker && base + marker, after: after && base + after }
      const { objects, prefixes, next } = await store.list({ prefix: base + prefix, ...from, ...more })
      const found = prefixes && { prefixes: prefixes.map(one => one.slice(base.length)) }
      return { objects: objects.map(back), ...found, next: next?.slice(base.length) }
    },
    upload: {
      ...upload,
      create: of => upload.create(to(of)),
      part: of => upload.part(to(of)),
      parts: of => upload.parts(to(of)),
      complete: of => upload.complete(to(of)),
      abort: of => upload.abort(to(of)),
      async pending({ prefix }) {
        const { uploads } = await upload.pending({ prefix: base + prefix })
        return { uploads: uploads.map(back) }
      },
    },
  }
}

/** @returns {Promise<import('./store').World>} */
async function fileWorld() {
  const root = newFolder()
  return {
    open(name) {
      // Of a destination a missing folder is no error: it is made.
      const side = name === 'no-such-bucket' ? 'source' : 'destination'
      const place = parsePlace(`${join(root, name)}/`, side, { containerAlone: true })
      return below(openStore(place, { side, keep: {} }), place.key)
    },
    createBucket: name => void mkdirSync(join(root, name)),
    strangers: () => [],
    traits: {
      ...{ pathKeys: false, conditions: true, conditionalRemoval: true, makesBuckets: true, silentReads: true },
      keeps: () => ({ headers: {}, user: { mtime: expect.any(String) } }),
      bucketFact: name => `${join(root, name)}/`,
      lacks: ['partSize', 'serverCopy', 'tags'],
    },
    close: async () => {},
  }
}

module.exports = { fileWorld }
