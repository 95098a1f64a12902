'use strict'

const { explainAnswer } = require('../../../../lib/stores/azure/explain')

const FACTS = { side: 'destination', protocol: 'Azure Blob', bucket: 'photos', endpoint: 'https://acc1.example' }

test.each([
  ['a write that finds nothing lacks its container', 'write', 404, undefined, 'NO_SUCH_BUCKET'],
  ['a read that finds nothing lacks its blob', 'read', 404, undefined, 'NO_SUCH_KEY'],
  ['a condition of a write that does not hold', 'write', 412, 'ConditionNotMet', 'DESTINATION_EXISTS'],
  ['a blob that is there already', 'write', 409, 'BlobAlreadyExists', 'DESTINATION_EXISTS'],
  ['an ETag of a read that does not hold', 'read', 412, 'ConditionNotMet', 'SOURCE_CHANGED'],
  ['a range behind the end', 'read', 416, 'InvalidRange', 'SOURCE_CHANGED'],
  ['bytes that do not fit their checksum', 'write', 400, 'Crc64Mismatch', 'PART_CORRUPTED'],
  ['a lease', 'write', 412, 'LeaseIdMissing', 'STORE_REFUSED'],
  ['a busy server', 'write', 503, 'ServerBusy', 'STORE_THROTTLED'],
  ['no permission', 'read', 403, 'AuthorizationPermissionMismatch', 'ACCESS_DENIED'],
])('%s', (_, of, status, storeCode, code) => {
  expect(explainAnswer({ of, status, storeCode }, FACTS)).toMatchObject({ code, facts: { status } })
})
