'use strict'

/** @typedef {import('./contract').Side} Side */

/**
 * The endpoints of a plan, if its two locations do not tell them apart: the same bucket's name in two stores.
 *
 * @param {Record<'source' | 'destination', Pick<Side, 'text' | 'key' | 'store'>>} job
 * @returns {{ endpoints?: { source: string, destination: string } }}
 */
function endpointsOf({ source, destination }) {
  const [from, to] = [source.store.endpoint, destination.store.endpoint]
  if (from === to || containerOf(source) !== containerOf(destination)) return {}
  return { endpoints: { source: from, destination: to } }
}

/** @param {Pick<Side, 'text' | 'key'>} side @returns {string} `s3://profile@bucket/`, as it was typed */
function containerOf({ text, key }) {
  return text.slice(0, text.length - key.length)
}

module.exports = { endpointsOf }
