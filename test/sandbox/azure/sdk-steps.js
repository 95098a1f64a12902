'use strict'

/**
 * What Microsoft's SDK comes to with a blob service, as JSON: `sdk-steps.js ENDPOINT ACCOUNT KEY`. It runs with the Node.js
 * and the packages that the SDK needs, which are not this project's.
 */

const azure = require('@azure/storage-blob')

const [, , endpoint, account, key] = process.argv
const MINUTE_MS = 60_000
const SOON = new Date(Date.now() + 10 * MINUTE_MS)

const credential = new azure.StorageSharedKeyCredential(account, key)
const once = { retryOptions: { maxTries: 1 } }
const service = new azure.BlobServiceClient(endpoint, credential, once)
const container = service.getContainerClient('steps')
const small = container.getBlockBlobClient('a b/ü+%.txt')
const large = container.getBlockBlobClient('blocks')

/** Its code and status. @param {Promise<unknown>} refused */
const refusal = refused =>
  refused.then(
    () => 'done',
    // The answer to a HEAD has no document.
    error => `${error.code ?? error.response.headers.get('x-ms-error-code')} ${error.statusCode}`,
  )

/** @param {AsyncIterable<any>} entries @param {(entry: any) => unknown} pick */
async function gather(entries, pick) {
  const found = []
  for await (const entry of entries) found.push(pick(entry))
  return found
}

/** The URL of a blob with a SAS. @param {any} blob @param {string} letters */
function withSas(blob, letters) {
  const permissions = azure.BlobSASPermissions.parse(letters)
  const fields = { containerName: 'steps', blobName: blob.name, permissions, expiresOn: SOON }
  return `${blob.url}?${azure.generateBlobSASQueryParameters(fields, credential)}`
}

/** Each may build on those before it. @type {Record<string, () => unknown>} */
const STEPS = {
  async put() {
    await container.create()
    const blobHTTPHeaders = { blobContentType: 'text/plain', blobCacheControl: 'no-cache' }
    const options = { metadata: { Foo: 'x y' }, tags: { a: 'b c' }, tier: 'Cool', blobHTTPHeaders }
    return (await small.upload('hello', 5, options)).etag !== undefined
  },
  async described() {
    const { metadata, accessTier, contentType, cacheControl, contentLength } = await small.getProperties()
    const { tags } = await small.getTags()
    return { metadata, tier: accessTier, type: contentType, cache: cacheControl, tags, length: contentLength }
  },
  async blocks() {
    const bytes = Buffer.alloc(20_000_000, 'abcdefg')
    await large.uploadData(bytes, { blockSize: 4_000_000, concurrency: 3, maxSingleShotSize: 1 })
    const read = await large.downloadToBuffer(0, undefined, { blockSize: 3_000_000, concurrency: 2 })
    const { committedBlocks } = await large.getBlockList('all')
    return { bytes: read.length, same: read.equals(bytes), committed: committedBlocks?.length }
  },
  range: async () => (await small.downloadToBuffer(1, 3)).toString(),
  again: () => refusal(small.upload('x', 1, { conditions: { ifNoneMatch: '*' } })),
  ifMatch: () => refusal(small.upload('x', 1, { conditions: { ifMatch: '"0x8D0"' } })),
  unknownBlock: () => refusal(large.commitBlockList([Buffer.alloc(16).toString('base64')])),
  async idLength() {
    const other = container.getBlockBlobClient('begun')
    await other.stageBlock(Buffer.alloc(16).toString('base64'), 'x', 1)
    return refusal(other.stageBlock(Buffer.alloc(8).toString('base64'), 'x', 1))
  },
  list: () =>
    gather(container.listBlobsFlat({ includeMetadata: true, includeTags: true }), ({ name, metadata, tags }) =>
      [name, ...[metadata, tags].filter(one => one).map(one => JSON.stringify(one))].join(' '),
    ),
  folders: () => gather(container.listBlobsByHierarchy('/'), ({ kind, name }) => `${kind} ${name}`),
  pages: () => gather(container.listBlobsFlat().byPage({ maxPageSize: 1 }), page => page.segment.blobItems.length),
  async snapshot() {
    const { snapshot } = await small.createSnapshot()
    return (await small.withSnapshot(snapshot).getProperties()).contentLength
  },
  async snapshotsPresent() {
    const refused = await refusal(small.delete())
    await small.delete({ deleteSnapshots: 'only' })
    return refused
  },
  sas: async () => (await new azure.BlobClient(withSas(small, 'r')).downloadToBuffer()).toString(),
  sasLetter: () => refusal(new azure.BlockBlobClient(withSas(small, 'r'), undefined, once).upload('x', 1)),
  async accountSas() {
    const permissions = azure.AccountSASPermissions.parse('rl')
    const fields = { expiresOn: SOON, permissions, services: 'b', resourceTypes: 'sco' }
    const sas = azure.generateAccountSASQueryParameters(fields, credential)
    const names = await gather(
      new azure.BlobServiceClient(`${endpoint}?${sas}`).getContainerClient('steps').listBlobsFlat(),
      ({ name }) => name,
    )
    return names.length
  },
  async leased() {
    const lease = small.getBlobLeaseClient()
    await lease.acquireLease(-1)
    const refused = await refusal(small.upload('hello', 5))
    await lease.releaseLease()
    return refused
  },
  async archived() {
    const blob = container.getBlockBlobClient('archived')
    await blob.upload('x', 1, { tier: 'Archive' })
    const refused = await refusal(blob.downloadToBuffer())
    await blob.delete()
    return refused
  },
  async append() {
    const log = container.getAppendBlobClient('log')
    await log.create()
    for (const piece of ['abc', 'def']) await log.appendBlock(piece, piece.length)
    return (await log.downloadToBuffer()).toString()
  },
  missing: () => refusal(container.getBlobClient('none').getProperties()),
  copied: async () =>
    (await (await container.getBlobClient('copy').beginCopyFromURL(small.url)).pollUntilDone()).copyStatus,
  async batch() {
    const urls = ['copy', 'none'].map(name => container.getBlobClient(name).url)
    const { subResponses } = await container.getBlobBatchClient().deleteBlobs(urls, credential)
    return subResponses.map(({ status }) => status)
  },
}

async function main() {
  /** @type {Record<string, unknown>} */
  const results = {}
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      results[name] = await step()
    } catch (error) {
      results[name] = `${error.code ?? error.name} ${error.statusCode ?? error.message}`
    }
  }
  process.stdout.write(JSON.stringify(results))
}

main()
