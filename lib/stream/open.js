'use strict'

/** Opens what a download needs: its source, and the engine of this machine, which alone can fill the memory of this process. */

const { chooseEngine, findEngines } = require('../engines')
const { openOne, readEngine } = require('../job')
const { readerOf, silenceOf } = require('../options')
const { askLimits, shareRate, withRenewal } = require('../transfer')

/** @typedef {Awaited<ReturnType<typeof openDownload>>} Opened */

/** What the engine has to reach besides the source. @type {any} */
const MEMORY = { can: { reach: 'process' }, facts: { side: 'destination' } }

/**
 * It asks the network nothing.
 *
 * @param {string} location
 * @param {import('../types').DownloadOptions} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @param {AbortSignal} gone aborted when nobody reads any more
 * @throws {import('../types').XferError} of exit status 2, 4 or 5
 */
async function openDownload(location, options, emit, gone) {
  const settings = readSettings(options)
  const env = options.env ?? process.env
  const name = readEngine(options)
  const engines = await findEngines(name, options, env)
  const one = await openOne(location, 'source', options, emit)
  const { end: source, run } = one
  try {
    const { concurrency: most } = settings
    const { engine: plain, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, MEMORY] })
    const engine = withRenewal(plain, { source: source.store, destination: source.store })
    const allowed = await askLimits({ engine, settings, run })
    return {
      ...{ settings, source, run, engine, why },
      /** What a part may cost is known only once the object is. @param {number} partBytes */
      share: partBytes =>
        shareRate(
          { engine, settings },
          { concurrency: Math.min(most, allowed.concurrent), limits: allowed, partBytes },
        ),
      /** Aborted when the download ends before its end. */
      ended: AbortSignal.any([.../** @type {AbortSignal[]} */ ([run.cancel]), gone]),
      async close() {
        await engine.close()
        await one.close()
      },
    }
  } catch (error) {
    await one.close()
    throw error
  }
}

/** @param {import('../types').DownloadOptions} options */
function readSettings(options) {
  const read = readerOf('cat', options)
  // As of a copy to standard output, which gives its own default.
  const usual = readerOf('copy', {})('concurrency')
  const verify = read('verify')
  const concurrency = read('concurrency') ?? usual
  return Object.freeze({
    /** Undefined: xfer chooses the size of a range. */
    chunkBytes: read('chunk'),
    verify,
    proved: verify === 'auto' || verify === 'full',
    concurrency,
    usualConcurrency: concurrency === usual,
    bytesPerSecond: read('bandwidth'),
    retries: read('retries'),
    silenceMs: silenceOf(options),
    range: options.range === undefined ? undefined : require('./ranges').parseRange(options.range),
    dryRun: false,
  })
}

module.exports = { openDownload }
