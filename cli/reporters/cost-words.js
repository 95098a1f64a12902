'use strict'

/** The texts of what a job costs. The functions return lines without line ends. */

const { plural } = require('../format')

/** @typedef {import('../../lib/types').JobCost} JobCost */

/** @param {number} amount US dollars */
function formatMoney(amount) {
  if (amount > 0 && amount < 0.01) return 'under a cent'
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** @param {number} total */
const aboutMoney = total => (total > 0 && total < 0.01 ? formatMoney(total) : `about ${formatMoney(total)}`)

/** Requests are told one by one, though their prices are of more. @type {Record<string, { each: number, of: string }>} */
const OF_REQUESTS = {
  request: { each: 1, of: 'each' },
  'thousand requests': { each: 1e3, of: 'a thousand' },
  'million requests': { each: 1e6, of: 'a million' },
}

/** @param {number} count @param {string} unit */
function countText(count, unit) {
  if (unit in OF_REQUESTS) return plural(Math.round(count * OF_REQUESTS[unit].each), 'request')
  const digits = count < 10 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 1 }
  return `${count.toLocaleString('en-US', digits)} ${unit}`
}

/** @param {number} price @param {string} unit */
function priceText(price, unit) {
  const digits = { maximumSignificantDigits: 6, maximumFractionDigits: 10 }
  return `at $${price.toLocaleString('en-US', digits)} ${OF_REQUESTS[unit]?.of ?? `a ${unit}`}`
}

/**
 * In a dry run a table of all; else one line.
 *
 * @param {{ cost: JobCost, dryRun?: true }} done
 * @returns {string[]} none where nothing has a price, known or not
 */
function costLines({ cost, dryRun }) {
  const { lines, total, unknown, notes } = cost
  if (lines.length + unknown.length === 0) return dryRun ? [] : ['Cost: nothing that has a price.']
  // Nothing is said of an amount: it is not 0.
  const unpriced = unknown.length > 0 ? [`No price known for: ${unknown.join('; ')}.`] : []
  if (lines.length === 0) return ['Cost: unknown.', ...unpriced, ...(dryRun ? notes : [])]
  if (!dryRun) {
    const dates = [...new Set(lines.map(({ date }) => date))].join(', ')
    const rest = unknown.length > 0 ? `; no price known for ${unknown.join('; ')}` : ''
    return [`Cost: ${aboutMoney(total)} by list prices of ${dates}${rest}.`]
  }
  const rows = lines.map(({ what, count, unit, price, amount }) => [
    what,
    countText(count, unit),
    priceText(price, unit),
    `= ${formatMoney(amount)}`,
  ])
  const widths = [0, 1, 2, 3].map(i => (i < 3 ? Math.max(...rows.map(row => row[i].length)) : 0))
  const sources = [...new Set(lines.map(({ source, date }) => `${source} (${date})`))]
  return [
    'Cost by list prices, without free tiers and discounts:',
    ...rows.map(row => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`),
    `  Total: ${aboutMoney(total)}`,
    ...unpriced,
    ...notes,
    ...(sources.length > 0 ? [`Prices: ${sources.join('; ')}. Check them before you rely on them.`] : []),
  ]
}

module.exports = { costLines }
