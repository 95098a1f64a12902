'use strict'

/** Hints for commands that there are not, and for too many or too few words behind a command. */

const { lineAs, readLine } = require('./line')
const { withoutSecret } = require('../secrets')
const { quoted } = require('../../lib/options')
const { foreignOptions, joined, lowered } = require('./options')
const { placeAdvice } = require('./places')
const { COMMANDS, OF_JOBS } = require('./words')

/** @typedef {{ args: string[], names: string[] }} Typed */

/** @param {Typed} typed @returns {string | undefined} */
function commandAdvice({ args, names }) {
  const [name, ...rest] = args
  const lower = name.toLowerCase()
  if (names.includes(lower)) return as('Write it in lower case', lower, rest)
  if (/^s3:\/\//.test(lower)) return as('Name the command', 'copy', args)
  const row = COMMANDS.find(({ typed }) => typed.includes(lower))
  const at = rest.findIndex(word => names.includes(word))
  if (row?.strip && at >= 0) return as(`Leave out "${name}"`, rest[at], rest.toSpliced(at, 1))
  if (row?.strip && rest[0] !== undefined) return commandAdvice({ args: rest, names }) ?? row.hint
  return row?.instead ? as(`Perhaps you mean ${row.instead}`, row.instead, rest) : row?.hint
}

/** @param {string} advice @param {string} command @param {string[]} words behind it */
function as(advice, command, words) {
  const line = readLine([command, ...words])
  const more = foreignIn(line)
  if (more.length > 0) return joined([advice, ...more])
  return line.known && line.places.length > 0
    ? `${advice}: ${lineAs(line, { command })}`
    : `${advice}: run xfer ${command} --help to see what it takes.`
}

/** What the rest of the line has to be. @param {import('./line').Line} line @returns {string[]} */
function foreignIn(line) {
  const options = foreignOptions(line)
  const at = line.places.findIndex(place => !/^s3:\/\//i.test(place))
  // The word after an unknown option may be its value.
  if (at < 0 || !line.known) return options
  const place = placeAdvice({ side: at === 0 ? 'source' : 'destination' }, line)
  return place ? [...options, lowered(place)] : options
}

/** Commands that take one location. */
const ONE_PLACE = ['ls', 'du', 'head', 'presign', 'mb']
/** Commands that take several. */
const PLACES = ['cat', 'rm']

/** @type {Record<string, string>} */
const LOCATION_MISSING = {
  ls: 'Name the location, such as s3://bucket/prefix; s3:// lists the buckets.',
  du: 'Name the location, such as s3://bucket/prefix.',
  mb: 'Name the bucket, such as s3://bucket.',
}

/** @param {Typed} typed @returns {string | undefined} */
function tooManyAdvice({ args }) {
  const { command, items, places } = readLine(args)
  if (command === 'jobs') return Object.hasOwn(OF_JOBS, places[0]) ? OF_JOBS[places[0]] : undefined
  const behindSwitch = items.find(({ place, words }, at) => place && !/:\/\//.test(words[0]) && isSwitch(items[at - 1]))
  if (behindSwitch) {
    const { words } = items[items.indexOf(behindSwitch) - 1]
    return `Perhaps you gave ${words[0]} a value, and it takes none.`
  }
  if (ONE_PLACE.includes(command)) return `xfer ${command} takes one location, and no wildcard: repeat it for each.`
  if (!['copy', 'sync', 'verify'].includes(command)) return undefined
  if (places.every(place => /^s3:\/\//i.test(place))) {
    const many = ' or take several from below one prefix with xfer copy -r --include PATTERN'
    return `A command has one source and one destination: repeat it for each source,${many}.`
  }
  return "Perhaps your shell replaced a wildcard by the names of files: put it in quotes, such as '*.jpg'."
}

/** @param {import('./line').Item | undefined} item */
function isSwitch(item) {
  return item?.spec !== undefined && item.spec.value === undefined
}

/** @param {Typed} typed @returns {string | undefined} */
function tooFewAdvice({ args }) {
  const { command, places } = readLine(args)
  if (command === 'abort') return 'Name the job: xfer jobs lists the unfinished ones.'
  if ([...ONE_PLACE, ...PLACES].includes(command)) {
    return LOCATION_MISSING[command] ?? 'Name the location, such as s3://bucket/key.'
  }
  if (command === 'clean') return 'Name the bucket or the prefix, such as xfer clean s3://bucket/prefix.'
  if (places.length === 0) return undefined
  const source = quoted(withoutSecret(places[0]))
  return `Name the destination behind the source, as in xfer ${args[0]} ${source} s3://bucket/key.`
}

module.exports = { commandAdvice, tooFewAdvice, tooManyAdvice }
