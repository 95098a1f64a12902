'use strict'

/** Checks that the options of a side are options of its store: another store's would be ignored silently. */

const { XferError } = require('../errors')
const { STORES, factoryOfText } = require('../stores')
const { flagOf } = require('./table')

/**
 * @param {{ source?: unknown, destination?: unknown }} places as they were given
 * @param {Record<string, any>} options
 * @throws {XferError} USAGE
 */
function checkSideOptions(places, options) {
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    const store = factoryOfText(String(places[side] ?? ''))
    if (!store) continue
    const own = store.options.map(({ name }) => name)
    const foreign = STORES.flatMap(({ options: specs, schemes }) => specs.map(spec => ({ spec, schemes }))).find(
      ({ spec }) => spec.sides && !own.includes(spec.name) && options[side]?.[spec.name] !== undefined,
    )
    if (!foreign) continue
    const [theirs, ours] = [foreign, store].map(({ schemes }) => `${schemes[0]}://`)
    const text = `${flagOf(foreign.spec, side)} is an option for ${theirs}, and the ${side} is ${ours}.`
    throw new XferError('USAGE', { text, advice: 'Leave it out.' })
  }
}

module.exports = { checkSideOptions }
