'use strict'

/** One object: planned, copied in one request, in parts or by the store itself, and given its attributes. */

const {
  UNKNOWN_WHY,
  attributesWithout,
  carry,
  checkCarried,
  createAttributeCheck,
  createRefusedTags,
  kindsOf,
  missingTags,
  tellAttributes,
  tellTags,
  wantsTags,
} = require('./attributes')
const { writeMultipart } = require('./multipart')
const { chooseChunk, judgeMatch, planObject } = require('./plan')
const { byStore, createConceded, createPut, createReader, putSingle, throughEngine } = require('./put')
const {
  byServer,
  chooseServerChunk,
  copiesWhole,
  copySourceOf,
  proofsOfCopied,
  serverFirst,
  whyNot,
} = require('./server-copy')

module.exports = {
  attributesWithout,
  byServer,
  byStore,
  carry,
  checkCarried,
  chooseChunk,
  chooseServerChunk,
  copiesWhole,
  copySourceOf,
  createAttributeCheck,
  createConceded,
  createPut,
  createReader,
  createRefusedTags,
  judgeMatch,
  kindsOf,
  missingTags,
  planObject,
  proofsOfCopied,
  putSingle,
  serverFirst,
  tellAttributes,
  tellTags,
  throughEngine,
  UNKNOWN_WHY,
  wantsTags,
  whyNot,
  writeMultipart,
}
