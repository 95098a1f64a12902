'use strict'

const { SortedMap } = require('../common/utf8')
const { AzureError } = require('./errors')

/**
 * Containers: created, by a request or at the start.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 */

/** https://learn.microsoft.com/rest/api/storageservices/create-container @param {Context} ctx @returns {Answer} */
function createContainer({ state, bucketName: name = '' }) {
  if (!isContainerName(name)) throw new AzureError('InvalidResourceName')
  if (state.catalog.containers.has(name)) throw new AzureError('ContainerAlreadyExists')
  addContainer(state, name)
  return { status: 201 }
}

/** @param {import('./types').State} state @param {string} name */
function addContainer({ catalog, now }, name) {
  catalog.containers.set(name, { name, modifiedMs: now(), entries: new SortedMap() })
}

/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata @param {string} name */
function isContainerName(name) {
  return /^[a-z0-9](-?[a-z0-9])+$/.test(name) && name.length >= 3 && name.length <= 63
}

module.exports = { addContainer, createContainer, isContainerName }
