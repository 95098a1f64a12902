'use strict'

/** `xfer mb`: creates a bucket, or what the store calls it. */

const { usage } = require('../errors')
const { ask } = require('../job')
const { notice } = require('../notices')
const { nameFaultsText } = require('../stores')

/**
 * @param {string} location `s3://bucket`
 * @param {import('../types').MakeBucketOptions} [options]
 * @returns {Promise<import('../types').MadeBucket>}
 * @throws {XferError} USAGE if the store refuses such a name; DESTINATION_EXISTS, also if it is the caller's own; the store's refusals
 */
async function makeBucket(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'makeBucket', text: location, side: 'destination' })
  return await ask(asked, inRegion(options), async ({ place, end: { store, text }, run: { cancel: signal, emit } }) => {
    if (!store.makeContainer) {
      const advice = 'Name a bucket, such as s3://bucket; a copy makes the folders that it needs.'
      throw usage(`No bucket is made at ${text}.`, advice)
    }
    const { container = 'container' } = store.facts.terms ?? {}
    if (place.key !== '') {
      const advice = `Name the ${container} alone, such as s3://bucket.`
      throw usage(`${text} names more than a ${container}.`, advice)
    }
    const faults = store.nameFaults?.() ?? []
    const refused = faults.filter(fault => fault.refused)
    if (refused.length > 0) {
      const why = `The store makes no ${container} "${place.container}", because the name ${nameFaultsText(refused)}.`
      throw usage(why, 'Choose another name.')
    }
    if (faults.length > 0) emit(notice('NAME_BREAKS_RULES', { location: text, faults: nameFaultsText(faults) }))
    await store.makeContainer({ region: options.region }, { signal })
    return { location: text }
  })
}

/** The request goes to that region, too. @template {import('../types').MakeBucketOptions} T @param {T} options @returns {T} */
function inRegion(options) {
  const { region, destination } = options ?? {}
  return region === undefined ? options : { ...options, destination: { ...destination, region } }
}

module.exports = { makeBucket }
