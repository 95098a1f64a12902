'use strict'

/** Proofs by reading: of a copy, and of two objects that are compared. */

const { readPlain, recheckSource } = require('./source')
const { compareByReading, rangesToRead, unkept, unlessPart } = require('./compare')
const { firstWrong, forgetUpload, readBack, wrongCopy } = require('./read-back')
const { mayHaveLayout, checkSizes, factsOf, sideOf, noticesOfMd5s, proveByMd5, proveByStored } = require('./stored')
const { bytesIn, explainRead, rangesOf, readRanges } = require('./read')
const { checkReadable } = require('./readable')

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
  noticesOfMd5s,
  proveByMd5,
  proveByStored,
  rangesOf,
  rangesToRead,
  readBack,
  readPlain,
  readRanges,
  recheckSource,
  sideOf,
  unkept,
  unlessPart,
  wrongCopy,
}
