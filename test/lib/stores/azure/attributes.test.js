'use strict'

const {
  attributesOf,
  describingHeaders,
  readDescription,
  readWritten,
  writeHeaders,
} = require('../../../../lib/stores/azure/attributes')
const { metadataFault } = require('../../../../lib/stores/azure/rules')
const { explainAnswer } = require('../../../../lib/stores/azure/explain')

const FACTS = { side: 'destination', bucket: 'box', endpoint: 'http://somewhere', protocol: 'Azure Blob' }

test('a blob is described by what its headers say, and the default tier of the account is not its own', () => {
  const headers = {
    ...{ 'content-type': 'text/csv', 'x-ms-meta-color': 'blue', 'x-ms-tag-count': '2', 'x-ms-access-tier': 'Cool' },
    ...{ 'content-md5': 'zWwLKTrvXv6KUD3rSYVj5w==' },
  }
  expect(attributesOf(headers)).toEqual({
    metadata: { headers: { 'content-type': 'text/csv' }, user: { color: 'blue' } },
    storageClass: 'Cool',
    tags: 2,
  })
  expect(attributesOf({ ...headers, 'x-ms-access-tier-inferred': 'true' }).storageClass).toBeUndefined()
  expect(readDescription(headers).sums).toEqual({ md5: 'cd6c0b293aef5efe8a503deb498563e7' })
})

test.each([
  [{ 'x-ms-blob-type': 'AppendBlob' }, ['its type (an append blob)']],
  [{ 'x-ms-blob-type': 'PageBlob' }, ['its type (a page blob)']],
  [{ 'x-ms-legal-hold': 'true' }, ['its legal hold']],
  [{ 'x-ms-immutability-policy-until-date': 'Mon, 23 Nov 2026 10:00:00 GMT' }, ['its immutability policy']],
  [{ 'x-ms-encryption-scope': 'finance' }, ['its encryption scope']],
  [{ 'x-ms-expiry-time': 'Mon, 23 Nov 2026 10:00:00 GMT' }, ['its expiry time']],
  [{ 'x-ms-blob-type': 'BlockBlob', 'x-ms-legal-hold': 'false' }, undefined],
])('what a copy does not get is named: %j', (headers, unkept) => {
  expect(attributesOf(headers).unkept).toEqual(unkept)
})

test('the CRC-64 of an answer is little-endian, and anything else is none', () => {
  // The check value of CRC-64/NVME, of "123456789".
  expect(readWritten({ 'x-ms-content-crc64': 'iJh5CoYUi64=' }).answered).toEqual({ crc64nvme: 'ae8b14860a799888' })
  expect(readWritten({ 'x-ms-content-crc64': 'no checksum', 'x-ms-version-id': 'v1' })).toEqual({ versionId: 'v1' })
})

test('attributes are written as headers of a blob, in ASCII', () => {
  const attributes = {
    metadata: { headers: { 'content-type': 'text/csv', expires: 'tomorrow' }, user: { Color: 'Ã¤', 'with-dash': '1' } },
    tags: [['a b', 'c=d&e']],
    storageClass: 'Cold',
  }
  expect(writeHeaders(/** @type {any} */ (attributes), FACTS)).toEqual({
    'x-ms-blob-content-type': 'text/csv',
    'x-ms-meta-color': '=?UTF-8?B?w6Q=?=',
    'x-ms-tags': 'a%20b=c%3Dd%26e',
    'x-ms-access-tier': 'Cold',
  })
})

test('a read tells no tier, so none is expected of it', () => {
  const description = {
    metadata: { headers: { 'content-type': 'a/b' }, user: { x: '1' } },
    storageClass: 'Cool',
    tags: 1,
  }
  expect(describingHeaders(description)).toEqual({ 'content-type': 'a/b', 'x-ms-meta-x': '1', 'x-ms-tag-count': '1' })
})

test.each(['color', '_a1', 'A_B'])('%s is a name of metadata', name => expect(metadataFault(name)).toBeUndefined())
test.each(['with-dash', '1st', 'ä', ''])('"%s" is none', name => expect(metadataFault(name)).toMatch(/identifier/))

test.each([
  ['read', 412, 'ConditionNotMet', 'SOURCE_CHANGED'],
  ['read', 416, 'InvalidRange', 'SOURCE_CHANGED'],
  ['read', 409, 'BlobArchived', 'ARCHIVED'],
  ['read', 409, 'BlobUsesCustomerSpecifiedEncryption', 'STORE_REFUSED'],
  ['read', 404, 'BlobNotFound', 'NO_SUCH_KEY'],
  ['write', 412, 'ConditionNotMet', 'DESTINATION_EXISTS'],
  ['write', 409, 'BlobAlreadyExists', 'DESTINATION_EXISTS'],
  ['write', 412, 'LeaseIdMissing', 'STORE_REFUSED'],
  ['write', 409, 'InvalidBlobType', 'STORE_REFUSED'],
  ['write', 409, 'BlobImmutableDueToPolicy', 'STORE_REFUSED'],
  ['write', 400, 'InvalidBlobOrBlock', 'STORE_REFUSED'],
  ['write', 400, 'Crc64Mismatch', 'PART_CORRUPTED'],
  ['write', 403, 'AuthenticationFailed', 'CREDENTIALS_REFUSED'],
  ['write', 403, 'AuthorizationPermissionMismatch', 'ACCESS_DENIED'],
  ['write', 403, undefined, 'ACCESS_DENIED'],
  ['write', 503, 'ServerBusy', 'STORE_THROTTLED'],
  ['write', 500, 'OperationTimedOut', 'STORE_ERROR'],
  ['write', 500, undefined, 'STORE_ERROR'],
])('a %s answered %s %s is %s', (of, status, storeCode, code) => {
  const error = explainAnswer(/** @type {any} */ ({ of, status, storeCode }), FACTS)
  expect(error).toMatchObject({ code, facts: { status } })
})

test('a refusal says which role is needed', () => {
  const { hint } = explainAnswer({ of: 'write', status: 403, storeCode: 'AuthorizationPermissionMismatch' }, FACTS)
  expect(hint).toBe(
    'The credentials need the role Storage Blob Data Contributor (or a SAS with sp=cw) on the destination container.',
  )
})
