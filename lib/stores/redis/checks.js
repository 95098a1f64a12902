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
    const at = `${store.endpoint}/${new URL(`${place.scheme}://${place.container}`).pathname.slice(1)}`
    if (place.key === '') {
      await store.ping({ signal })
      return { ok: true, detail: `${at} answers: name a key to have it tried.` }
    }
    if (reads) {
      const { bytes } = await store.head(place.key, { signal })
      return { ok: true, detail: `${at}/${place.key} has ${bytes.toLocaleString('en-US')} bytes.` }
    }
    const attributes = { metadata: { headers: {}, user: {} } }
    const { id } = await store.upload.create({ key: place.key, attributes, checksum: false }, { signal })
    await store.upload.abort?.({ key: place.key, uploadId: id }, { signal })
    return { ok: true, detail: `A value was written beside ${at}/${place.key}, and removed.` }
  }
  return [{ name: reads ? 'source reading' : 'destination writing', limitMs: CHECK_MS, cleans: !reads, run }]
}

module.exports = { checksOf }
