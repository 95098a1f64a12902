'use strict'

/**
 * Opens one end alone, for whatever has no other: a command about one location, or an end whose other side is a stream.
 * It asks the network nothing.
 */

const { createCancellation } = require('../async')
const { optionsOfEverySide, readerOf, silenceOf } = require('../options')
const { createOutages } = require('../outage')
const { createPressure } = require('../schedule')
const { asFolder, asPrefix, identify, parsePlace, resolveSettings } = require('../stores')
const { openSide } = require('./open-side')
const { NO_JOURNAL } = require('./unkept')

/** @typedef {import('../types').JobEvent} JobEvent */

/**
 * What a call has, whatever its command is. `source` or `destination`: the options of the end, as its side.
 *
 * @typedef {Pick<import('../types').JobWish, 'env' | 'signal' | 'caBundle' | 'retries' | 'outageTimeout' | 'timeout' |
 *   'source' | 'destination'>} OneWish
 */

/**
 * @typedef {object} One
 * @property {import('../types').Place} place as it was parsed
 * @property {import('./contract').Side} end its store repeats control calls, and waits for the end of an outage
 * @property {import('./contract').Run} run how it is ended, what it tells, what the store bears; its journal keeps nothing
 * @property {import('../outage').Outages} outages
 * @property {number} retries
 * @property {() => Promise<void>} close timers and connections
 */

/**
 * @param {string} text of the location
 * @param {'source' | 'destination'} side whose options and environment variables count
 * @param {OneWish} options checked by `checkArguments`; durations and numbers as the caller gave them
 * @param {(event: JobEvent) => void} emit is told `retry` and `outage` events
 * @param {object} [how]
 * @param {'object' | 'account' | 'beginning' | 'prefix'} [how.as] object: a source needs a key; account: no container either;
 *   beginning: the key may be empty, and is left as it is, but for a folder, whose slash is appended; prefix: a slash is appended
 * @param {boolean} [how.alone] whether the command has one location, so that messages call it neither source nor destination
 * @returns {Promise<One>}
 * @throws {import('../types').XferError} of exit status 2 or 4
 */
async function openOne(text, side, options, emit, { as = 'object', alone = false } = {}) {
  const env = options.env ?? process.env
  const read = readerOf('copy', options)
  const retries = read('retries')
  const timeoutMs = read('timeout')
  const parsed = parsePlace(text, side, { containerAlone: as !== 'object', accountAlone: as === 'account' })
  const place = as === 'prefix' ? asPrefix(parsed) : as === 'object' ? parsed : asFolder(parsed)
  const shared = { caBundle: options.caBundle, ...optionsOfEverySide(options) }
  const settings = await resolveSettings(place, side, { ...shared, ...options[side] }, env)
  const outages = createOutages({ timeoutMs: read('outageTimeout'), emit })
  const pressure = createPressure({ outages, random: Math.random })
  const end = openSide(
    place,
    { ...settings, alone },
    {
      id: identify(place, settings).id,
      prefix: as === 'prefix',
      retries,
      silenceMs: silenceOf(options),
      peers: [side],
      ...{ outages, pressure, emit },
    },
  )
  const cancellation = createCancellation({ signal: options.signal, timeoutMs })
  const { cancel, abort } = cancellation
  return {
    ...{ place, end, outages, retries },
    run: Object.freeze({ cancel, abort, emit, journal: NO_JOURNAL, pressure }),
    async close() {
      cancellation.close()
      outages.close()
      end.store.close()
    },
  }
}

module.exports = { openOne }
