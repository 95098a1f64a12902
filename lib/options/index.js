'use strict'

/** Options: what their values may be, what of them a journal keeps, and the command line that they make. */

const { readAttributes } = require('./attributes')
const { commandLine, flagsOf } = require('./command-line')
const { parseTime } = require('./dates')
const { parseDuration } = require('./durations')
const { parseEngineLimits } = require('./engine-limits')
const { parseHosts } = require('./hosts')
const { choosesSame, givesSameAttributes, mergeOptions, optionsToKeep } = require('./kept')
const { checkOptionNames } = require('./names')
const { parseRate } = require('./rates')
const { MiB, parseCount, parseSize } = require('./sizes')

module.exports = {
  checkOptionNames,
  choosesSame,
  commandLine,
  flagsOf,
  givesSameAttributes,
  mergeOptions,
  MiB,
  optionsToKeep,
  parseCount,
  parseDuration,
  parseEngineLimits,
  parseHosts,
  parseRate,
  parseSize,
  parseTime,
  readAttributes,
}
