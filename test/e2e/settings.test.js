'use strict'

/** Where a side's store is, and who we are there: by profiles, by the environment, by options. */

const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { expectEvents } = require('../support/copies')
const { runXfer, sideEnv } = require('../support/run-xfer')
const { bytesOf, get, openStore, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(5 * MiB + 1)

describe('the sides of a copy', () => {
  let dir
  let source
  let destination
  let from
  let to
  let files
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'xfer-settings-'))
    source = await startStore({ buckets: ['source', { name: 'open-data', publicRead: true }] })
    destination = await startStore({ buckets: ['target'] })
    from = bucket => openStore(source, bucket)
    to = bucket => openStore(destination, bucket)
    for (const bucket of ['source', 'open-data']) await put(from(bucket), 'key', BODY)
    files = {
      AWS_CONFIG_FILE: join(dir, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(dir, 'credentials'),
    }
    await writeFile(
      files.AWS_CONFIG_FILE,
      `[profile old]
region = us-east-1
services = old-services
[services old-services]
s3 =
  endpoint_url = ${source.endpoint}
[profile new]
region = us-east-1
endpoint_url = ${destination.endpoint}
`,
    )
    const section = (name, { accessKeyId, secretAccessKey }) =>
      `[${name}]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
    await writeFile(files.AWS_SHARED_CREDENTIALS_FILE, section('old', source) + section('new', destination))
  })
  afterAll(async () => {
    await Promise.all([source?.close(), destination?.close()])
    await rm(dir, { recursive: true, force: true })
  })

  let copies = 0
  /** To a key of its own, so that an earlier copy proves nothing. */
  async function copy(source, bucket, { env, flags = [], profile = '' }) {
    const key = `copy-${++copies}`
    const args = ['copy', source, `s3://${profile}${bucket}/${key}`, '--json', '--engine', 'local', '--chunk', '5']
    const checked = expectEvents(await runXfer([...args, ...flags], { env }), { env })
    if (checked.status === 0) expect((await get(to(bucket), key)).equals(BODY)).toBe(true)
    return checked
  }

  const aws = ({ accessKeyId, secretAccessKey }) => ({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_REGION: 'us-east-1',
  })
  // Nothing listens there.
  const NOWHERE = 'http://127.0.0.1:1'

  it.each([
    ['profiles in place', () => ({ from: 'old@', profile: 'new@', env: files })],
    ['profiles by environment', () => ({ env: { ...files, XFER_SOURCE_PROFILE: 'old', XFER_DEST_PROFILE: 'new' } })],
    [
      "profiles, whose endpoints the environment's does not capture",
      () => ({
        from: 'old@',
        profile: 'new@',
        env: { ...files, AWS_ENDPOINT_URL_S3: NOWHERE, AWS_ENDPOINT_URL: NOWHERE },
      }),
    ],
    ['XFER_DEST_* beside a profile', () => ({ from: 'old@', env: { ...files, ...sideEnv('DEST', destination) } })],
    [
      'options for the endpoints, over all else',
      () => ({
        flags: [
          '--source-endpoint-url',
          source.endpoint,
          '--dest-endpoint-url',
          destination.endpoint,
          '--source-region',
          'us-east-1',
        ],
        env: {
          ...sideEnv('SOURCE', { ...source, endpoint: NOWHERE, region: 'xx-nowhere-1' }),
          ...sideEnv('DEST', { ...destination, endpoint: NOWHERE }),
        },
      }),
    ],
    [
      'the AWS environment for one, XFER_DEST_* for the other',
      () => ({ env: { ...aws(source), AWS_ENDPOINT_URL_S3: source.endpoint, ...sideEnv('DEST', destination) } }),
    ],
  ])('are configured by %s', async (_, how) => {
    const { from = '', ...rest } = how()
    expect(await copy(`s3://${from}source/key`, 'target', rest)).toMatchObject({ status: 0 })
  })
})
