'use strict'

/**
 * The prices that xfer knows, in US dollars: list prices without free tiers, discounts, regions and taxes. They change: none is told
 * without its date. What is not here is unknown, never free.
 */

const { readFile } = require('node:fs/promises')
const { XferError, usage: misuse } = require('../errors')
const { ASSUMED_BYTES_PER_SECOND } = require('./forecast')
const { noRequests, usageOf } = require('./usage')

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

/** What a job's usage costs, by a table of prices; and the user's own table. */

/** @typedef {import('../types').JobUsage} JobUsage */
/** @typedef {import('../types').JobCost} JobCost */
/** @typedef {Pick<import('../job/contract').Job, 'settings' | 'source' | 'destination' | 'engine' | 'run'>} PricedJob */
/** What has one price, or none that is known. @typedef {{ kinds: string[], provider: string, count: number, row?: Price }} Line */

/**
 * @param {JobUsage} usage
 * @param {PricedJob} job
 * @param {Price[]} prices the first that fits counts
 * @returns {JobCost}
 */
function costOf({ requests, bytesOut, invocations, gbSeconds = 0 }, { settings, engine, run, ...ends }, prices) {
  const from = providerOf(ends.source.store, prices)
  const to = providerOf(ends.destination.store, prices)
  const functions = { reach: engine.reach, endpoint: engine.where, provider: run.usage.provider() ?? engine.provider }
  const platform = engine.runsOn === 'platform' ? providerOf(functions, prices) : undefined
  /** @type {Used[]} */
  const used = [
    ...usedOf(from, requests.source),
    ...usedOf(to, requests.destination),
    // Bytes go from a store to the function, or to this machine, and from a function to a store.
    [from, 'egress', isApart(from, platform) ? bytesOut.source : 0],
    [to, 'egress', isApart(to, platform) ? bytesOut.destination : 0],
    [platform, 'egress', isApart(platform, to) ? bytesOut.source : 0],
    ...usedOf(platform, { function: gbSeconds, invocation: invocations }),
  ]
  const priced = priceOf(used, prices)
  const { lines } = priced

  const near = [from, to].filter(store => store !== undefined && !isApart(store, platform))
  const places = [...new Set([...near, platform])].join(' and ')
  const moved = bytesOut.source + bytesOut.destination > 0
  const guessed = settings.dryRun && settings.pace === undefined && gbSeconds > 0 && platform !== undefined
  const pace = `${ASSUMED_BYTES_PER_SECOND / 1e6} MB a second`
  /** @type {Array<[holds: boolean, text: string]>} */
  const notes = [
    [moved && near.length > 0, `${places} are taken to be in one region, where bytes that move cost nothing.`],
    [moved && from !== undefined && !platform, 'This machine is taken to be outside of every cloud.'],
    [guessed, `A function is taken to move ${pace}; xfer probe measures it, and --probe takes its report.`],
    [lines.some(({ unit, amount }) => unit in KINDS.egress.units && amount > 0), SWITCHING],
  ]
  return { ...priced, notes: notes.flatMap(([holds, text]) => (holds ? [text] : [])) }
}

/** Something that was used; provider: undefined: of this machine. @typedef {[provider: string | undefined, kind: string, count: number]} Used */

/** @param {Used[0]} provider @param {Record<string, number>} counts by kind @returns {Used[]} */
const usedOf = (provider, counts) => Object.entries(counts).map(([kind, count]) => [provider, kind, count])

/** @param {Used[]} used @param {Price[]} prices @returns {JobCost} without notes */
function priceOf(used, prices) {
  /** @type {Map<string, Line>} */
  const found = new Map()
  for (const [provider, kind, count] of used) {
    if (provider === undefined || count === 0) continue
    const row = prices.find(one => one.what === kind && [provider, cloudOf(provider)].includes(one.provider))
    const key = [provider, KINDS[kind].words, row?.price, row?.unit].join()
    const line = found.get(key) ?? { kinds: [], provider, count: 0, row }
    if (!line.kinds.includes(kind)) line.kinds.push(kind)
    line.count += count
    found.set(key, line)
  }
  const all = [...found.values()]
  const lines = all.flatMap(line => (line.row ? [lineOf(line, line.row)] : []))
  const unknown = all.filter(({ row }) => !row).map(wordsOf)
  const total = rounded(lines.reduce((sum, { amount }) => sum + amount, 0))
  return { lines, total, currency: 'USD', unknown, notes: [] }
}

/**
 * Of a job that functions run: what they used, and the functions that moved its bytes. Its requests, and the bytes that left, nobody counts.
 *
 * @param {Required<Omit<import('../types').RunnerUse, 'provider' | 'progress' | 'idle' | 'engine'>> & { provider?: string }} use
 * @param {Price[]} prices
 * @returns {JobCost}
 */
function costOfRunner({ where, provider, runs, gbSeconds, calls, functionGbSeconds }, prices) {
  const platform = providerOf({ provider, reach: 'network', endpoint: where }, prices)
  return priceOf(usedOf(platform, { function: gbSeconds + functionGbSeconds, invocation: runs + calls }), prices)
}

