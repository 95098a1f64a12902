'use strict'

const { randomBytes } = require('node:crypto')
const {
  lengthOf,
  newBlockId,
  newUploadId,
  readBlockId,
  readUploadId,
} = require('../../../../lib/stores/azure/block-ids')

const NOW_MS = Date.UTC(2026, 10, 23, 10, 0, 0)
const newId = more => newUploadId({ nowMs: NOW_MS, random: randomBytes, ...more })

test.each([
  [undefined, 24],
  [16, 16],
  [36, 36],
  [64, 64],
])('the ids of an upload over blocks of %s bytes have %d', (length, expected) => {
  const upload = readUploadId(newId({ length }))
  const ids = [1, 2, 50_000].map(number => newBlockId(upload, number, randomBytes))
  expect(ids.map(lengthOf)).toEqual([expected, expected, expected])
  expect(ids.map(id => readBlockId(id)?.partNumber)).toEqual([1, 2, 50_000])
  expect(new Set(ids.map(id => readBlockId(id)?.mark))).toEqual(new Set([upload.mark]))
  expect(readBlockId(ids[0])?.beganMs).toBe(NOW_MS)
})

test('each attempt has another id, and none has a sign that URLs write in several ways', () => {
  const upload = readUploadId(newId())
  const ids = Array.from({ length: 2000 }, (_, i) => newBlockId(upload, (i % 50_000) + 1, randomBytes))
  expect(ids.filter(id => /[+/=]/.test(id))).toEqual([])
  expect(new Set(Array.from({ length: 100 }, () => newBlockId(upload, 1, randomBytes))).size).toBe(100)
})

test('another text stands for an upload of the usual kind, always the same', () => {
  expect(readUploadId('any')).toEqual(readUploadId('any'))
  expect(readUploadId('any').mark).not.toBe(readUploadId('other').mark)
  expect(readUploadId('any').length).toBe(24)
})

test.each([
  ['of rclone', randomBytes(16).fill(1, 0, 8)],
  ['of azcopy', Buffer.from('6c4c8a0f-1f8e-4f3c-8f5e-0123456789ab0001')],
  ['too short', Buffer.from('x001abc')],
])('a block %s is none of ours', (_, bytes) => {
  expect(readBlockId(bytes.toString('base64'))).toBeUndefined()
})
