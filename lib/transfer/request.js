'use strict'

/** The requests of a task, with the rules for their answers (`accepts`) unless the action assumes them anyway. */

const { ASSUMED } = require('../../actions/copy-range/stores')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').DataRequest} DataRequest */

/** @param {Store} store @param {Parameters<Store['readRequest']>[0]} read @returns {Promise<DataRequest>} */
async function requestRead(store, read) {
  return accepting(await store.readRequest(read), store.accepts?.read)
}

/** @param {Store} store @param {Parameters<Store['putRequest']>[0]} put @returns {Promise<DataRequest>} */
async function requestPut(store, put) {
  return accepting(await store.putRequest(put), store.accepts?.put)
}

/** @param {Store} store @param {Parameters<Store['partRequest']>[0]} part @returns {Promise<DataRequest>} */
async function requestPart(store, part) {
  return accepting(await store.partRequest(part), store.accepts?.part)
}

/**
 * Adds the rule, unless the action assumes it anyway. So an older action, which does not know rules, works too.
 *
 * @param {DataRequest} request
 * @param {import('../types').AnswerRule} [rule]
 */
function accepting(request, rule) {
  return rule === undefined || rule === ASSUMED.read || rule === ASSUMED.write ? request : { ...request, accepts: rule }
}

module.exports = { requestPart, requestPut, requestRead }