/** @param {Line} line */
const wordsOf = ({ kinds, provider }) =>
  KINDS[kinds[0]].words ? `${KINDS[kinds[0]].words} ${provider}` : `${kinds.join(', ')} at ${provider}`

/** @param {Line} line @param {Price} row @returns {JobCost['lines'][number]} */
function lineOf(line, { price, unit, source, date }) {
  const count = line.count / KINDS[line.kinds[0]].units[unit]
  return { what: wordsOf(line), count: rounded(count), unit, price, amount: rounded(count * price), source, date }
}

/** @param {number} amount */
const rounded = amount => Math.round(amount * 1e9) / 1e9

/** Whether bytes between them cross the edge of a cloud. @param {string | undefined} one @param {string | undefined} other */
const isApart = (one, other) => one === undefined || other === undefined || cloudOf(one) !== cloudOf(other)

/**
 * @param {{ provider?: string, can?: { reach?: string }, reach?: string, endpoint?: string }} of a store or an engine
 * @param {Price[]} prices
 * @returns {string | undefined} a name of the tables, or its host; undefined: it is of this machine, which has no prices unless the
 *   user's table names its host
 */
function providerOf({ provider, can, reach = can?.reach, endpoint = '' }, prices) {
  const host = URL.canParse(endpoint) ? new URL(endpoint).host : endpoint
  if (reach === 'network') return provider ?? host
  return prices.some(row => row.provider === host) ? host : undefined
}

/** https://eur-lex.europa.eu/eli/reg/2023/2854/oj */
const SWITCHING =
  'In the EU, charges for switching to another provider, those for data that leave included, end on 12 January 2027: Regulation (EU) 2023/2854, Article 29.'

/**
 * @param {string | undefined} path of the user's table, YAML or JSON
 * @returns {Promise<Price[]>} its rows before those that xfer has
 * @throws {XferError} USAGE
 */
async function readPrices(path) {
  if (path === undefined) return PRICES
  const advice = 'Give a list of { provider, what, price, unit, source, date }: docs/guides/cost.md has an example.'
  const wrong = (/** @type {string} */ why) => misuse(`The prices in ${path} cannot be used: ${why}.`, advice)
  const rows = await readFile(path, 'utf8')
    .then(text => require('yaml').parse(text, { logLevel: 'error' }))
    .catch(({ syscall, code, message }) => {
      // The lines after the first one quote the file.
      throw wrong(syscall ? `the file cannot be read (${code})` : message.split('\n')[0].replace(/[.:]$/, ''))
    })
  if (!Array.isArray(rows)) throw wrong('it has no list of rows')
  const faults = rows.map(row => faultOf(Object(row)))
  const at = faults.findIndex(Boolean)
  if (at >= 0) throw wrong(`row ${at + 1} ${faults[at]}`)
  return [...rows, ...PRICES]
}

/** @param {unknown} value */
const isText = value => typeof value === 'string' && value !== ''

/** What each field of a row has to be, and what is said if it is not. @type {Record<string, [fits: (value: any, row: any) => boolean, fault: (row: any) => string]>} */
const FIELDS = {
  ...Object.fromEntries(
    ['provider', 'source', 'date'].map(name => [name, [isText, () => `has no text for "${name}"`]]),
  ),
  what: [what => Object.keys(KINDS).includes(what), () => `has none of ${Object.keys(KINDS).join(', ')} as its "what"`],
  price: [price => typeof price === 'number' && price >= 0 && price < 1e9, () => 'has no number as its "price"'],
  unit: [
    (unit, { what }) => Object.keys(KINDS[what].units).includes(unit),
    ({ what }) => `needs as its "unit" one of ${Object.keys(KINDS[what].units).join(', ')}`,
  ],
}

/** @param {Record<string, unknown>} row @returns {string | undefined} what is wrong with it */
function faultOf(row) {
  const other = Object.keys(row).find(name => !Object.hasOwn(FIELDS, name))
  if (other !== undefined) return `has an unknown field "${other}"`
  return Object.entries(FIELDS).find(([name, [fits]]) => !fits(row[name], row))?.[1][1](row)
}

/** @param {unknown} given @returns {number} US dollars @throws {XferError} USAGE */
function readAmount(given) {
  const text = String(given).trim().replace(/^\$/, '')
  if (/^\d+(?:\.\d+)?$/.test(text) && Number.isFinite(Number(text))) return Number(text)
  throw misuse(`--max-cost "${given}" is no amount.`, 'Give US dollars, such as 5 or 0.50.')
}

/**
 * @param {PricedJob} job of a dry run
 * @param {Price[]} prices
 * @param {number} most US dollars
 * @throws {XferError} TOO_EXPENSIVE
 */
function checkPlan(job, prices, most) {
  const { total, unknown } = costOf(usageOf([job.run.usage]), job, prices)
  if (total > most) throw new XferError('TOO_EXPENSIVE', { total, most, unknown })
}

module.exports = { checkPlan, costOf, costOfRunner, readAmount, readPrices }
