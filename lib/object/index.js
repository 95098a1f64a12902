'use strict'

/**
 * Plans and copies one object, in one request, in parts or by the store itself, and checks its attributes. Each file is
 * loaded on first use: one object needs less than many.
 */

module.exports = {
  get abortEarlierUploads() {
    return require('./write').abortEarlierUploads
  },
  get byStore() {
    return require('./put').byStore
  },
  get mtimeOf() {
    return require('./attributes').mtimeOf
  },
  get readSourceAttributes() {
    return require('./attributes').readSourceAttributes
  },
  get clearCreating() {
    return require('./write').clearCreating
  },
  get comparisonOf() {
    return require('./attributes').comparisonOf
  },
  get tellLimits() {
    return require('./report').tellLimits
  },
  get copiesWhole() {
    return require('./server-copy').copiesWhole
  },
  get copyBy() {
    return require('./copy-object').copyBy
  },
  get copyObject() {
    return require('./copy-object').copyObject
  },
  get copySourceOf() {
    return require('./server-copy').copySourceOf
  },
  get createFirstLooks() {
    return require('./attributes').createFirstLooks
  },
  get createPut() {
    return require('./put').createPut
  },
  get createReader() {
    return require('./put').createReader
  },
  get engineWay() {
    return require('./ways').engineWay
  },
  get findAlready() {
    return require('./move').findAlready
  },
  get isReplaced() {
    return require('./write').isReplaced
  },
  get judgeMatch() {
    return require('./plan').judgeMatch
  },
  get kindsOf() {
    return require('./attributes').kindsOf
  },
  get notePlan() {
    return require('./write').notePlan
  },
  get planObject() {
    return require('./plan').planObject
  },
  get planBegun() {
    return require('./write').planBegun
  },
  get removeSource() {
    return require('./move').removeSource
  },
  get proveObject() {
    return require('./write').proveObject
  },
  get serverWay() {
    return require('./ways').serverWay
  },
  get throughEngine() {
    return require('./put').throughEngine
  },
  get withEngineFallback() {
    return require('./server-copy').withEngineFallback
  },
  get writeObject() {
    return require('./write').writeObject
  },
}
