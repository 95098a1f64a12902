'use strict'

const { readMetadata } = require('./description')
const { newEtag } = require('./entries')
const { AzureError, badHeader } = require('./errors')

/**
 * Containers: created, described, deleted.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Container} Container
 */

/** https://learn.microsoft.com/rest/api/storageservices/create-container @param {Context} ctx @returns {Answer} */
function createContainer(ctx) {
  const name = ctx.bucketName ?? ''
  const access = ctx.header('x-ms-blob-public-access')
  if (access !== undefined && access !== 'blob' && access !== 'container')
    throw badHeader('x-ms-blob-public-access', access)
  if (!isContainerName(name)) throw new AzureError('InvalidResourceName')
  if (ctx.state.catalog.containers.has(name)) throw new AzureError('ContainerAlreadyExists')
  /** @type {Omit<Container, 'entries'>} */
  const container = {
    name,
    access,
    discard: false,
    etag: newEtag(),
    modifiedMs: ctx.state.now(),
    metadata: readMetadata(ctx),
  }
  ctx.state.catalog.putContainer(container)
  return { status: 201, headers: headersOf(container) }
}

/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata @param {string} name */
function isContainerName(name) {
  return (
    ['$root', '$web', '$logs'].includes(name) ||
    (/^[a-z0-9](-?[a-z0-9])+$/.test(name) && name.length >= 3 && name.length <= 63)
  )
}

/** @param {Pick<Container, 'etag' | 'modifiedMs'>} container @returns {Record<string, string>} */
function headersOf({ etag, modifiedMs }) {
  return { ETag: etag, 'Last-Modified': new Date(modifiedMs).toUTCString() }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-container-properties @param {Context} ctx @returns {Answer} */
function getContainer(ctx) {
  const container = ctx.container()
  /** @type {Record<string, string>} */
  const headers = {
    ...headersOf(container),
  }
  for (const [name, value] of container.metadata) headers[`x-ms-meta-${name}`] = value
  if (container.access !== undefined) headers['x-ms-blob-public-access'] = container.access
  return { status: 200, headers }
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-container @param {Context} ctx @returns {Answer} */
function deleteContainer(ctx) {
  const { name } = ctx.container()
  if (['if-match', 'if-none-match'].some(header => ctx.headers.has(header))) {
    throw new AzureError('ConditionHeadersNotSupported')
  }
  ctx.state.catalog.removeContainer(name)
  return { status: 202 }
}

module.exports = {
  createContainer,
  deleteContainer,
  getContainer,
  isContainerName,
}
