'use strict'

/** @typedef {import('../contract').OptionSpec} OptionSpec */

/**
 * @param {Partial<OptionSpec>} shared what all of these rows have
 * @param {Array<Partial<OptionSpec> & Pick<OptionSpec, 'name' | 'help'>>} rows
 */
function each(shared, rows) {
  return rows.map(row => /** @type {OptionSpec} */ ({ ...shared, ...row }))
}

module.exports = { each }
