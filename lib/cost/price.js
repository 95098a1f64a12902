'use strict'

/** What a job's usage costs, by a table of prices; and the user's own table. */

const { readFile } = require('node:fs/promises')
const { XferError, usage: misuse } = require('../errors')
const { ASSUMED_BYTES_PER_SECOND } = require('./forecast')
const { CLOUDS, PRICES, UNITS } = require('./prices')

/** @typedef {import('./prices').Price} Price */
/** @typedef {import('../types').JobUsage} JobUsage */
/** @typedef {import('../types').JobCost} JobCost */

/** @type {Record<string, string>} */
const WORDS = { egress: 'bytes that leave', function: 'GB-seconds of', invocation: 'invocations of' }
const KINDS = [...Object.keys(WORDS), 'GET', 'HEAD', 'LIST', 'PUT', 'COPY', 'POST', 'DELETE']

/**
 * @param {JobUsage} usage
 * @param {Pick<import('../job/contract').Job, 'source' | 'destination' | 'engine' | 'run'>} job
 * @param {Price[]} prices the first that fits counts
 * @returns {JobCost}
 */
function costOf({ requests, bytesOut, invocations, gbSeconds = 0 }, { source, destination, engine, run }, prices) {
  const from = providerOf(source.store, prices)
  const to = providerOf(destination.store, prices)
  const { reach, where: endpoint } = engine
  const provider = run.usage.provider() ?? engine.provider
  const platform = engine.runsOn === 'platform' ? providerOf({ reach, endpoint, provider }, prices) : undefined
  /** @type {Map<string, { kinds: string[], provider: string, count: number, row?: Price }>} */
  const found = new Map()
  /** @param {string | undefined} provider undefined: this machine @param {string} what @param {number} count */
  function add(provider, what, count) {
    if (provider === undefined || count === 0) return
    const names = [provider, CLOUDS[provider]]
    const row = prices.find(one => one.what === what && names.includes(one.provider))
    const ofRequest = !Object.hasOwn(WORDS, what)
    const key = [provider, ofRequest ? 'requests' : what, row?.price, row?.unit].join()
    const line = found.get(key) ?? { kinds: [], provider, count: 0, row }
    if (!line.kinds.includes(what)) line.kinds.push(what)
    line.count += count
    found.set(key, line)
  }
  for (const [kind, count] of Object.entries(requests.source)) add(from, kind, count)
  for (const [kind, count] of Object.entries(requests.destination)) add(to, kind, count)
  // Bytes go from a store to the function, or to this machine, and from a function to a store.
  if (isApart(from, platform)) add(from, 'egress', bytesOut.source)
  if (isApart(to, platform)) add(to, 'egress', bytesOut.destination)
  if (platform !== undefined && isApart(platform, to)) add(platform, 'egress', bytesOut.source)
  add(platform, 'function', gbSeconds)
  add(platform, 'invocation', invocations)
  const all = [...found.values()]
  const lines = all.flatMap(({ row, ...line }) => (row ? [lineOf(line, row)] : []))
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    lines,
    total: rounded(total),
    currency: 'USD',
    unknown: all.filter(({ row }) => !row).map(wordsOf),
    notes: notesOf({ from, to, platform }, { bytesOut, lines, guessed: gbSeconds > 0 && run.usage.isAssumed() }),
  }
}

/** @param {{ kinds: string[], provider: string }} line */
const wordsOf = ({ kinds, provider }) =>
  WORDS[kinds[0]] ? `${WORDS[kinds[0]]} ${provider}` : `${kinds.join(', ')} at ${provider}`

/** @param {{ kinds: string[], provider: string, count: number }} line @param {Price} row @returns {JobCost['lines'][number]} */
function lineOf(line, { price, unit, source, date }) {
  const count = line.count / UNITS[unit]
  return { what: wordsOf(line), count: rounded(count), unit, price, amount: rounded(count * price), source, date }
}

/** @param {number} amount */
const rounded = amount => Math.round(amount * 1e9) / 1e9

