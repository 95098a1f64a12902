'use strict'

const lib = require('../../lib')
const { plural, printable, styleOf, widthOf } = require('../format')

/** Columns; wider than every name. */
const NAME_WIDTH = 28

/** @param {import('../../lib/doctor/run').Checked} checked @param {import('../format').Style} style */
function linesOf({ name, ok, detail, hint, holds }, { signs, red, yellow, green }) {
  const [mark, paint] =
    ok === null
      ? [signs.none, String]
      : ok
        ? hint || holds === false
          ? ['!', yellow]
          : [signs.good, green]
        : [signs.bad, red]
  const column = ' '.repeat(widthOf(signs.good) + 1)
  const indented = hint ? [printable(`${column}${' '.repeat(NAME_WIDTH)}${hint}`)] : []
  const gap = ' '.repeat(column.length - widthOf(mark))
  return [`${paint(mark)}${gap}${printable(`${name.padEnd(NAME_WIDTH)}${detail}`)}`, ...indented]
}

/** @param {import('../../lib/doctor/run').Checked[]} all @returns {string} for a log */
function lastLine(all) {
  const good = all.filter(({ ok }) => ok)
  const bad = all.filter(({ ok }) => ok === false)
  const skipped = all.length - good.length - bad.length
  const toLookAt = good.filter(({ hint, holds }) => hint || holds === false)
  const names = (/** @type {typeof all} */ checks) => checks.map(({ name }) => name).join(', ')
  const counts = [
    bad.length > 0
      ? `${bad.length} of ${plural(all.length, 'check')} not good: ${names(bad)}`
      : `${plural(good.length, 'check')} good`,
    ...(toLookAt.length > 0 ? [`look at: ${names(toLookAt)}`] : []),
    ...(skipped > 0 ? [`${skipped} not checked`] : []),
  ]
  return `${counts.join('; ')}.`
}

/** @type {import('../run').Definition} */
module.exports = {
  what: 'check',
  async work({ process, flags, options, signal, say }, source, destination) {
    const style = styleOf(process.out, process.env)
    /** @type {import('../../lib/doctor/run').Checked[]} */
    const all = []
    const { ok, exitCode } = await lib.doctor(source, destination, {
      ...options,
      signal,
      onCheck(checked, error) {
        all.push(checked)
        // Its colours are no characters to escape.
        if (flags.json) process.tell({ type: 'check', ...checked })
        else process.print(linesOf(checked, style))
        if (flags.debug && error) process.complain(error)
      },
    })
    say({ type: 'done', ok }, [lastLine(all)])
    return exitCode
  },
}
