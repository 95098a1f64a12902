'use strict'

/** docs/reference/options.md: every option, by the heading that the help has it under. */

const { OPTIONS, ORDER, commandsOf, defaultTextOf, flagOf, headingOf, helpOf } = require('../../lib/options')
const { NOTE } = require('./note')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */
/** @typedef {import('../../lib/options/contract').Command} Command */

const HEAD = `# Options

${NOTE}

\`xfer COMMAND --help\` lists the options of one command. This page lists all of them, with their names in
[the library](../guides/library.md): \`--dry-run\` is \`{ dryRun: true }\`, and \`--source-region eu-west-1\` is
\`{ source: { region: 'eu-west-1' } }\`. An option marked *kept* is written to the journal: \`xfer resume\` uses it again,
unless it is given another value.

Sizes are in MiB, or have a unit: \`8M\`, \`1.5GiB\`, \`5242880B\`. Durations have a unit: \`90s\`, \`30m\`, \`24h\`, \`7d\`.
`

const FOR_LIBRARY = `
## Only in the library

| name | commands | meaning |
| --- | --- | --- |`

/** Text in which a star is a star. @param {string} text */
const plain = text => text.replaceAll('*', '\\*')

/** @param {string} text */
const cell = text => text.replaceAll('|', '\\|')

/** @param {OptionSpec} spec @returns {Array<import('../../lib/options/contract').SideName | undefined>} */
const sidesOf = spec => (spec.sides ? [...spec.sides] : [undefined])

/** @param {OptionSpec} spec */
function flagsCell(spec) {
  const flags = sidesOf(spec).map(side => flagOf(spec, side))
  const last = `${flags.pop()}${spec.value ? ` <${spec.value}>` : ''}`
  return [...(spec.short ? [spec.short] : []), ...flags, last].map(flag => `\`${flag}\``).join(', ')
}

/** @param {OptionSpec} spec */
function namesCell(spec) {
  if (spec.cliOnly) return ''
  return sidesOf(spec)
    .map(side => `\`${side ? `${side}.` : ''}${spec.name}\``)
    .join(', ')
}

/** @param {OptionSpec} spec @returns {string} such as `copy, sync` */
function commandsCell(spec) {
  return [...new Set(sidesOf(spec).flatMap(side => commandsOf(spec, side)))].join(', ')
}

/** @param {OptionSpec} spec */
function helpCell(spec) {
  const of = spec.sides?.join(' or ')
  const others = Object.entries(spec.helpOf ?? {}).map(([command, help]) => `; *${command}*: ${plain(help)}`)
  return plain(helpOf({ ...spec, helpOf: undefined }, { side: /** @type {any} */ (of) })) + others.join('')
}

/** @param {OptionSpec} spec */
function rowOf(spec) {
  const cells = [
    flagsCell(spec),
    namesCell(spec),
    commandsCell(spec),
    plain(defaultTextOf(spec) ?? ''),
    spec.kept ? 'kept' : '',
  ]
  return `| ${[...cells, helpCell(spec)].map(cell).join(' | ')} |`
}

/** @param {import('../../lib/options/contract').Group} group */
function sectionOf(group) {
  const specs = OPTIONS.filter(spec => spec.group === group && spec.flag !== false)
  const rows = specs.map(rowOf).join('\n')
  return `\n## ${headingOf(group)}\n\n| option | library | commands | default | | meaning |\n| --- | --- | --- | --- | --- | --- |\n${rows}\n`
}

/** @returns {string} the page */
function optionsPage() {
  const ofLibrary = OPTIONS.filter(({ flag }) => flag === false)
  const rows = ofLibrary.map(
    spec => `| ${[namesCell(spec), commandsCell(spec), helpCell(spec)].map(cell).join(' | ')} |`,
  )
  return [HEAD, ...ORDER.map(sectionOf), FOR_LIBRARY, `\n${rows.join('\n')}\n`].join('')
}

module.exports = { optionsPage }