/** Whether bytes between them cross the edge of a cloud. @param {string | undefined} one @param {string | undefined} other */
function isApart(one, other) {
  if (one === undefined || other === undefined) return true
  return (CLOUDS[one] ?? one) !== (CLOUDS[other] ?? other)
}

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
 * @param {Record<'from' | 'to' | 'platform', string | undefined>} of
 * @param {{ bytesOut: JobUsage['bytesOut'], lines: JobCost['lines'], guessed: boolean }} cost guessed: nobody has measured the functions
 * @returns {string[]} sentences
 */
function notesOf({ from, to, platform }, { bytesOut, lines, guessed }) {
  const near = [from, to].filter(store => store !== undefined && platform !== undefined && !isApart(store, platform))
  const moved = bytesOut.source + bytesOut.destination > 0
  const notes = []
  if (near.length > 0 && moved) {
    const all = [...new Set([...near, platform])].join(' and ')
    notes.push(`${all} are taken to be in one region, where bytes that move cost nothing.`)
  }
  if (from !== undefined && platform === undefined && moved)
    notes.push('This machine is taken to be outside of every cloud.')
  if (guessed && platform !== undefined) {
    const pace = `${ASSUMED_BYTES_PER_SECOND / 1e6} MB a second`
    notes.push(`A function is taken to move ${pace}; xfer probe measures it, and --probe takes its report.`)
  }
  if (lines.some(({ unit, amount }) => /^Gi?B$/.test(unit) && amount > 0)) notes.push(SWITCHING)
  return notes
}

/**
 * @param {string | undefined} path of the user's table, YAML or JSON
 * @returns {Promise<Price[]>} its rows before those that xfer has
 * @throws {XferError} USAGE
 */
async function readPrices(path) {
  if (path === undefined) return PRICES
  const wrong = (/** @type {string} */ why) =>
    misuse(
      `The prices in ${path} cannot be used: ${why}.`,
      'Give a list of { provider, what, price, unit, source, date }: docs/guides/cost.md has an example.',
    )
  const text = await readFile(path, 'utf8').catch(({ code }) => {
    throw wrong(`the file cannot be read (${code})`)
  })
  /** @type {unknown} */
  let rows
  try {
    rows = require('yaml').parse(text, { logLevel: 'error' })
  } catch (error) {
    // The following lines quote the file.
    throw wrong(/** @type {Error} */ (error).message.split('\n')[0].replace(/[.:]$/, ''))
  }
  if (!Array.isArray(rows)) throw wrong('it has no list of rows')
  rows.forEach((row, i) => {
    const why = faultOf(Object(row))
    if (why) throw wrong(`row ${i + 1} ${why}`)
  })
  return [...rows, ...PRICES]
}

/** @param {Record<string, unknown>} row @returns {string | undefined} what is wrong with it */
function faultOf(row) {
  const other = Object.keys(row).find(name => !['provider', 'what', 'price', 'unit', 'source', 'date'].includes(name))
  if (other !== undefined) return `has an unknown field "${other}"`
  const missing = ['provider', 'source', 'date'].find(name => typeof row[name] !== 'string' || row[name] === '')
  if (missing) return `has no text for "${missing}"`
  if (!KINDS.includes(/** @type {string} */ (row.what))) return `has none of ${KINDS.join(', ')} as its "what"`
  if (typeof row.price !== 'number' || !(row.price >= 0 && row.price < 1e9)) return 'has no number as its "price"'
  const { what } = /** @type {{ what: string }} */ (row)
  const units = what === 'egress' ? /^Gi?B$/ : what === 'function' ? /^Gi?B-second$/ : /request/
  const fits = Object.keys(UNITS).filter(unit => units.test(unit))
  return fits.includes(/** @type {string} */ (row.unit)) ? undefined : `needs as its "unit" one of ${fits.join(', ')}`
}

/** @param {unknown} given @returns {number} US dollars @throws {XferError} USAGE */
function readAmount(given) {
  const text = String(given).trim().replace(/^\$/, '')
  const amount = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(amount)) return amount
  throw misuse(`--max-cost "${given}" is no amount.`, 'Give US dollars, such as 5 or 0.50.')
}

/**
 * @param {JobCost} cost of a plan
 * @param {number} most US dollars
 * @throws {XferError} TOO_EXPENSIVE
 */
function checkCost({ total, unknown }, most) {
  if (total > most) throw new XferError('TOO_EXPENSIVE', { total, most, unknown })
}

module.exports = { checkCost, costOf, readAmount, readPrices }
