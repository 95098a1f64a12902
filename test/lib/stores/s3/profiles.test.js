'use strict'

const { PROFILES, limitsOf, profileOf } = require('../../../../lib/stores/s3/profiles')

test.each([
  ['s3.eu-west-1.amazonaws.com', undefined, 'Amazon S3'],
  ['storage.googleapis.com', undefined, 'Google Cloud Storage'],
  ['account.r2.cloudflarestorage.com', undefined, 'Cloudflare R2'],
  ['s3.us-west-004.backblazeb2.com', undefined, 'Backblaze B2'],
  ['127.0.0.1', 'MinIO', 'MinIO'],
  ['127.0.0.1', 'VERSITYGW', 'versitygw'],
  ['127.0.0.1', 'Ceph Object Gateway (squid)', 'Ceph radosgw'],
  ['127.0.0.1', 'SeaweedFS 3.97', 'SeaweedFS'],
  // What says so of itself is not Amazon's.
  ['127.0.0.1', 'AmazonS3', 'rclone serve s3, gofakes3'],
  // The host says more than the header.
  ['bucket.s3.amazonaws.com', 'MinIO', 'Amazon S3'],
])('%s, which names itself %s, is %s', (host, server, name) => {
  expect(profileOf({ host, server })).toMatchObject({ name })
})

test('of a server that nobody knows nothing is known', () => {
  expect(profileOf({ host: 'store.example' })).toEqual({})
  expect(profileOf({ host: 'amazonaws.com.example', server: 'Oddity/1.0' })).toEqual({})
  expect(limitsOf({})).toMatchObject({ maxParts: 10_000, equalParts: false })
  expect(limitsOf(profileOf({ host: 'account.r2.cloudflarestorage.com' }))).toMatchObject({ equalParts: true })
})

test('each row has a source', () => {
  for (const { name, sources } of PROFILES)
    expect({ name, sources: sources.length > 0 }).toEqual({ name, sources: true })
})
