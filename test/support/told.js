'use strict'

/**
 * The rows of a table whose expectations are long: a name, what is given, and what is told of it.
 *
 * @param {Record<string, unknown>} given by name: one value, or an array of several
 * @param {string} told a line for each: its name, ` => `, and the text
 * @returns {any[][]} for `test.each`
 */
function rowsOf(given, told) {
  const lines = told.trim().split('\n')
  const texts = new Map(lines.map(line => /** @type {[string, string]} */ (line.trim().split(' => '))))
  const names = Object.keys(given)
  if (texts.size !== lines.length || names.join() !== [...texts.keys()].join()) {
    throw new Error(`Not each name has one text: ${names.filter(name => !texts.has(name)).join() || 'their order'}`)
  }
  return names.map(name => [name, ...[given[name]].flat(), texts.get(name)])
}

module.exports = { rowsOf }
