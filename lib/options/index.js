'use strict'

/** The door of this room: the option table and what is made of it. What the help does not need is loaded on first use. */

module.exports = {
  ...require('./table'),
  get optionsOf() {
    return require('./names').optionsOf
  },
  get sideOptions() {
    return require('./names').sideOptions
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
  get checkArguments() {
    return require('./arguments').checkArguments
  },
  get readerOf() {
    return require('./read').readerOf
  },
  get silenceOf() {
    return require('./read').silenceOf
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
    return require('./kept').differingOptions
  },
  get BYTES() {
    return require('./units').BYTES
  },
  get MILLISECONDS() {
    return require('./units').MILLISECONDS
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
