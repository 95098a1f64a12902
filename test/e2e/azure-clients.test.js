'use strict'

/** What xfer writes to Azure Blob is read by clients of others: Microsoft's SDK and rclone. */

const { execFile } = require('node:child_process')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { promisify } = require('node:util')
const { PROGRAMS } = require('../support/azure-servers')
const { AZURE_KINDS, KINDS, openEnd, startKinds } = require('../support/ends')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256: sha256Of } = require('../support/stores')

const run = promisify(execFile)
const MiB = 1024 ** 2
const LONGEST_MS = 120_000
const HEADERS = {
  'cache-control': 'max-age=60',
  'content-disposition': 'attachment; filename="a b.txt"',
  'content-encoding': 'identity',
  'content-language': 'de',
  'content-type': 'text/plain; charset=utf-8',
}
const USER = { colour: 'red', owner_name: 'me' }
/** @type {[string, string][]} */
const TAGS = [
  ['team', 'blue'],
  ['stage', 'a+b 1'],
]
const SIZES = [
  ['one request', 1000],
  ['blocks', 5 * MiB + 1],
]

/** By the SDK, as JSON: what the blob is. */
const BY_SDK = `
const { BlobServiceClient, StorageSharedKeyCredential } = require('@azure/storage-blob')
const { createHash } = require('node:crypto')
const [endpoint, account, container, key] = process.argv.slice(1)
const credential = new StorageSharedKeyCredential(account, process.env.ACCOUNT_KEY)
const blob = new BlobServiceClient(endpoint, credential).getContainerClient(container).getBlockBlobClient(key)
async function main() {
  const properties = await blob.getProperties()
  const bytes = await blob.downloadToBuffer()
  const { committedBlocks = [] } = await blob.getBlockList('committed')
  const { tags } = await blob.getTags()
  const { contentType, contentLanguage, contentEncoding, contentDisposition, cacheControl, metadata } = properties
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const content = { contentType, contentLanguage, contentEncoding, contentDisposition, cacheControl }
  console.log(JSON.stringify({ sha256, ...content, metadata, tags, blocks: committedBlocks.length }))
}
main()
`

describe.each(AZURE_KINDS.filter(({ start }) => start).map(kind => [kind.name, kind]))('on %s', (_, kind) => {
  let servers
  let source
  let destination
  let folder
  beforeAll(async () => {
    servers = await startKinds([KINDS[0], kind])
    source = await openEnd(servers[0], 'origin')
    destination = await openEnd(servers[1], 'target')
    folder = await mkdtemp(join(tmpdir(), 'xfer-clients-'))
    for (const [, bytes] of SIZES) {
      const attributes = { headers: HEADERS, user: USER, tags: TAGS }
      await source.write(`a ü+%/${bytes}`, { bytes: bytesOf(bytes), attributes })
      const places = [source.text(`a ü+%/${bytes}`), destination.text(`a ü+%/${bytes}`)]
      const ended = await startXfer(['copy', ...places, '--json', '--engine', 'local', '--chunk', '5'], {
        env: { ...bareEnv, ...source.env('SOURCE'), ...destination.env('DEST') },
      }).ended
      expect({ status: ended.status, last: eventsOf(ended).at(-1) }).toMatchObject({
        status: 0,
        last: { type: 'done' },
      })
    }
  }, LONGEST_MS)
  afterAll(async () => {
    await source?.close()
    await destination?.close()
    await Promise.all(servers.map(server => server.stop()))
    await rm(folder, { recursive: true, force: true })
  })

  const access = () => {
    const env = destination.env('DEST')
    return {
      endpoint: env.XFER_DEST_ENDPOINT_URL,
      account: env.XFER_DEST_AZURE_STORAGE_ACCOUNT,
      key: env.XFER_DEST_AZURE_STORAGE_KEY,
    }
  }

  const withSdk = PROGRAMS.sdk ? test : test.skip
  withSdk.each(SIZES)(
    'by @azure/storage-blob: bytes, content headers, metadata and tags, of %s',
    async (_, bytes) => {
      const { endpoint, account, key } = access()
      const env = { ...bareEnv, ACCOUNT_KEY: key }
      const args = ['-e', BY_SDK, '--', endpoint, account, 'target', `a ü+%/${bytes}`]
      const { stdout } = await run(PROGRAMS.sdk, args, { env, cwd: folder })
      expect(JSON.parse(stdout)).toEqual({
        sha256: sha256Of(bytesOf(bytes)),
        contentType: HEADERS['content-type'],
        contentLanguage: 'de',
        contentEncoding: 'identity',
        contentDisposition: HEADERS['content-disposition'],
        cacheControl: 'max-age=60',
        metadata: expect.objectContaining(USER),
        tags: Object.fromEntries(TAGS),
        blocks: bytes > 5 * MiB ? 2 : 0,
      })
    },
    LONGEST_MS,
  )

  const withRclone = PROGRAMS.rclone ? test : test.skip
  withRclone.each(SIZES)(
    'by rclone: bytes, content type and metadata, of %s',
    async (_, bytes) => {
      const { endpoint, account, key } = access()
      const env = {
        ...bareEnv,
        RCLONE_CONFIG: join(folder, 'rclone.conf'),
        RCLONE_CONFIG_AZ_TYPE: 'azureblob',
        RCLONE_CONFIG_AZ_ACCOUNT: account,
        RCLONE_CONFIG_AZ_KEY: key,
        RCLONE_CONFIG_AZ_ENDPOINT: endpoint,
      }
      const rclone = (/** @type {string[]} */ args) =>
        run(PROGRAMS.rclone, args, { env, encoding: 'buffer', maxBuffer: 64 * MiB })
      const { stdout } = await rclone(['cat', `az:target/a ü+%/${bytes}`])
      expect(sha256Of(stdout)).toBe(sha256Of(bytesOf(bytes)))
      const { stdout: json } = await rclone(['lsjson', '--metadata', '--stat', `az:target/a ü+%/${bytes}`])
      expect(JSON.parse(json.toString())).toMatchObject({
        Size: bytes,
        MimeType: HEADERS['content-type'],
        Metadata: expect.objectContaining(USER),
      })
    },
    LONGEST_MS,
  )
})
