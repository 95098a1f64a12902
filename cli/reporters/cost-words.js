'use strict'

/** The texts of what a job costs. The functions return lines without line ends. */

/** @typedef {import('../../lib/types').JobCost} JobCost */

/** @param {number} amount US dollars */
function formatMoney(amount) {
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return `$${amount.toLocaleString('en-US', amount >= 0.005 || amount === 0 ? cents : { maximumSignificantDigits: 4 })}`
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
    return [`Cost: about ${formatMoney(total)} by list prices of ${dates}${rest}.`]
  }
  const rows = lines.map(({ what, count, unit, price, amount }) => [
    what,
    `${count.toLocaleString('en-US', { maximumFractionDigits: count < 10 ? 3 : 1 })} ${unit}`,
    `x $${price.toLocaleString('en-US', { maximumSignificantDigits: 6, maximumFractionDigits: 10 })}`,
    `= ${formatMoney(amount)}`,
  ])
  const widths = [0, 1, 2, 3].map(i => (i < 3 ? Math.max(...rows.map(row => row[i].length)) : 0))
  const sources = [...new Set(lines.map(({ source, date }) => `${source} (${date})`))]
  return [
    'Cost by list prices, without free tiers and discounts:',
    ...rows.map(row => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`),
    `  Total: about ${formatMoney(total)}`,
    ...unpriced,
    ...notes,
    ...(sources.length > 0 ? [`Prices: ${sources.join('; ')}. Check them before you rely on them.`] : []),
  ]
}

module.exports = { costLines }
