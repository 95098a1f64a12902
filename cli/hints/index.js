'use strict'

/**
 * What the user perhaps meant by a command that failed: a better hint than that of the error, in the words that were typed.
 * Loaded only on a failure.
 */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { list } = require('../help-texts')
const { commandOf, flagOf, lineAs, readLine, specOf, withoutSecret, written } = require('./line')
const { deniedAdvice, emptyAdvice, missingAdvice, placeAdvice } = require('./places')

/**
 * @typedef {object} Typed
 * @property {string[]} args the words behind the program's name, the command first
 * @property {string[]} names of all commands
 *
 * @typedef {Record<string, any>} HintFacts
 * @typedef {{ code: string, hint: string, facts?: HintFacts }} Failed
 */

/**
 * What people type who know other tools, and what they are answered: the AWS CLI, rclone, s5cmd, mc, gsutil, azcopy. Loaded only
 * after a command line failed.
 *
 * In table.txt words stand at the beginning of a line: commands; options; `--option=`, an option whose value is no value of xfer's;
 * `jobs.word`, a word behind `xfer jobs`. Below them stand the answers, of which the first counts that fits the command: one of those
 * named before the colon, else any that has the options of the answer. `= command` is xfer's command that takes the same words.
 * test/cli/hints.test.js holds that each answer is right.
 */
const TABLE = readFileSync(join(__dirname, 'table.txt'), 'utf8')

/** @typedef {{ of: string[], text: string }} HintAnswer of: the commands for which it is; none: those that have its options */

/** By word. @type {Map<string, HintAnswer[]>} */
const ANSWERS = new Map()
/** @type {string[]} */
let words = []
for (const line of TABLE.split('\n').filter(Boolean)) {
  if (line.startsWith(' ')) {
    const [, of = '', text] = /** @type {RegExpExecArray} */ (/^ {2}(?:([a-z ]+): )?(.*)$/.exec(line))
    for (const word of words)
      ANSWERS.set(word, [...(ANSWERS.get(word) ?? []), { of: of.split(' ').filter(Boolean), text }])
  } else words = line.split(' ')
}

/** By the kind of mistake on the command line, or the code of the error. @type {Record<string, (facts: HintFacts, typed: Typed) => string | undefined>} */
const ADVICE = {
  'commander.unknownOption': ({ word }, typed) => optionAdvice(word, typed),
  'commander.unknownCommand': ({ word }, { args, names }) => commandAdvice(word === undefined ? args : [word], names),
  'commander.excessArguments': (_, { args }) => tooManyAdvice(readLine(args)),
  'commander.missingArgument': (_, { args }) => tooFewAdvice(args[0], readLine(args)),
  'commander.optionMissingArgument': ({ word }) => answerTo(`${word}=`, 'copy'),
  'commander.help': (_, { args }) =>
    args.includes('-v')
      ? 'Use xfer --version for the version: -v goes with a command, as in xfer copy -v SRC DEST.'
      : undefined,
  choice: ({ word }) => answerTo(`${word}=`, 'copy'),
  BAD_LOCATION: (facts, { args }) => placeAdvice(facts, readLine(args)),
  ACCESS_DENIED: (facts, { args }) => deniedAdvice(facts, readLine(args)),
  NO_SUCH_KEY: (facts, { args }) => missingAdvice(facts, readLine(args)),
  NO_SUCH_BUCKET: (facts, { args }) => (facts.path === undefined ? undefined : missingAdvice(facts, readLine(args))),
  NO_SUCH_STORAGE_CLASS: (facts, { args }) => storageClassAdvice(facts, readLine(args)),
  NOTHING_FOUND: (facts, { args }) => emptyAdvice(facts, readLine(args)),
}

/** @param {string} word @param {string} command @returns {string | undefined} what the table answers */
function answerTo(word, command) {
  const answers = ANSWERS.get(word) ?? []
  return answers.find(({ of, text }) => (of.length > 0 ? of.includes(command) : fits(text, command)))?.text
}

/** Whether a command has the options that an answer names, but for those of another command. @param {string} answer @param {string} command */
function fits(answer, command) {
  const own = answer.replace(/\bxfer [a-z]+[^,:;]*/g, '')
  return (own.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []).every(flag => specOf(command, flag))
}

/** As it is, in the usual spelling, and the letters of `-nv`. @param {string} flag @param {string} command */
function foreignAdvice(flag, command) {
  const letters = /^-[A-Za-z]{2,4}$/.test(flag) ? [...flag.slice(1)].map(letter => `-${letter}`) : []
  const forms = [flag, flag.startsWith('--') ? flag.toLowerCase().replaceAll('_', '-') : flag, ...letters]
  return forms.map(form => answerTo(form, command)).find(Boolean)
}

/** @param {string} flag as typed, without a value @param {Typed} typed */
function optionAdvice(flag, { args, names }) {
  const at = args.findIndex(word => names.includes(word))
  if (at < 0) return undefined
  const command = commandOf(args[at])
  if (specOf(command, flag)) {
    if (at > 0) return `Put it behind the command: ${written([args[at], ...args.slice(at + 1), ...args.slice(0, at)])}`
    // Commander knows a switch only without a value.
    return `Write ${flag} without a value.`
  }
  return oneDash(flag, command, args) ?? foreignAdvice(flag, command) ?? elsewhere(flag, command, names)
}

