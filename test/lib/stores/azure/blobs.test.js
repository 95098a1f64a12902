'use strict'

/** Blobs without a request: their names, their attributes, the ids of their blocks, and what refusals mean. */

const { randomBytes } = require('node:crypto')
const { identify, parsePlace, placeText } = require('../../../../lib/stores')
const attributes = require('../../../../lib/stores/azure/answers')
const blockIds = require('../../../../lib/stores/azure/upload')
const { explainAnswer } = require('../../../../lib/stores/azure/explain')
const { thrownBy } = require('../../../support/thrown')

const FACTS = { side: 'destination', bucket: 'box', endpoint: 'http://somewhere', protocol: 'Azure Blob' }

describe('a location of Azure', () => {
  const segments = count => Array(count).fill('a').join('/')

  test.each([
    ['AZ://acc123/con-tainer-1/a/b/c', 'acc123', 'con-tainer-1', 'a/b/c'],
    ['az://account/container/ü/日本/😀\n', 'account', 'container', 'ü/日本/😀\n'],
    [`az://account/container/${'é'.repeat(1024)}`, 'account', 'container', 'é'.repeat(1024)],
  ])('%s is read literally', (text, account, container, key) => {
    const place = parsePlace(text, 'source')
    expect(place).toEqual({ scheme: 'az', account, container, key })
    expect(placeText(place)).toBe(text.replace(/^AZ/, 'az'))
  })

  test.each([
    ['az://', /no account/],
    ['az://Account/container/key', /storage account, which has no capitals/],
    ...['a--b', 'ab-', 'ab', '$other'].map(name => [`az://account/${name}/key`, /cannot be/]),
    [`az://account/container/${'k'.repeat(1025)}`, /longer than 1,024 characters/],
    [`az://account/container/${segments(255)}`, /more than 254 segments/],
    // Azure would take it for another one.
    ...['./a', 'a/../b', 'a.', 'a./b'].map(key => [`az://account/container/${key}`, /dot at the end of a segment/]),
    ['az://account/container/key?sv=2024-01-01&sig=SECRETSECRET', /AZURE_STORAGE_SAS_TOKEN/],
    ['az://account:SECRETSECRET/container/key', /storage account/],
  ])('%j is refused, without what may be a secret', (text, reason) => {
    const error = thrownBy(() => parsePlace(text, 'source'))
    expect(error).toMatchObject({ code: 'BAD_LOCATION', exitCode: 2, message: expect.stringMatching(reason) })
    expect(error.facts).toMatchObject({ side: 'source', forms: 'az://account/container/key' })
    expect(JSON.stringify(error)).not.toContain('SECRETSECRET')
  })

  const at = (account, endpoint) =>
    identify({ scheme: 'az', account, container: 'c-1', key: 'k' }, { account, endpoint })
  const public1 = 'https://acc.blob.core.windows.net'
  test.each([
    [true, 'acc', public1, 'acc', 'https://acc.z12.blob.storage.azure.net'],
    [false, 'acc', public1, 'bcc', 'https://bcc.blob.core.windows.net'],
    [false, 'acc', public1, 'acc', 'https://acc.blob.core.chinacloudapi.cn'],
  ])('that they are one is %s: of %s at %s, and of %s at %s', (same, account, endpoint, other, otherEndpoint) => {
    expect(at(account, endpoint).id === at(other, otherEndpoint).id).toBe(same)
  })
})

const { describingHeaders, metadataFault, readDescription, readWritten, writeHeaders } = attributes

test('attributes are what the headers say, and the default tier of the account is not the own one', () => {
  const described = { 'content-type': 'text/csv', 'x-ms-meta-color': 'blue', 'x-ms-tag-count': '2' }
  const headers = { ...described, 'x-ms-access-tier': 'Cool', 'content-md5': 'zWwLKTrvXv6KUD3rSYVj5w==' }
  const metadata = { headers: { 'content-type': 'text/csv' }, user: { color: 'blue' } }
  const sums = { md5: 'cd6c0b293aef5efe8a503deb498563e7' }
  expect(readDescription(headers)).toEqual({ metadata, storageClass: 'Cool', tags: 2, sums })
  expect(readDescription({ ...headers, 'x-ms-access-tier-inferred': 'true' }).storageClass).toBeUndefined()
  // A read tells no tier, so none is expected of it.
  expect(describingHeaders({ metadata, storageClass: 'Cool', tags: 2 })).toEqual(described)
})

