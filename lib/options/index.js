'use strict'

/**
 * The door of this room: the option table and what is made of it. Each file is loaded on first use, because the help needs
 * only the table.
 */

module.exports = {
  get OPTIONS() {
    return require('./table').OPTIONS
  },
  get keptOptions() {
    return require('./table').keptOptions
  },
  get valueTypeOf() {
    return require('./table').valueTypeOf
  },
  get ORDER() {
    return require('./table').ORDER
  },
  get flagsOfCommand() {
    return require('./table').flagsOfCommand
  },
  get commandsOf() {
    return require('./table').commandsOf
  },
  get flagOf() {
    return require('./table').flagOf
  },
  get headingOf() {
    return require('./table').headingOf
  },
  get helpOf() {
    return require('./table').helpOf
  },
  get libraryHelpOf() {
    return require('./table').libraryHelpOf
  },
  get defaultTextOf() {
    return require('./table').defaultTextOf
  },
  get optionsOf() {
    return require('./names').optionsOf
  },
  get sideOptions() {
    return require('./names').sideOptions
  },
  get checkArguments() {
    return require('./arguments').checkArguments
  },
  get readerOf() {
    return require('./read').readerOf
  },
  get readChoice() {
    return require('./read').readChoice
  },
  get readAttributes() {
    return require('./attributes').readAttributes
  },
  get OF_OWN_JOURNAL() {
    return require('./kept').OF_OWN_JOURNAL
  },
  get OF_PREFIX_ON_RESUME() {
    return require('./kept').OF_PREFIX_ON_RESUME
  },
  get optionsToKeep() {
    return require('./kept').optionsToKeep
  },
  get readKeptUnits() {
    return require('./kept-units').readKeptUnits
  },
  get BYTES() {
    return require('./units').BYTES
  },
  get MILLISECONDS() {
    return require('./units').MILLISECONDS
  },
  get mergeSide() {
    return require('./kept').mergeSide
  },
  get asPrefixOptions() {
    return require('./kept').asPrefixOptions
  },
  get mergeOptions() {
    return require('./kept').mergeOptions
  },
  get givesSameAttributes() {
    return require('./kept').givesSameAttributes
  },
  get withoutFixed() {
    return require('./kept').withoutFixed
  },
  get differingOptions() {
    return require('./identity').differingOptions
  },
  get commandLine() {
    return require('./command-line').commandLine
  },
  get quoted() {
    return require('./command-line').quoted
  },
  get flagsOf() {
    return require('./command-line').flagsOf
  },
  get optionsOfEverySide() {
    return require('./table').optionsOfEverySide
  },
  get MiB() {
    return require('./sizes').MiB
  },
  get parseSize() {
    return require('./sizes').parseSize
  },
  get parseCount() {
    return require('./sizes').parseCount
  },
}
