'use strict'

/** `xfer profiles`. */

const lib = require('../../lib')

/** @param {import('../../lib/types').FoundProfile[]} all @returns {string[]} a line each, in columns */
function linesOf(all) {
  const rows = all.map(({ name = '-', kind = '-', endpoint, region, from, problem, check }) => {
    const where = [endpoint, region].filter(Boolean).join(' ') || '-'
    const told = check && [check.ok ? 'ok' : 'failed', check.message].filter(Boolean).join(': ')
    return [name, kind, where, from, problem ?? told ?? '']
  })
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column].length)))
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** @type {import('../run').Definition} */
module.exports = {
  what: 'listing',
  async work({ options, signal, say }) {
    const all = await lib.profiles({ ...options, signal })
    const lines = linesOf(all)
    for (const [at, profile] of all.entries()) say({ type: 'profile', ...profile }, [lines[at]])
    const failed = all.filter(({ check }) => check?.ok === false).length
    say({ type: 'done', profiles: all.length, failed }, all.length === 0 ? ['There is no profile.'] : [])
    return failed > 0 ? lib.EXIT.FAILED : undefined
  },
}
