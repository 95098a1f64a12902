'use strict'

/** Reading objects again to prove a copy. */

const { readPlain } = require('./again')
const { firstWrong, forgetUpload, readBack, wrongCopy } = require('./read-back')
const { bytesIn, differing, explainRead, rangesOf, readRanges } = require('./read')
const { checkReadable } = require('./readable')
const { recheckSource } = require('./source')

module.exports = {
  bytesIn,
  checkReadable,
  differing,
  explainRead,
  firstWrong,
  forgetUpload,
  rangesOf,
  readBack,
  readPlain,
  readRanges,
  recheckSource,
  wrongCopy,
}
