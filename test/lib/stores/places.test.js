'use strict'

const fc = require('fast-check')
const { completeDestination, parsePlace, placeText, textToOpen } = require('../../../lib/stores')

const refusal = (side, reason = /./) => {
  const facts = expect.objectContaining({ side, reason: expect.stringMatching(reason) })
  return expect.objectContaining({ code: 'BAD_LOCATION', exitCode: 2, facts })
}

test.each([
  ['S3://bucket/key', 'bucket', 'key', undefined],
  ['s3://profile@bucket/key', 'bucket', 'key', 'profile'],
  ['s3://p@bucket/a@b', 'bucket', 'a@b', 'p'],
  ['s3://bucket/./a/../b', 'bucket', './a/../b', undefined],
])('a location %s is read literally', (text, bucket, key, profile) => {
  const ofProfile = profile && { typed: `${profile}@${bucket}`, options: { profile } }
  const expected = { scheme: 's3', container: bucket, key, ...ofProfile }
  expect([parsePlace(text, 'source'), parsePlace(text, 'destination')]).toEqual([expected, expected])
})

test.each(['s3://bucket', 's3://bucket/'])('a location %s has no key, which only a destination may lack', text => {
  expect(parsePlace(text, 'destination')).toEqual({ scheme: 's3', container: 'bucket', key: '' })
  expect(() => parsePlace(text, 'source')).toThrow(refusal('source', /no key/))
})

test.each([
  [{ text: 's3://bkt/k', typed: 's3://p@bkt/k' }, { profile: 'p', region: 'r' }, 's3://p@bkt/k'],
  [{ text: 's3://bkt/k', typed: 's3://p@bkt/k' }, { profile: 'q' }, 's3://bkt/k'],
])('a location of a journal, %j with %j, is opened as %s', (end, options, text) => {
  expect(textToOpen(end, 'source', options)).toBe(text)
})

test('a location keeps any key as it was typed', () => {
  const key = fc.fullUnicodeString({ minLength: 1, maxLength: 250 }).filter(text => text.isWellFormed())
  fc.assert(
    fc.property(key, typed => {
      const location = parsePlace(`s3://bucket/${typed}`, 'source')
      expect([location.key, placeText(location)]).toEqual([typed, `s3://bucket/${typed}`])
    }),
  )
})

test.each(['', 'ftp://bucket/key', 's3:/bucket/key'])('a location %j has no scheme that is known', text => {
  expect(() => parsePlace(text, 'source')).toThrow(refusal('source'))
})

test.each([
  ['s3://@bucket/key', /profile before the @ is empty/],
  ['s3://bucket:9000/key', /cannot be the name/],
  ['s3://arn:aws:s3:eu-west-1:123456789012:accesspoint/mine/key', /ARN of an access point/],
  ['s3://p@arn:aws-cn:s3:cn-north-1:123456789012:accesspoint:mine/key', /ARN of an access point/],
  ['s3://arn:aws:s3-object-lambda:eu-west-1:123456789012:accesspoint/mine/key', /ARN of an access point/],
  ['s3://arn:aws:s3::123456789012:accesspoint/mine.mrap/key', /Multi-Region Access Point/],
  ['s3://arn:aws:s3-outposts:eu-west-1:123456789012:outpost/op-1/accesspoint/mine/key', /ARN is no name of a bucket/],
  ['s3://arn:aws:s3:::bucket/key', /ARN is no name of a bucket/],
  [`s3://bucket/${'é'.repeat(513)}`, /1,024 bytes/],
  ['s3://bucket/\ud800', /Unicode/],
  ['gs://bucket/..', /refuses/],
])('a location %j is refused with its reason', (text, reason) => {
  expect(() => parsePlace(text, 'destination')).toThrow(refusal('destination', reason))
})

test('an access point is named by its alias', () => {
  const hint = expect.stringMatching(/^Write it as s3:\/\/NAME-…-s3alias\/KEY/)
  const text = 's3://arn:aws:s3:eu-west-1:123456789012:accesspoint/mine/key'
  expect(() => parsePlace(text, 'source')).toThrow(expect.objectContaining({ hint }))
  const container = 'mine-1a2b3c4d5e6f7g8h9i0jklmnopqrstuvw-s3alias'
  expect(parsePlace(`s3://${container}/key`, 'source')).toMatchObject({ container, key: 'key' })
})

const complete = (destination, source) =>
  completeDestination(parsePlace(destination, 'destination'), parsePlace(source, 'source'))

test.each([
  ['s3://dest/', 's3://src/a/b/big.tar', 'big.tar'],
  ['s3://dest/backup/', 's3://src/a/big', 'backup/big'],
  [`s3://dest/${'d'.repeat(1019)}/`, 's3://src/name', `${'d'.repeat(1019)}/name`],
])('a destination %s for %s has the key %s', (destination, source, key) =>
  expect(complete(destination, source).key).toBe(key),
)

test.each([
  ['s3://dest', 's3://src/dir/', 'source', /ends in a slash/],
  ['s3://dest/x/', 's3://src/dir/', 'source', /ends in a slash/],
  [`s3://dest/${'d'.repeat(1020)}/`, 's3://src/name', 'destination', /1,024 bytes/],
])('a destination %s gets no name from %s, because of the %s: %s', (destination, source, side, reason) => {
  expect(() => complete(destination, source)).toThrow(refusal(side, reason))
})
