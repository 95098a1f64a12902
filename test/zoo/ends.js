'use strict'

/** Which ends of a command are right, whatever is there. Pure. */

const { MODES } = require('../../sandbox/store/modes')
const { find, keyOf } = require('./judge')

/** @typedef {import('./draw').Script} Script */

const MAY_FAIL = new Set(MODES.filter(({ mayFail }) => mayFail).map(({ name }) => name))

/**
 * @param {Script} script
 * @param {import('./command').Ended} ended by itself
 * @returns {string[]} what is wrong with it
 */
function judgeEnd(script, { status, last, stdout, stderr }) {
  const wrong = []
  const { options } = script.destination
  const text = `${stdout}${stderr}`
  if (/^\s+at .+:\d+:\d+/m.test(text)) wrong.push(`it printed a stack trace: ${stderr}`)
  const odd = /"(?:message|hint)":"[^"]*(\bundefined\b|\bNaN\b|\[object )/.exec(text)
  if (odd) wrong.push(`it printed ${odd[1]}: ${odd[0]}`)
  if (last?.code === 'INTERNAL') wrong.push(`it failed inside: ${last.message}`)
  if (status === 0 && last?.type !== 'done') wrong.push('it ends with 0 and without "done"')
  const may = new Set([0, 1, 8])
  if (script.condition !== 'none') may.add(7)
  if (script.change) may.add(6)
  if (options.faults !== undefined || options.storageClass !== undefined) may.add(4)
  const unknown = last?.code === 'NO_SUCH_JOB'
  if (!unknown && !may.has(status ?? -1))
    wrong.push(`it ends with ${status}: ${last?.code} ${last?.message} ${last?.hint}`)
  return wrong
}

/**
 * Whether it had to end with 0 where nothing goes wrong on the wires, and did not.
 *
 * @param {Script} script
 * @param {number | null | undefined} status
 * @param {{ server?: boolean }} where
 */
function mustSucceed(script, status, { server = false }) {
  if (status === 0 || server) return false
  const { command, condition, change, objects, pair, destination, before } = script
  const { options } = destination
  if (command === 'verify') return pair === 'equal' && !options.faults && !options.storageClass
  if (change || [...script.source.modes, ...destination.modes].some(name => MAY_FAIL.has(name))) return false
  if (options.emptyFolders && objects.some(({ name, bytes }) => name.endsWith('/') && bytes > 0)) return false
  if (condition === 'if-match-other' || (condition === 'no-clobber' && before.length > 0)) return false
  if (condition === 'if-match' && before.length === 0) return false
  const names = new Map(objects.map(({ name }) => [keyOf(script, name), 0]))
  return objects.every(({ name }) => {
    const others = new Map([...names].filter(([key]) => key !== keyOf(script, name)).map(([key]) => [key, true]))
    return find(script, others, keyOf(script, name)) === undefined
  })
}

module.exports = { judgeEnd, mustSucceed }
