'use strict'

/** The checks of `xfer doctor` of a key: whether it can be read, or written beside. They leave nothing behind. */

const { resolveSide } = require('./place')
const { openRedisStore } = require('./store')

const CHECK_MS = 30_000
const ASK_MS = 10_000

/** @type {NonNullable<import('../contract').StoreFactory['checks']>} */
function checksOf(place, { side, options, env }) {
  const reads = side === 'source'
  /** @param {AbortSignal} signal */
  async function run(signal) {
    const settings = await resolveSide(place, side, options, env)
    const store = openRedisStore({ place, settings: { ...settings, silenceMs: ASK_MS } })
    const key = place.key || 'xfer-doctor'
    const at = `${place.scheme}://${place.container}/${key}`
    if (reads) {
      const { bytes } = await store.head(key, { signal })
      return { ok: true, detail: `${at} has ${bytes.toLocaleString('en-US')} bytes.` }
    }
    const attributes = { metadata: { headers: {}, user: {} } }
    const { id } = await store.upload.create({ key, attributes, checksum: false }, { signal })
    await store.upload.abort?.({ key, uploadId: id }, { signal })
    return { ok: true, detail: `A value was written beside ${at}, and removed.` }
  }
  return [{ name: reads ? 'source reading' : 'destination writing', limitMs: CHECK_MS, cleans: !reads, run }]
}

module.exports = { checksOf }
