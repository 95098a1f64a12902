'use strict'

/**
 * The query of a user delegation SAS for one block, as Microsoft's SDK signs it: `sdk-sas.js ACCOUNT KEY`, where KEY is the
 * delegation key as JSON. It runs with the Node.js and the packages that the SDK needs.
 */

const azure = require('@azure/storage-blob')

const [, , account, text] = process.argv
const { block, ...key } = JSON.parse(text)
const signed = {
  containerName: 'photos',
  blobName: 'bound',
  permissions: azure.BlobSASPermissions.parse('w'),
  expiresOn: new Date(Date.now() + 600_000),
  requestHeaders: { 'content-length': '3' },
  requestQueryParameters: { comp: 'block', blockid: block },
}
const times = { signedStartsOn: new Date(key.signedStartsOn), signedExpiresOn: new Date(key.signedExpiresOn) }
process.stdout.write(`${azure.generateBlobSASQueryParameters(signed, { ...key, ...times }, account)}`)
