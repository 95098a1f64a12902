'use strict'

/** Proofs by reading: of a copy, and of two objects that are compared. */

const { readPlain } = require('./again')
const { compareByReading, unkept, unlessPart } = require('./compare')
const { firstWrong, forgetUpload, readBack, wrongCopy } = require('./read-back')
const { mayHaveLayout } = require('./layout')
const { bytesIn, explainRead, rangesOf, readRanges } = require('./read')
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
  mayHaveLayout,
  proveByStored,
  rangesOf,
  readBack,
  readPlain,
  readRanges,
  recheckSource,
  sideOf,
  unkept,
  unlessPart,
  wrongCopy,
}
