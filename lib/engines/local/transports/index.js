'use strict'

/**
 * Transports of the embedded engine, by the scheme of their URLs: files, memory of this machine and Redis answer a task as a store
 * does, so that nothing above the action knows the difference. Each is loaded on first use.
 */

/** @type {import('../../../../actions/copy-range/transport').LocalTransports} */
const LOCAL = {
  get 'file:'() {
    return require('./file')
  },
  get 'memory:'() {
    return require('./memory')
  },
  get 'redis:'() {
    return require('./redis')
  },
}

module.exports = { LOCAL }
