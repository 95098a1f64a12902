'use strict'

/** Opens the job of an upload: a copy whose source is no location, but a stream of this process. It asks the network nothing. */

const { createTrust } = require('../destination')
const { chooseEngine, findEngines } = require('../engines')
const { XferError } = require('../errors')
const { checkAttributes, checkMetadata, placeText } = require('../stores')
const { withRenewal } = require('../transfer')
const { readSettings } = require('./open')
const { openOne } = require('./open-one')
const { readEngine } = require('./wish')

/**
 * @param {import('./contract').Side} source
 * @param {string} destinationText
 * @param {import('../types').JobWish} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @returns {Promise<import('./contract').Job>} without a journal: a stream cannot be gone on with
 * @throws {XferError} of exit status 2, 4 or 5
 */
async function openUpload(source, destinationText, options, emit) {
  const env = options.env ?? process.env
  const settings = readSettings(options, { prefixes: false })
  const name = readEngine(options)
  const engines = await findEngines(name, options, env)
  const one = await openOne(destinationText, 'destination', options, emit)
  try {
    const { place, end: destination, run } = one
    checkNamed(place)
    checkAttributes(place, destination.settings, settings.attributes)
    checkMetadata(destination.store, settings.attributes.given)
    const { engine, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, destination.store] })
    return Object.freeze({
      ...{ settings, source, destination, why, run },
      engine: withRenewal(engine, { source: source.store, destination: destination.store }),
      asksServer: /** @type {const} */ (false),
      trust: createTrust(destination.store, { retries: settings.retries, emit }),
      async close() {
        await one.close()
        await engine.close()
      },
    })
  } catch (error) {
    await one.close()
    throw error
  }
}

/** @param {import('../types').Place} place @throws {XferError} USAGE */
function checkNamed(place) {
  if (place.key !== '' && !place.key.endsWith('/')) return
  throw new XferError('USAGE', {
    text: `The destination ${placeText(place)} names no object, and a stream has no name to append.`,
    advice: 'Give the destination a key.',
  })
}

module.exports = { openUpload }
