'use strict'

const { readMetadata } = require('./description')
const { newEtag } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { receiveText } = require('./payload')
const { writeXml } = require('./xml')

/**
 * Containers, and what can be asked of the account.
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
  if (access !== undefined && !ctx.state.options.publicAccess) throw new AzureError('PublicAccessNotPermitted')
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
    'x-ms-lease-status': 'unlocked',
    'x-ms-lease-state': 'available',
    'x-ms-has-immutability-policy': 'false',
    'x-ms-has-legal-hold': 'false',
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

/** Which rules it has, of which the sandbox has none. @param {Context} ctx @returns {Answer} */
function getContainerAcl(ctx) {
  const container = ctx.container()
  const access = container.access && { 'x-ms-blob-public-access': container.access }
  return { status: 200, headers: { ...headersOf(container), ...access }, body: writeXml('SignedIdentifiers', {}) }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-service-properties @returns {Answer} */
function getServiceProperties() {
  const off = { Version: '1.0', Delete: false, Read: false, Write: false, RetentionPolicy: { Enabled: false } }
  const metrics = { Version: '1.0', Enabled: false, RetentionPolicy: { Enabled: false } }
  const body = writeXml('StorageServiceProperties', {
    Logging: off,
    HourMetrics: metrics,
    MinuteMetrics: metrics,
    Cors: '',
    DeleteRetentionPolicy: { Enabled: false },
    StaticWebsite: { Enabled: false },
  })
  return { status: 200, body }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-account-information @param {Context} ctx @returns {Answer} */
function getAccountInformation({ state: { options } }) {
  const headers = {
    'x-ms-sku-name': 'Standard_LRS',
    'x-ms-account-kind': 'StorageV2',
    'x-ms-is-hns-enabled': String(options.hierarchical),
  }
  return { status: 200, headers }
}

/** Only a replica answers: the sandbox has none. @returns {never} */
function getServiceStats() {
  throw new AzureError('InsufficientAccountPermissions', {
    status: 403,
    message: 'Read-access geo-redundant replication is not enabled for the account.',
  })
}

/** Takes properties, and keeps none: nothing here depends on them. @param {Context} ctx @returns {Promise<Answer>} */
async function setServiceProperties(ctx) {
  await receiveText(ctx)
  return { status: 202 }
}

module.exports = {
  createContainer,
  deleteContainer,
  getAccountInformation,
  getContainer,
  getContainerAcl,
  getServiceProperties,
  getServiceStats,
  isContainerName,
  setServiceProperties,
}
