'use strict'

/** docs/reference/options.md: every option, by the heading that the help has it under. */

const {
  BYTES,
  MILLISECONDS,
  OPTIONS,
  ORDER,
  commandsOf,
  defaultTextOf,
  flagOf,
  hasFlag,
  headingOf,
  helpOf,
} = require('../../lib/options')
const { NOTE } = require('./note')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */
/** @typedef {import('../../lib/options/contract').Command} Command */

/** The units, in rows of a table: those of one meaning share a row. */
function unitRows() {
  /** @type {Map<number, string[]>} */
  const sizes = new Map()
  for (const [unit, bytes] of BYTES) sizes.set(bytes, [...(sizes.get(bytes) ?? []), unit])
  const rows = [...sizes].map(([bytes, units]) => [
    units,
    bytes === 1 ? 'bytes' : `${bytes.toLocaleString('en-US')} bytes`,
  ])
  const durations = [...MILLISECONDS].map(([unit, ms]) => [[unit], DURATIONS[unit] ?? `${ms} ms`])
  return [...rows, ...durations]
    .map(([units, meaning]) => `| ${[...units].map(unit => `\`${unit}\``).join(', ')} | ${meaning} |`)
    .join('\n')
}

/** @type {Record<string, string>} */
const DURATIONS = { w: 'weeks', d: 'days of 24 hours', h: 'hours', m: 'minutes', s: 'seconds', ms: 'milliseconds' }

const HEAD = `# Options

${NOTE}

\`xfer COMMAND --help\` lists the options of one command. This page lists all of them, with their names in
[the library](../guides/library.md): \`--dry-run\` is \`{ dryRun: true }\`, and \`--source-region eu-west-1\` is
\`{ source: { region: 'eu-west-1' } }\`. An option marked *kept* is written to the journal: \`xfer resume\` uses it again,
unless it is given another value.

## Sizes, rates and durations

A size, a rate or a duration is a number, which may have a fraction (\`1.5\`), and a unit. A number alone has the unit
that the help of its option names: MiB for sizes, MiB a second for rates, seconds for durations. The ages of
\`--older-than\` and \`--newer-than\` have no such unit: there a number alone is refused. The library takes the same texts, and a
number means what it means as a text.

| unit | meaning |
| --- | --- |
${unitRows()}

The case of a unit does not matter, with two exceptions, which are refused with a hint. A \`b\` in lower case may mean bits or
bytes, so bytes are \`B\`: \`8MB\`, not \`8mb\`. An \`M\` in a duration may mean minutes or months: minutes are \`m\`.

A rate may end in \`/s\`: \`10M\`, \`10MiB/s\` and \`10MB/s\`; it counts bytes, never bits. A duration may have several units, the
longest first: \`1h30m\`, \`2d12h\`. No number has separators: \`1500\`, not \`1,500\`.
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
  const last = [flags.pop(), spec.takes.as ?? ''].join(' ').trimEnd()
  return [...(spec.short?.slice(0, 1) ?? []), ...flags, last].map(flag => `\`${flag}\``).join(', ')
}

/** @param {OptionSpec} spec */
function namesCell(spec) {
  if (spec.only === 'cli') return ''
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
  const { library, ...byCommand } = spec.helpFor ?? {}
  const others = Object.entries(byCommand).map(([command, help]) => `; *${command}*: ${plain(help)}`)
  return plain(helpOf(spec, { side: /** @type {any} */ (of) })) + others.join('')
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

/** @param {import('../../lib/options/contract').OptionGroup} group */
function sectionOf(group) {
  const specs = OPTIONS.filter(spec => spec.group === group && hasFlag(spec))
  const rows = specs.map(rowOf).join('\n')
  return `\n## ${headingOf(group)}\n\n| option | library | commands | default | | meaning |\n| --- | --- | --- | --- | --- | --- |\n${rows}\n`
}

/** @returns {string} the page */
function optionsPage() {
  const ofLibrary = OPTIONS.filter(({ only }) => only === 'library')
  const rows = ofLibrary.map(
    spec => `| ${[namesCell(spec), commandsCell(spec), helpCell(spec)].map(cell).join(' | ')} |`,
  )
  return [HEAD, ...ORDER.map(sectionOf), FOR_LIBRARY, `\n${rows.join('\n')}\n`].join('')
}

module.exports = { optionsPage }
