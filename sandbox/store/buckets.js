'use strict'

/**
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

const { S3Error, USUAL } = require('./errors')
const { OWNER } = require('./listing')
const { receiveText } = require('./payload')
const { childText, readXml, writeS3Xml, readTags } = require('../common/xml')
const { checkTags } = require('./description')
const { objectOf } = require('./objects')
const { hasAction } = require('./auth')
const { foldedName } = require('./quirks')
const { refusal } = require('../common/serve')
const { versionHeaders } = require('./catalog')

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
      Owner: OWNER,
      Buckets: { Bucket },
      ContinuationToken: more > 0 ? names.at(-1) : undefined,
    }),
  }
}

/**
 * Object tags, and the deletion of many objects with one request: the operations with a small XML body.
 */

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html @param {Context} ctx @returns {Answer} */
function getTagging(ctx) {
  const object = objectOf(ctx)
  const Tag = object.tags.map(([Key, Value]) => ({ Key, Value }))
  if (ctx.state.options.tagging === 'empty' && Tag.length === 0) return { status: 200 }
  return { status: 200, headers: versionHeaders(object), body: writeS3Xml('Tagging', { TagSet: { Tag } }) }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html @param {Context} ctx @returns {Promise<Answer>} */
async function putTagging(ctx) {
  const tags = readTags(readXml(await receiveText(ctx)))
  const kept = ctx.state.catalog.putObject(ctx.bucket().name, { ...objectOf(ctx), tags: checkTags(tags) })
  return { status: 200, headers: versionHeaders(kept) }
}

/**
 * Deletes or refuses each key separately, as a DeleteObject would. The account's actions and the fault rules for that
 * operation apply here too.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function deleteObjects(ctx) {
  const { name } = ctx.bucket()
  const root = readXml(await receiveText(ctx))
  const keys = root.children
    .filter(child => child.name === 'Object')
    // Spaces around a key are part of it.
    .map(child => foldedName(ctx, child.children.find(one => one.name === 'Key')?.text ?? ''))
  if (ctx.state.options.deletions === 'page') {
    return { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html><body>Welcome</body></html>' }
  }
  const malformed = root.name !== 'Delete' || keys.length === 0 || keys.length > 1000 || keys.includes('')
  if (malformed) throw new S3Error('MalformedXML')
  /** @type {object[]} */
  const Deleted = []
  /** @type {object[]} */
  const Failed = []
  for (const key of keys) {
    const refused = refusalOf(ctx, key)
    if (refused) {
      Failed.push({ Key: key, Code: refused.code, Message: refused.message })
      continue
    }
    const marker = ctx.state.catalog.removeObject(name, key, ctx.state.now())
    Deleted.push({ Key: key, ...(marker && { DeleteMarker: true, DeleteMarkerVersionId: marker.versionId }) })
  }
  const quiet = childText(root, 'Quiet') === 'true' || ctx.state.options.deletions === 'quiet'
  return { status: 200, body: writeS3Xml('DeleteResult', { ...(!quiet && { Deleted }), Error: Failed }) }
}

/** @param {Context} ctx @param {string} key */
function refusalOf(ctx, key) {
  if (!hasAction(ctx, 's3:DeleteObject')) return new S3Error('AccessDenied')
  const target = { operation: 'DeleteObject', bucketName: ctx.bucketName, key, query: new Map() }
  const { refuse } = ctx.state.faults.strike(target)
  return refuse && refusal(refuse, { failure: (code, facts) => new S3Error(code, facts), usual: USUAL })
}

module.exports = { checkBucketName, createBucket, headBucket, listBuckets, getTagging, putTagging, deleteObjects }
