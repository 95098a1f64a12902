'use strict'

/** Plans and copies one object, in one request, in parts or by the store itself. The ways that not every copy goes are loaded on use. */

module.exports = {
  ...require('./attributes'),
  ...require('./copy-object'),
  ...require('./plan'),
  ...require('./report'),
  ...require('./ways'),
  ...require('./write'),
  get byStore() {
    return require('./put').byStore
  },
  get copiesWhole() {
    return require('./server-copy').copiesWhole
  },
  get copySourceOf() {
    return require('./server-copy').copySourceOf
  },
  get createPut() {
    return require('./put').createPut
  },
  get createReader() {
    return require('./put').createReader
  },
  get findAlready() {
    return require('./move').findAlready
  },
  get removeSource() {
    return require('./move').removeSource
  },
  get signsLate() {
    return require('./put').signsLate
  },
  get throughEngine() {
    return require('./put').throughEngine
  },
  get withEngineFallback() {
    return require('./server-copy').withEngineFallback
  },
}
