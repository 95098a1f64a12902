'use strict'

/**
 * Programs that others wrote get from the sandbox's Azure service what they expect: Microsoft's SDK and rclone, each where
 * it is installed. The SDK does the same to Azurite, which must come to the same.
 */

const { execFile } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { randomBytes } = require('node:crypto')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { promisify } = require('node:util')
const { startAzureStore } = require('../../../sandbox/azure')
const { PROGRAMS, startAzurite } = require('../../support/azure-servers')
const { blockId, blockRequest, iso, plain, send } = require('./support')

const run = promisify(execFile)
/** Azurite and the SDK each take seconds to start on a machine that is busy. */
const LIMIT_MS = 120_000

const withSdk = PROGRAMS.sdk ? describe : describe.skip
const withRclone = PROGRAMS.rclone ? describe : describe.skip

withSdk("Microsoft's SDK", () => {
  /** What the steps of sdk-steps.js came to. @param {{ endpoint: string, account: string, key: string }} server */
  async function stepsOn({ endpoint, account, key }) {
    const script = join(__dirname, 'sdk-steps.js')
    const { stdout } = await run(PROGRAMS.sdk, [script, endpoint, account, key], { maxBuffer: 1 << 24 })
    return JSON.parse(stdout)
  }

  let store
  let steps
  beforeAll(async () => {
    store = await startAzureStore()
    steps = await stepsOn(store)
  }, LIMIT_MS)
  afterAll(() => store?.close())

  test('writes, reads, describes, lists, copies and deletes', () => {
    expect(steps).toEqual({
      put: true,
      described: {
        metadata: { foo: 'x y' },
        tier: 'Cool',
        type: 'text/plain',
        cache: 'no-cache',
        tags: { a: 'b c' },
        length: 5,
      },
      blocks: { bytes: 20_000_000, same: true, committed: 5 },
      range: 'ell',
      again: 'BlobAlreadyExists 409',
      ifMatch: 'ConditionNotMet 412',
      unknownBlock: 'InvalidBlockList 400',
      idLength: 'InvalidBlobOrBlock 400',
      list: ['a b/ü+%.txt {"Foo":"x y"} {"a":"b c"}', 'blocks'],
      folders: ['prefix a b/', 'blob blocks'],
      pages: [1, 1],
      snapshot: 5,
      snapshotsPresent: 'SnapshotsPresent 409',
      sas: 'hello',
      sasLetter: 'AuthorizationPermissionMismatch 403',
      accountSas: 2,
      leased: 'LeaseIdMissing 412',
      archived: 'BlobArchived 409',
      append: 'abcdef',
      missing: 'BlobNotFound 404',
      copied: 'success',
      batch: [202, 404],
    })
  })

  const withAzurite = startAzurite ? test : test.skip
  withAzurite(
    'comes to the same with Azurite',
    async () => {
      const azurite = await startAzurite()
      try {
        expect(await stepsOn(azurite)).toEqual(steps)
      } finally {
        await azurite.close()
      }
    },
    LIMIT_MS,
  )
})

withSdk("Microsoft's SDK with Entra ID", () => {
  const PRINCIPAL = { tenantId: 'tenant', clientId: 'copier', clientSecret: 'secret', objectId: 'of-copier' }

  test(
    'signs a user delegation SAS for one block as the sandbox verifies it',
    async () => {
      const store = await startAzureStore({ containers: ['photos'], principals: [PRINCIPAL] })
      try {
        const key = await delegationKey(store)
        const { stdout } = await run(PROGRAMS.sdk, [
          join(__dirname, 'sdk-sas.js'),
          store.account,
          JSON.stringify({ ...key, block: blockId(1) }),
        ])
        const query = Object.fromEntries(new URLSearchParams(stdout))
        expect(query).toMatchObject({
          sv: expect.stringMatching(/^20(2[6-9]|[3-9])/),
          srq: 'comp,blockid',
          srh: 'content-length',
        })
        const write = id =>
          send(
            store,
            plain(store, {
              ...blockRequest('/photos/bound', id, 'one'),
              query: { comp: 'block', blockid: id, ...query },
            }),
          )
        expect(await write(blockId(2))).toMatchObject({ status: 403, code: 'AuthenticationFailed' })
        expect(await write(blockId(1))).toMatchObject({ status: 201 })
      } finally {
        await store.close()
      }
    },
    LIMIT_MS,
  )

  /** As the SDK names its fields. It takes no token over plain HTTP, so it is asked for here. */
  async function delegationKey(store) {
    const { tenantId, clientId: client_id, clientSecret: client_secret } = PRINCIPAL
    const scope = 'https://storage.azure.com/.default'
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope })
    const answer = await fetch(`${store.authority}/${tenantId}/oauth2/v2.0/token`, { method: 'POST', body: form })
    const { access_token } = await answer.json()
    const body = `<KeyInfo><Start>${iso(-60_000)}</Start><Expiry>${iso(3_600_000)}</Expiry></KeyInfo>`
    const headers = { authorization: `Bearer ${access_token}` }
    const query = { restype: 'service', comp: 'userdelegationkey' }
    const { text } = await send(store, plain(store, { method: 'POST', path: '/', query, headers, body }))
    const field = name => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)[1]
    return {
      signedObjectId: field('SignedOid'),
      signedTenantId: field('SignedTid'),
      signedStartsOn: field('SignedStart'),
      signedExpiresOn: field('SignedExpiry'),
      signedService: field('SignedService'),
      signedVersion: field('SignedVersion'),
      value: field('Value'),
    }
  }
})

withRclone('rclone', () => {
  let store
  let dir
  beforeAll(async () => {
    store = await startAzureStore({ containers: ['photos', 'copies'] })
    dir = mkdtempSync(join(tmpdir(), 'xfer-test-rclone-'))
  })
  afterAll(async () => {
    await store?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  /** @param {...string} args */
  async function rclone(...args) {
    const remote = { TYPE: 'azureblob', ACCOUNT: store.account, KEY: store.key, ENDPOINT: store.endpoint }
    const config = Object.entries(remote).map(([name, value]) => [`RCLONE_CONFIG_AZ_${name}`, value])
    const env = {
      PATH: process.env.PATH,
      HOME: dir,
      RCLONE_CONFIG: join(dir, 'none.conf'),
      ...Object.fromEntries(config),
    }
    return (await run(PROGRAMS.rclone, [...args, '--quiet'], { env })).stdout
  }

  test(
    'writes blocks, lists, copies within the account, reads back and deletes',
    async () => {
      const [from, back] = [join(dir, 'from'), join(dir, 'back')]
      const bytes = randomBytes(9_000_000)
      writeFileSync(from, bytes)
      await rclone('copyto', from, 'AZ:photos/a b/ü.bin', '--azureblob-chunk-size', '4M')
      expect((await rclone('lsf', '-R', '--files-only', 'AZ:photos')).trim()).toBe('a b/ü.bin')
      await rclone('copyto', 'AZ:photos/a b/ü.bin', 'AZ:copies/copy')
      await rclone('copyto', 'AZ:copies/copy', back)
      expect(readFileSync(back).equals(bytes)).toBe(true)
      await rclone('deletefile', 'AZ:photos/a b/ü.bin')
      expect((await store.look('photos')).objects).toEqual([])
      expect(store.requests.PutBlock).toBeGreaterThanOrEqual(3)
    },
    LIMIT_MS,
  )
})
