'use strict'

/** What every command that copies a prefix takes to say which of its objects. */

/**
 * @param {import('commander').Command} command
 * @returns {import('commander').Command} the same
 */
function addSelectOptions(command) {
  /** In the order in which they were given, for the last that matches decides. @type {Array<{ include: string } | { exclude: string }>} */
  const filters = []
  return command
    .option(
      '--include <glob>',
      "copy what matches, though an earlier --exclude does too, such as --exclude '*'; repeatable",
      glob => {
        filters.push({ include: glob })
        return filters
      },
    )
    .option('--exclude <glob>', 'leave out what matches; repeatable, and the last that matches decides', glob => {
      filters.push({ exclude: glob })
      return filters
    })
    .option('--newer-than <when>', 'only objects modified after that: an age such as 7d, or a date')
    .option('--older-than <when>', 'only objects modified before that')
    .option('--min-size <size>', 'only objects of so much, in MiB or with a unit, and more')
    .option('--max-size <size>', 'only objects of so much, and less')
    .option('--files-from <file>', 'only what is named in this file, a name a line; - for standard input')
    .option('--ignore-existing', 'leave alone what is there')
    .option('--allow-empty-source', 'take nothing below SRC for no error, and for no reason to delete nothing')
    .option('--max-errors <n>', 'begin nothing more after more than so many failures (default: no limit)')
    .option('--failures <file>', 'write the names of what failed, for --files-from, over what is in the file')
}

/** @param {any} flags as commander read them @returns {import('../../lib/types').PrefixOptions} */
function selectOptionsOf(flags) {
  return {
    filters: flags.include ?? flags.exclude ?? [],
    newerThan: flags.newerThan,
    olderThan: flags.olderThan,
    minSize: flags.minSize,
    maxSize: flags.maxSize,
    filesFrom: flags.filesFrom,
    ignoreExisting: flags.ignoreExisting,
    allowEmptySource: flags.allowEmptySource,
    maxErrors: flags.maxErrors,
    failures: flags.failures,
  }
}

/** The first that was given, of a command that copies one object. @param {any} flags @returns {string | undefined} */
function selectOptionIn(flags) {
  const names = {
    ...{ include: '--include', exclude: '--exclude', newerThan: '--newer-than', olderThan: '--older-than' },
    ...{ minSize: '--min-size', maxSize: '--max-size', filesFrom: '--files-from', ignoreExisting: '--ignore-existing' },
    ...{ allowEmptySource: '--allow-empty-source', maxErrors: '--max-errors', failures: '--failures' },
  }
  return Object.entries(names).find(([name]) => flags[name] !== undefined)?.[1]
}

module.exports = { addSelectOptions, selectOptionIn, selectOptionsOf }
