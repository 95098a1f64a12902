'use strict'

/** The control calls of Azure Blob Storage: a table of them, and of the documents in their answers. Pure. */

const { createDocuments, texts } = require('../xml')

/** https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key */
const KEY_NAMES = /** @type {const} */ ([
  ...['SignedOid', 'SignedTid', 'SignedStart', 'SignedExpiry', 'SignedService', 'SignedVersion', 'Value'],
])

const KIB = 1024

/**
 * The page of each operation: https://learn.microsoft.com/rest/api/storageservices/operations-on-blobs
 *
 * @typedef {object} Operation
 * @property {'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} method
 * @property {import('./explain').Kind} kind what the credentials need
 * @property {Record<string, string>} [query] parameters that name the operation
 * @property {number} [status] of success; 200 when absent
 * @property {true} [service] it concerns the account's service, and neither a container nor a blob
 * @property {true} [long] it answers only when its work is done
 * @property {import('../xml/documents').Kind} [answer] absent: it is answered without a document
 */

/** By Azure's names. @type {Record<string, Operation>} */
const OPERATIONS = {
  'List Blobs': {
    ...{ method: 'GET', kind: 'list', query: { restype: 'container', comp: 'list' } },
    answer: {
      // Five thousand names of 1,024 characters in their longest form.
      ...{ what: 'a list', root: 'EnumerationResults', most: 48 * KIB * KIB },
      shape: {
        ...{ Prefix: 'encodable', NextMarker: 'text' },
        Blobs: {
          Blob: [
            {
              Name: 'encodable',
              Properties: {
                ...texts('Content-MD5', 'Last-Modified', 'Etag', 'ResourceType', 'Content-Length', 'Content-Type'),
                ...texts('AccessTier', 'AccessTierInferred'),
              },
            },
          ],
          BlobPrefix: [{ Name: 'encodable' }],
        },
      },
    },
  },
  'List Containers': {
    ...{ method: 'GET', kind: 'account', service: true, query: { comp: 'list' } },
    answer: {
      ...{ what: 'a list of containers', root: 'EnumerationResults', most: 8 * KIB * KIB },
      shape: {
        NextMarker: 'text',
        Containers: { Container: [{ Name: 'text', Properties: texts('Last-Modified') }] },
      },
    },
  },
  'Get Container Properties': { method: 'HEAD', kind: 'list', query: { restype: 'container' } },
  'Create Container': { method: 'PUT', kind: 'write', query: { restype: 'container' }, status: 201 },
  'Get Blob Properties': { method: 'HEAD', kind: 'read' },
  'Delete Blob': { method: 'DELETE', kind: 'remove', status: 202 },
  'Get Blob Tags': {
    ...{ method: 'GET', kind: 'tags', query: { comp: 'tags' } },
    answer: {
      ...{ what: 'the question for tags', root: 'Tags', most: 64 * KIB },
      shape: { TagSet: { Tag: [texts('Key', 'Value')] } },
    },
  },
  'Set Blob Tags': { method: 'PUT', kind: 'tags', query: { comp: 'tags' }, status: 204 },
  'Put Block': { method: 'PUT', kind: 'write', query: { comp: 'block' }, status: 201 },
  'Put Block From URL': { method: 'PUT', kind: 'write', query: { comp: 'block' }, status: 201, long: true },
  'Put Block List': { method: 'PUT', kind: 'write', query: { comp: 'blocklist' }, status: 201 },
  'Get Block List': {
    ...{ method: 'GET', kind: 'read', query: { comp: 'blocklist' } },
    answer: {
      // A hundred thousand blocks.
      ...{ what: 'a list of blocks', root: 'BlockList', most: 32 * KIB * KIB },
      shape: {
        UncommittedBlocks: { Block: [texts('Name', 'Size')] },
        CommittedBlocks: { Block: [texts('Name')] },
      },
    },
  },
  'Get User Delegation Key': {
    ...{ method: 'POST', kind: 'delegate', service: true, query: { restype: 'service', comp: 'userdelegationkey' } },
    answer: {
      ...{ what: 'the question for a user delegation key', root: 'UserDelegationKey', most: 64 * KIB },
      shape: texts(...KEY_NAMES),
    },
  },
}

const documents = createDocuments(Object.values(OPERATIONS).flatMap(({ answer }) => answer ?? []))

module.exports = { KEY_NAMES, OPERATIONS, documents }
