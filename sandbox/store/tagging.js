'use strict'

const { S3Error } = require('./errors')
const { checkTags } = require('./description')
const { objectOf } = require('./objects')
const { receiveText } = require('./payload')
const { childText, readXml, writeXml } = require('./xml')

/**
 * Tags of objects, and the deletion of many objects at once: the operations with a small XML body.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html @param {Context} ctx @returns {Answer} */
function getTagging(ctx) {
  const Tag = objectOf(ctx).tags.map(([Key, Value]) => ({ Key, Value }))
  return { status: 200, body: writeXml('Tagging', { TagSet: { Tag } }) }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html @param {Context} ctx @returns {Promise<Answer>} */
async function putTagging(ctx) {
  const root = readXml(await receiveText(ctx))
  const set = root.children.find(child => child.name === 'TagSet')
  if (root.name !== 'Tagging' || !set) throw new S3Error('MalformedXML')
  const tags = set.children.map(tag => {
    const [key, value] = [childText(tag, 'Key'), childText(tag, 'Value')]
    if (tag.name !== 'Tag' || key === undefined || value === undefined) throw new S3Error('MalformedXML')
    return /** @type {[string, string]} */ ([key, value])
  })
  replaceTags(ctx, checkTags(tags))
  return { status: 200 }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjectTagging.html @param {Context} ctx @returns {Answer} */
function deleteTagging(ctx) {
  replaceTags(ctx, [])
  return { status: 204 }
}

/** @param {Context} ctx @param {[string, string][]} tags */
function replaceTags(ctx, tags) {
  ctx.state.catalog.putObject(ctx.bucket().name, { ...objectOf(ctx), tags })
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html @param {Context} ctx @returns {Promise<Answer>} */
async function deleteObjects(ctx) {
  const { name } = ctx.bucket()
  const root = readXml(await receiveText(ctx))
  const keys = root.children
    .filter(child => child.name === 'Object')
    // Spaces around a key are part of it.
    .map(child => child.children.find(one => one.name === 'Key')?.text)
  if (root.name !== 'Delete' || keys.length === 0 || keys.length > 1000) throw new S3Error('MalformedXML')
  const Deleted = keys.map(key => {
    if (!key) throw new S3Error('MalformedXML')
    ctx.state.catalog.removeObject(name, key)
    return { Key: key }
  })
  const quiet = childText(root, 'Quiet') === 'true'
  return { status: 200, body: writeXml('DeleteResult', quiet ? {} : { Deleted }) }
}

module.exports = { getTagging, putTagging, deleteTagging, deleteObjects }
