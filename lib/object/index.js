'use strict'

/** Plans and copies one object, in one request, in parts or by the store itself, and checks its attributes. */

const {
  UNKNOWN_WHY,
  attributesWithout,
  readSourceAttributes,
  createAttributeCheck,
  createRefusedTags,
  kindsOf,
  missingTags,
  tellTags,
  wantsTags,
} = require('./attributes')
const { copyObject } = require('./copy-object')
const { judgeMatch } = require('./plan')
const { byStore, createConceded, createPut, createReader, throughEngine } = require('./put')
const { copiesWhole, copySourceOf, whyNot } = require('./server-copy')
const { engineWay, serverWay } = require('./ways')
const { clearCreating, giveUpEarlier, notePlan, planBegun, proveObject, writeObject } = require('./write')

module.exports = {
  attributesWithout,
  byStore,
  readSourceAttributes,
  clearCreating,
  copiesWhole,
  copyObject,
  copySourceOf,
  createAttributeCheck,
  createConceded,
  createPut,
  createReader,
  createRefusedTags,
  engineWay,
  giveUpEarlier,
  judgeMatch,
  kindsOf,
  missingTags,
  notePlan,
  planBegun,
  proveObject,
  serverWay,
  tellTags,
  throughEngine,
  UNKNOWN_WHY,
  wantsTags,
  whyNot,
  writeObject,
}
