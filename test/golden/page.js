'use strict'

/** What docs/reference/events.md says of the events of a command. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'reference', 'events.md'), 'utf8')

/** By type: the fields that a section of the page has, by name, with whether an event has each always. @param {string} heading */
function kindsOf(heading) {
  const [, section] = PAGE.split(`\n## ${heading}\n`)
  const [, ...kinds] = section.split('\n## ')[0].split('\n### ')
  return Object.fromEntries(
    kinds.map(kind => {
      const rows = [...kind.matchAll(/^\| `(\w+)` \| (sometimes )?\|/gm)]
      return [kind.slice(0, kind.indexOf('\n')), Object.fromEntries(rows.map(([, name, often]) => [name, !often]))]
    }),
  )
}

const OF_ONE_OBJECT = kindsOf('A copy of one object')
const OF_A_PREFIX = { ...OF_ONE_OBJECT, ...kindsOf('A copy or sync of a prefix') }
/** @type {[RegExp, Record<string, Record<string, boolean>>][]} */
const COMMANDS = [
  [/^(copy|mv) -r |^sync /, OF_A_PREFIX],
  [/^verify -r /, { ...OF_ONE_OBJECT, ...kindsOf('xfer verify -r') }],
  [/^verify /, { ...OF_ONE_OBJECT, ...kindsOf('xfer verify') }],
  [/^(copy|mv) /, OF_ONE_OBJECT],
]

/**
 * What is in the events of a command and not on the page, or always there by the page and not in the events.
 *
 * @param {string} line
 * @param {string} stdout
 * @returns {string[]}
 */
function unlikePage(line, stdout) {
  const kinds = COMMANDS.find(([command]) => command.test(line))?.[1]
  if (!kinds) return []
  const events = stdout.split('\n').filter(Boolean)
  return events.flatMap(text => {
    const { type, time: _, ...event } = JSON.parse(text)
    const fields = kinds[type]
    if (!fields) return [type]
    const unknown = Object.keys(event).filter(name => !(name in fields))
    const missing = Object.keys(fields).filter(name => fields[name] && !(name in event))
    return [...unknown, ...missing].map(name => `${type}: ${name}`)
  })
}

module.exports = { unlikePage }
