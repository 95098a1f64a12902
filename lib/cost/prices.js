'use strict'

/**
 * The prices that xfer knows, in US dollars: list prices without free tiers, discounts, regions and taxes. They change: none is told
 * without its date. What is not here is unknown, never free.
 */

const { noRequests } = require('./usage')

const SOURCE = 'secondary sources of 2026'
const DATE = '2026-11'

/** The units of a price, and how much of what is counted each is: requests, bytes, GB-seconds (1 GB of memory is 1024 MB). */
const OF_REQUESTS = { request: 1, 'thousand requests': 1e3, 'million requests': 1e6 }
const OF_BYTES = { GB: 1e9, GiB: 1024 ** 3 }

/** What has a price; words: for what is no request. @type {Record<string, { words?: string, units: Record<string, number> }>} */
const KINDS = {
  egress: { words: 'bytes that leave', units: OF_BYTES },
  function: { words: 'GB-seconds of', units: { 'GB-second': 1, 'GiB-second': 1 } },
  invocation: { words: 'invocations of', units: OF_REQUESTS },
  ...Object.fromEntries(Object.keys(noRequests()).map(kind => [kind, { units: OF_REQUESTS }])),
}

/** @typedef {{ provider: string, what: string, price: number, unit: string, source: string, date: string }} Price */

/** @param {string} provider @param {string[]} kinds @param {number} price @param {string} unit @returns {Price[]} */
const rows = (provider, kinds, price, unit) =>
  kinds.map(what => ({ provider, what, price, unit, source: SOURCE, date: DATE }))

/** A `provider` is a store, a platform, or the cloud of both: the first row that fits counts. */
const PRICES = [
  ...rows('Amazon S3', ['PUT', 'COPY', 'POST', 'LIST'], 0.005, 'thousand requests'),
  ...rows('Amazon S3', ['GET', 'HEAD'], 0.0004, 'thousand requests'),
  ...rows('Amazon S3', ['DELETE'], 0, 'thousand requests'),
  ...rows('AWS', ['egress'], 0.09, 'GB'),
  ...rows('Azure', ['egress'], 0.087, 'GB'),
  ...rows('Google Cloud', ['egress'], 0.12, 'GB'),
  ...rows('Cloudflare R2', ['egress'], 0, 'GB'),
  ...rows('AWS Lambda', ['function'], 0.0000166667, 'GB-second'),
  ...rows('AWS Lambda arm64', ['function'], 0.0000133334, 'GB-second'),
  ...rows('AWS Lambda', ['invocation'], 0.2, 'million requests'),
  ...rows('AWS Lambda arm64', ['invocation'], 0.2, 'million requests'),
  ...rows('DigitalOcean Functions', ['function'], 0.0000185, 'GiB-second'),
]

/** The clouds, with their providers: between two of one cloud no bytes leave it. */
const CLOUDS = Object.entries({
  AWS: ['Amazon S3', 'AWS Lambda', 'AWS Lambda arm64'],
  Azure: ['Azure Blob Storage'],
  'Google Cloud': ['Google Cloud Storage'],
  DigitalOcean: ['DigitalOcean Spaces', 'DigitalOcean Functions'],
})

/** @param {string} provider @returns {string} its cloud, or itself */
const cloudOf = provider => CLOUDS.find(([, providers]) => providers.includes(provider))?.[0] ?? provider

module.exports = { cloudOf, KINDS, PRICES }
