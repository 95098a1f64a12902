'use strict'

const { checkTags } = require('./description')
const { blobOf, changeBlob } = require('./entries')
const { AzureError } = require('./errors')
const { receiveText } = require('./payload')
const { childText, readDocument, writeXml } = require('./xml')

/**
 * What can be changed of a blob without writing it: its tags.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-tags @param {Context} ctx @returns {Answer} */
function getTags(ctx) {
  if (ctx.state.options.hierarchical) throw new AzureError('FeatureNotYetSupportedForHierarchicalNamespaceAccounts')
  const Tag = blobOf(ctx).blob.tags.map(([Key, Value]) => ({ Key, Value }))
  return { status: 200, body: writeXml('Tags', { TagSet: { Tag } }) }
}

/** https://learn.microsoft.com/rest/api/storageservices/set-blob-tags @param {Context} ctx @returns {Promise<Answer>} */
async function setTags(ctx) {
  const document = readDocument(await receiveText(ctx))
  const set = document.children.find(({ name }) => name === 'TagSet')
  if (document.name !== 'Tags' || !set) throw new AzureError('InvalidXmlDocument')
  const tags = set.children.map(tag => {
    const [key, value] = ['Key', 'Value'].map(name => childText(tag, name))
    return /** @type {[string, string]} */ ([key ?? '', value ?? ''])
  })
  checkTags(ctx, tags)
  const { blob, entry } = blobOf(ctx)
  // Tags are not part of the blob's state: its ETag stays.
  changeBlob(ctx, entry, { ...blob, tags })
  return { status: 204 }
}

module.exports = { getTags, setTags }
