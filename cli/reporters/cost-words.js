'use strict'

/** The texts of what a job costs. The functions return lines without line ends. */

/** @typedef {import('../../lib/types').JobCost} JobCost */

/** @param {number} amount US dollars */
function formatMoney(amount) {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `$${amount.toLocaleString('en-US', amount >= 0.005 || amount === 0 ? cents : { maximumSignificantDigits: 4 })}`
}

/** @param {number} count */
const formatAmount = count => count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 3 : 1 })

/** @param {number} price */
const formatPrice = price =>
  `$${price.toLocaleString('en-US', { maximumSignificantDigits: 6, maximumFractionDigits: 10 })}`

/** @param {JobCost} cost */
const unknownLine = ({ unknown }) => (unknown.length === 0 ? [] : [`No price known for: ${unknown.join('; ')}.`])

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
  if (lines.length === 0) return ['Cost: unknown.', ...unknownLine(cost), ...(dryRun ? notes : [])]
  if (!dryRun) {
    const rest = unknown.length > 0 ? `; no price known for ${unknown.join('; ')}` : ''
    return [`Cost: about ${formatMoney(total)} by list prices of ${datesOf(cost)}${rest}.`]
  }
  const rows = lines.map(({ what, count, unit, price, amount }) => [
    what,
    `${formatAmount(count)} ${unit}`,
    `x ${formatPrice(price)}`,
    `= ${formatMoney(amount)}`,
  ])
  const widths = [0, 1, 2].map(i => Math.max(...rows.map(row => row[i].length)))
  const sources = [...new Set(lines.map(({ source, date }) => `${source} (${date})`))]
  return [
    'Cost by list prices, without free tiers and discounts:',
    ...rows.map(row => `  ${row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]) : cell)).join('  ')}`),
    `  Total: about ${formatMoney(total)}`,
    ...unknownLine(cost),
    ...notes,
    ...(sources.length > 0 ? [`Prices: ${sources.join('; ')}. Check them before you rely on them.`] : []),
  ]
}

/** @param {JobCost} cost */
const datesOf = ({ lines }) => [...new Set(lines.map(({ date }) => date))].join(', ')

module.exports = { costLines }
