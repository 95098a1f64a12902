'use strict'

/** Proofs by reading: of a copy, and of two objects that are compared. */

const { readPlain } = require('./again')
const { compareByReading, unkept, unlessPart } = require('./compare')
const { firstWrong, forgetUpload, readBack, wrongCopy } = require('./read-back')
const { bytesIn, explainRead, rangesOf } = require('./read')
const { checkReadable } = require('./readable')
const { checkSizes, factsOf, sideOf } = require('./sides')
const { recheckSource } = require('./source')
const { proveByStored } = require('./stored')

module.exports = {
  bytesIn,
  checkReadable,
  checkSizes,
  compareByReading,
  explainRead,
  factsOf,
  firstWrong,
  forgetUpload,
  proveByStored,
  rangesOf,
  readBack,
  readPlain,
  recheckSource,
  sideOf,
  unkept,
  unlessPart,
  wrongCopy,
}
