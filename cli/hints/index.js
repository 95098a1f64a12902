'use strict'

/**
 * What the user perhaps meant by a command that failed: a better hint than that of the error, in the words that were typed.
 * Loaded only on a failure.
 */

/**
 * @typedef {object} Typed
 * @property {string[]} args the words behind the program's name, the command first
 * @property {string[]} names of all commands
 *
 * @typedef {Record<string, any>} Facts
 * @typedef {{ code: string, hint: string, facts?: Facts }} Failed
 */

/** By the kind of mistake on the command line, or the code of the error. @type {Record<string, (facts: Facts, typed: Typed) => string | undefined>} */
const ADVICE = {
  'commander.unknownOption': ({ word }, typed) => require('./options').optionAdvice(word, typed),
  'commander.unknownCommand': ({ word }, { args, names }) =>
    require('./commands').commandAdvice({ args: word === undefined ? args : [word], names }),
  'commander.excessArguments': (_, typed) => require('./commands').tooManyAdvice(typed),
  // By `mistake`, where there is one.
  USAGE: () => undefined,
  choice: ({ word }) => require('./words').VALUES[word],
  'commander.optionMissingArgument': ({ word }) => require('./words').VALUES[word],
  'commander.missingArgument': (_, typed) => require('./commands').tooFewAdvice(typed),
  'commander.help': (_, { args }) =>
    args.includes('-v')
      ? 'Use xfer --version for the version: -v goes with a command, as in xfer copy -v SRC DEST.'
      : undefined,
  UNKNOWN_SCHEME: (facts, typed) => require('./places').placeAdvice(facts, lineOf(typed)),
  BAD_LOCATION: (facts, typed) => require('./places').placeAdvice(facts, lineOf(typed)),
  ACCESS_DENIED: (facts, typed) => require('./places').deniedAdvice(facts, lineOf(typed)),
  NO_SUCH_KEY: (facts, typed) => require('./places').missingAdvice(facts, lineOf(typed)),
  NO_SUCH_BUCKET: (facts, typed) =>
    facts.path === undefined ? undefined : require('./places').missingAdvice(facts, lineOf(typed)),
  NO_SUCH_STORAGE_CLASS: (facts, typed) => storageClassAdvice(facts, lineOf(typed)),
  SOURCE_EMPTY: (facts, typed) => require('./places').emptyAdvice(facts, lineOf(typed)),
}

/** @param {Typed} typed */
function lineOf({ args }) {
  return require('./line').readLine(args)
}

/**
 * The storage class as the store writes it: in capitals, unless its words have it otherwise.
 *
 * @param {Facts} facts
 * @param {import('./line').Line} line
 * @returns {string | undefined}
 */
function storageClassAdvice({ terms }, { items }) {
  const { words } = items.find(({ spec }) => spec?.name === 'storageClass') ?? { words: [''] }
  const name = words.at(-1)?.replace(/^.*=/s, '') ?? ''
  const upper = name.toUpperCase()
  if (!terms?.storageClasses) return name === upper ? undefined : `Write it in capitals: --storage-class ${upper}`
  const meant = terms.storageClasses.find((/** @type {string} */ one) => one.toUpperCase() === upper)
  return meant && `Write it as the store does: --storage-class ${meant}`
}

/** @param {string} code of an error @returns {boolean} whether there may be a better hint for it */
function mayAdvise(code) {
  return Object.hasOwn(ADVICE, code)
}

/**
 * @param {Failed} error `facts.mistake`: the kind of mistake on the command line, and
 *   `facts.word` the option, or the command that was asked for by `xfer help`
 * @param {Typed} typed
 * @returns {string} a sentence: a better hint, or the error's own
 */
function hintFor({ code, hint, facts = {} }, typed) {
  const kind = facts.mistake ?? code
  return (mayAdvise(kind) ? ADVICE[kind](facts, typed) : undefined) ?? hint
}

module.exports = { hintFor, mayAdvise }
