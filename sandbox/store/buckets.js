'use strict'

const { S3Error } = require('./errors')
const { OWNER } = require('./listing')
const { receiveText } = require('./payload')
const { childText, readXml, writeS3Xml } = require('../common/xml')

/**
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 *
 * @param {string} name
 * @throws {S3Error} InvalidBucketName
 */
function checkBucketName(name) {
  const good =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|^xn--|-s3alias$/.test(name) && !/^[\d.]+$/.test(name)
  if (!good) throw new S3Error('InvalidBucketName', { BucketName: name })
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html @param {Context} ctx @returns {Promise<Answer>} */
async function createBucket(ctx) {
  const { catalog, options, now } = ctx.state
  const name = ctx.bucketName ?? ''
  const text = await receiveText(ctx)
  checkBucketName(name)
  const constraint = text.trim() === '' ? undefined : childText(readXml(text), 'LocationConstraint')
  // It is the location without a name.
  if (constraint === 'us-east-1') throw new S3Error('InvalidLocationConstraint')
  const signedFor = ctx.identity?.region ?? options.region
  const region = constraint || options.region
  // The endpoint of us-east-1 creates buckets in any region; the others only in their own. Google has one endpoint for all.
  if (region !== signedFor && signedFor !== 'us-east-1' && signedFor !== 'auto') {
    throw new S3Error('IllegalLocationConstraintException')
  }
  const there = catalog.buckets.get(name)
  // In us-east-1 it is as if it had been created.
  if (there && (there.region !== 'us-east-1' || region !== there.region)) {
    throw new S3Error('BucketAlreadyOwnedByYou', { BucketName: name })
  }
  if (!there) catalog.addBucket(name, { region, publicRead: false, discard: false, versions: false }, now())
  return { status: 200, headers: { Location: `/${name}` } }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html @param {Context} ctx @returns {Answer} */
function headBucket(ctx) {
  return { status: 200, headers: { 'x-amz-bucket-region': ctx.bucket().region } }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html @param {Context} ctx @returns {Answer} */
function listBuckets(ctx) {
  const { catalog } = ctx.state
  const { account } = ctx.identity ?? {}
  const after = ctx.query.get('continuation-token') ?? ''
  const names = [...catalog.buckets.keys()]
    .filter(name => (account?.buckets?.includes(name) ?? true) && name > after)
    .sort()
  // Pages are only for who asks for them.
  const most = Number(ctx.query.get('max-buckets') ?? Number.POSITIVE_INFINITY)
  const more = names.length > most ? names.splice(most).length : 0
  const Bucket = names.map(name => {
    const { createdMs, region } = /** @type {import('./types').Bucket} */ (catalog.buckets.get(name))
    return { Name: name, CreationDate: new Date(createdMs).toISOString(), BucketRegion: region }
  })
  return {
    status: 200,
    body: writeS3Xml('ListAllMyBucketsResult', {
      ...{ Owner: OWNER, Buckets: { Bucket } },
      ContinuationToken: more > 0 ? names.at(-1) : undefined,
    }),
  }
}

module.exports = { checkBucketName, createBucket, headBucket, listBuckets }
