'use strict'

/** What the zoo prints. Pure. */

/** @typedef {import('./run').Report} Report */

/** @param {Report} report */
function lineOf({ run, script, place, status, code, violations, flipped, elapsedMs }) {
  const { command, deletes, checksum, engine, verify, condition, objects, kill, change } = script
  const what = [
    command,
    deletes ? '--delete' : '',
    checksum ? '--checksum' : '',
    `--verify ${verify}`,
    condition === 'none' ? '' : condition,
    engine === 'openwhisk' ? 'on functions' : '',
    kill ? 'killed' : '',
    change ? 'changed' : '',
  ]
  return [
    `run ${run}: ${place}`,
    what.filter(Boolean).join(' '),
    `${objects.length} objects`,
    `${flipped} faults`,
    `${(elapsedMs / 1000).toFixed(1)} s`,
    violations.length === 0 ? `right (${endOf({ status, code })})` : `WRONG (${violations.join('; ')})`,
  ].join(' · ')
}

/** @param {Pick<Report, 'status' | 'code'>} report */
function endOf({ status, code }) {
  if (code === 'NOT_TRIED') return 'not tried'
  return status === 0 ? 'exit 0' : `exit ${status} ${code}`
}

/** @param {Report} report */
function detailsOf({ script, story }) {
  return [JSON.stringify(script), ...story].map(line => `    ${line}`).join('\n')
}

/** @param {Report[]} reports @param {{ seed: number, where: string, elapsedMs: number }} how where: the option that chose the stores */
function summaryOf(reports, { seed, where, elapsedMs }) {
  const wrong = reports.filter(({ violations }) => violations.length > 0)
  /** @type {Map<string, number>} */
  const ends = new Map()
  for (const { status, code } of reports) {
    const name = endOf({ status, code })
    ends.set(name, (ends.get(name) ?? 0) + 1)
  }
  const counts = [...ends].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} × ${name}`)
  const sum = reports.reduce((all, { flipped }) => all + flipped, 0)
  return [
    `${reports.length - wrong.length} of ${reports.length} right (seed ${seed}); ${sum} faults and flips struck; ${Math.round(elapsedMs / 1000)} s.`,
    `Ends: ${counts.join(', ')}.`,
    ...(where ? byPlace(reports) : []),
    ...wrong.map(
      ({ run }) =>
        `Repeat a wrong one: npm run zoo -- ${where ? `${where} ` : ''}--seed ${seed} --only ${run} --verbose`,
    ),
    '',
  ].join('\n')
}

/** @param {Report[]} reports @returns {string[]} */
function byPlace(reports) {
  const places = [...new Set(reports.map(({ place }) => place))].sort()
  return places.map(place => {
    const own = reports.filter(one => one.place === place)
    const done = own.filter(({ status }) => status === 0).length
    return `${place}: ${own.length} runs, ${done} with exit 0, ${own.filter(({ violations }) => violations.length > 0).length} wrong`
  })
}

module.exports = { detailsOf, lineOf, summaryOf }
