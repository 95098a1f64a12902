'use strict'

const { SortedMap } = require('../common/utf8')
const { newEtag } = require('./entries')
const { AzureError } = require('./errors')

/**
 * Containers: created, described, deleted.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 */

/** https://learn.microsoft.com/rest/api/storageservices/create-container @param {Context} ctx @returns {Answer} */
function createContainer({ state, bucketName: name = '' }) {
  if (!isContainerName(name)) throw new AzureError('InvalidResourceName')
  if (state.catalog.containers.has(name)) throw new AzureError('ContainerAlreadyExists')
  return { status: 201, headers: headersOf(addContainer(state, name)) }
}

/** @param {import('./types').State} state @param {string} name */
function addContainer({ catalog, now }, name) {
  const container = { name, etag: newEtag(), modifiedMs: now(), entries: new SortedMap() }
  catalog.containers.set(name, container)
  return container
}

/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata @param {string} name */
function isContainerName(name) {
  return (
    ['$root', '$web', '$logs'].includes(name) ||
    (/^[a-z0-9](-?[a-z0-9])+$/.test(name) && name.length >= 3 && name.length <= 63)
  )
}

/** @param {import('./types').Container} container @returns {Record<string, string>} */
function headersOf({ etag, modifiedMs }) {
  return { ETag: etag, 'Last-Modified': new Date(modifiedMs).toUTCString() }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-container-properties @param {Context} ctx @returns {Answer} */
function getContainer(ctx) {
  return { status: 200, headers: headersOf(ctx.container()) }
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-container @param {Context} ctx @returns {Answer} */
function deleteContainer(ctx) {
  ctx.state.catalog.containers.delete(ctx.container().name)
  return { status: 202 }
}

module.exports = { addContainer, createContainer, deleteContainer, getContainer, isContainerName }