/** `-profile` and `-recursive`. @param {string} flag @param {string} command @param {string[]} args */
function oneDash(flag, command, args) {
  const word = args.find(one => /^-[a-z][a-z-]{2,}$/.test(one) && (one === flag || one.endsWith(flag.slice(1))))
  if (!word || flag.startsWith('--')) return undefined
  return specOf(command, `-${word}`) ? `Write it with two dashes: -${word}.` : foreignAdvice(`-${word}`, command)
}

/** An option of other commands. @param {string} flag @param {string} command @param {string[]} names */
function elsewhere(flag, command, names) {
  const others = names.filter(name => commandOf(name) === name && specOf(name, flag)).map(name => `xfer ${name}`)
  if (others.length === 0) return undefined
  return `${flag} is an option of ${list(others, 'and')}: run xfer ${command} --help to see those of xfer ${command}.`
}

/** @param {string[]} args @param {string[]} names @returns {string | undefined} */
function commandAdvice([name, ...rest], names) {
  const lower = name.toLowerCase()
  if (names.includes(lower)) return commandAs('Write it in lower case', lower, rest)
  if (/^(?:s3|gs|az):\/\//.test(lower)) return commandAs('Name the command', 'copy', [name, ...rest])
  const answer = ANSWERS.get(lower)?.[0].text
  if (answer?.startsWith('= ')) return commandAs(`Perhaps you mean ${answer.slice(2)}`, answer.slice(2), rest)
  if (!answer?.startsWith('Leave it out')) return answer
  const at = rest.findIndex(word => names.includes(word))
  if (at >= 0) return commandAs(`Leave out "${name}"`, rest[at], rest.toSpliced(at, 1))
  return (rest.length > 0 && commandAdvice(rest, names)) || answer
}

/** @param {string} advice @param {string} command @param {string[]} words behind it */
function commandAs(advice, command, words) {
  const line = readLine([command, ...words])
  const unknown = line.items.filter(({ place, spec }) => !place && !spec).map(({ words: [word] }) => flagOf(word))
  const foreign = unknown.flatMap(flag => {
    const hint = foreignAdvice(flag, line.command)
    return hint ? [`for ${flag}, ${hint[0].toLowerCase()}${hint.slice(1)}`] : []
  })
  if (foreign.length > 0) return [advice, ...foreign].join('; ').replaceAll('.; ', '; ')
  if (unknown.length === 0 && line.places.length > 0) return `${advice}: ${lineAs(line, { command })}`
  return `${advice}: run xfer ${command} --help to see what it takes.`
}

/** Commands that take one location. */
const ONE_PLACE = ['ls', 'du', 'head', 'presign', 'mb']

/** @param {import('./line').TypedLine} line @returns {string | undefined} */
function tooManyAdvice({ command, items, places }) {
  if (command === 'jobs') return answerTo(`jobs.${places[0]}`, command)
  const at = items.findIndex(
    ({ place, words }, i) => place && !/:\/\//.test(words[0]) && items[i - 1]?.spec && !items[i - 1].spec?.takes.as,
  )
  if (at > 0) return `Perhaps you gave ${items[at - 1].words[0]} a value, and it takes none.`
  if (ONE_PLACE.includes(command)) return `xfer ${command} takes one location, and no wildcard: repeat it for each.`
  if (!['copy', 'sync', 'verify'].includes(command)) return undefined
  return places.every(place => /^\w+:\/\//.test(place))
    ? 'A command has one source and one destination: repeat it for each source, or take several from below one prefix with xfer copy -r --include PATTERN.'
    : "Perhaps your shell replaced a wildcard by the names of files: put it in quotes, such as '*.jpg'."
}

/** @param {string} name @param {import('./line').TypedLine} line @returns {string | undefined} */
function tooFewAdvice(name, { command, places }) {
  if (command === 'abort') return 'Name the job: xfer jobs lists the unfinished ones.'
  if (command === 'ls') return 'Name the location, such as s3://bucket/prefix; s3:// lists the buckets.'
  if (['mb', 'du', 'clean'].includes(command)) return 'Name the bucket, such as s3://bucket.'
  if ([...ONE_PLACE, 'cat', 'rm'].includes(command)) return 'Name the location, such as s3://bucket/key.'
  if (places.length === 0) return undefined
  return `Name the destination behind the source, as in ${written([name, withoutSecret(places[0]), 's3://bucket/key'])}.`
}

/** @param {HintFacts} facts @param {import('./line').TypedLine} line @returns {string | undefined} */
function storageClassAdvice({ terms }, { items }) {
  const item = items.find(({ spec }) => spec?.name === 'storageClass')
  const name = item?.words.at(-1)?.replace(/^.*=/s, '') ?? ''
  // A store with words of its own lists them.
  if (terms?.storageClasses || name === name.toUpperCase()) return undefined
  return `Write it in capitals: --storage-class ${name.toUpperCase()}`
}

/**
 * @param {Failed} error `facts.mistake`: the kind of mistake on the command line, and
 *   `facts.word` the option, or the command that was asked for by `xfer help`
 * @param {Typed} typed
 * @returns {string} a sentence: a better hint, or the error's own
 */
function hintFor({ code, hint, facts = {} }, typed) {
  const kind = facts.mistake ?? code
  return (Object.hasOwn(ADVICE, kind) ? ADVICE[kind](facts, typed) : undefined) ?? hint
}

module.exports = { ANSWERS, hintFor }
