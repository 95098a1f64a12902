'use strict'

const { S3Error, USUAL } = require('./errors')
const { checkTags } = require('./description')
const { objectOf } = require('./objects')
const { receiveText } = require('./payload')
const { hasAction } = require('./auth')
const { foldedName } = require('./quirks')
const { refusal } = require('../common/serve')
const { versionHeaders } = require('./catalog')
const { childText, readTags, readXml, writeS3Xml } = require('../common/xml')

/**
 * Object tags, and the deletion of many objects with one request: the operations with a small XML body.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
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

module.exports = { getTagging, putTagging, deleteObjects }