test.each([
  [{ 'x-ms-blob-type': 'AppendBlob' }, ['its type (an append blob)']],
  [{ 'x-ms-legal-hold': 'true' }, ['its legal hold']],
  [{ 'x-ms-blob-type': 'BlockBlob', 'x-ms-legal-hold': 'false' }, undefined],
])('attributes that a copy does not get are named: %j', (headers, unkept) => {
  expect(readDescription(headers).unkept).toEqual(unkept)
})

test('attributes have a CRC-64 in the answer to a write, little-endian; anything else is none', () => {
  // The check value of CRC-64/NVME, of "123456789".
  expect(readWritten({ 'x-ms-content-crc64': 'iJh5CoYUi64=' }).answered).toEqual({ crc64nvme: 'ae8b14860a799888' })
  expect(readWritten({ 'x-ms-content-crc64': 'no checksum', 'x-ms-version-id': 'v1' })).toEqual({ versionId: 'v1' })
})

test('attributes are written as headers of a blob, in ASCII', () => {
  const user = { Color: 'Ã¤', 'with-dash': '1' }
  const metadata = { headers: { 'content-type': 'text/csv', expires: 'tomorrow' }, user }
  expect(writeHeaders({ metadata, tags: [['a b', 'c=d&e']], storageClass: 'Cold' }, FACTS)).toEqual({
    'x-ms-blob-content-type': 'text/csv',
    'x-ms-meta-color': '=?UTF-8?B?w6Q=?=',
    'x-ms-tags': 'a%20b=c%3Dd%26e',
    'x-ms-access-tier': 'Cold',
  })
  expect(['color', '_a1', 'A_B'].map(metadataFault)).toEqual([undefined, undefined, undefined])
  for (const name of ['with-dash', '1st', 'ä', '']) expect(metadataFault(name)).toMatch(/identifier/)
})

const { lengthOf, newBlockId, newUploadId, readBlockId, readUploadId } = blockIds
const NOW_MS = Date.UTC(2026, 10, 23, 10, 0, 0)
const newUpload = more => readUploadId(newUploadId({ nowMs: NOW_MS, random: randomBytes, ...more }))

test.each([undefined, 16, 64])('ids of blocks of an upload over blocks of %s bytes have as many, or 24', length => {
  const upload = newUpload({ length })
  for (const partNumber of [1, 2, 50_000]) {
    const id = newBlockId(upload, partNumber, randomBytes)
    expect(lengthOf(id)).toBe(length ?? 24)
    expect(readBlockId(id)).toMatchObject({ partNumber, mark: upload.mark, beganMs: NOW_MS })
  }
})

test('ids of blocks differ by the attempt, and have no sign that URLs write in several ways', () => {
  const upload = newUpload()
  const ids = Array.from({ length: 2000 }, (_, i) => newBlockId(upload, (i >> 1) + 1, randomBytes))
  expect([ids.filter(id => /[+/=]/.test(id)), new Set(ids).size]).toEqual([[], 2000])
})

test('ids of blocks of other programs are none of ours: rclone, azcopy, and one that is too short', () => {
  const azcopy = Buffer.from('6c4c8a0f-1f8e-4f3c-8f5e-0123456789ab0001')
  const others = [randomBytes(16).fill(1, 0, 8), azcopy, Buffer.from('x001abc')]
  for (const bytes of others) expect(readBlockId(bytes.toString('base64'))).toBeUndefined()
})

test.each([
  ['read', 412, 'ConditionNotMet', 'SOURCE_CHANGED'],
  ['read', 409, 'BlobArchived', 'ARCHIVED', /Restore it first/],
  ['write', 409, 'BlobArchived', 'ARCHIVED', /Delete it first/],
  ['write', 409, 'BlobAlreadyExists', 'DESTINATION_EXISTS'],
  ['write', 412, 'LeaseIdMissing', 'STORE_REFUSED', /lease break/],
  ['write', 409, 'InvalidBlobType', 'STORE_REFUSED', /Delete that blob/],
  ['write', 409, 'InvalidBlockId', 'STORE_REFUSED', /Copy to another name/],
  ['write', 409, 'BlockCountExceedsLimit', 'STORE_REFUSED', /Copy to another name/],
  ['write', 409, 'PathConflict', 'STORE_REFUSED', /Rename the folder/],
  ['write', 400, 'Crc64Mismatch', 'PART_CORRUPTED'],
  ['write', 403, 'AuthorizationPermissionMismatch', 'ACCESS_DENIED'],
  ['write', 503, 'ServerBusy', 'STORE_THROTTLED'],
])('a refused %s with %s %s is %s, and its hint says what to do', (of, status, storeCode, code, hint = /./) => {
  const error = explainAnswer(/** @type {any} */ ({ of, status, storeCode }), FACTS)
  expect(error).toMatchObject({ code, facts: { status }, hint: expect.stringMatching(hint) })
})
