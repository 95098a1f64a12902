'use strict'

/** Calls about one location that move no bytes: checked, opened, told and closed in the same way. */

const { withHandler } = require('../async')
const { checkArguments } = require('../options')
const { openOne } = require('./open-one')

/** @typedef {import('./open-one').One} One */
/** @typedef {import('./open-one').OneWish & { onEvent?: (event: import('../types').AskEvent) => void }} AskWish */

/**
 * @typedef {object} Asked
 * @property {Parameters<typeof checkArguments>[0]} name of the library's function
 * @property {string} text of the location
 * @property {'source' | 'destination'} side whose options count
 * @property {NonNullable<Parameters<typeof openOne>[4]>['as']} [as]
 */

/**
 * @param {Asked} asked
 * @param {AskWish} options as the caller gave them
 * @param {import('../types').SideOptions} [more] options of the side that the function has beside them
 * @returns {Promise<One>} to be closed
 * @throws {import('../types').XferError} of exit status 2 or 4
 */
async function openAsked({ name, text, side, as }, options, more) {
  checkArguments(name, { [side]: text }, options)
  const emit = (/** @type {import('../types').JobEvent} */ event) =>
    options.onEvent?.(/** @type {any} */ ({ ...event, time: new Date().toISOString() }))
  return await openOne(text, side, { ...options, [side]: { ...options[side], ...more } }, emit, { as, alone: true })
}

/**
 * @template R
 * @param {Asked} asked
 * @param {AskWish} given as the caller gave them
 * @param {(one: One) => Promise<R>} work
 * @returns {Promise<R>}
 */
async function ask(asked, given, work) {
  return await withHandler('onEvent', given, async options => {
    const one = await openAsked(asked, options)
    try {
      return await work(one)
    } finally {
      await one.close()
    }
  })
}

module.exports = { ask, openAsked }
