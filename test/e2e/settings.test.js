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
    const regional = { name: 'far', region: 'eu-central-1' }
    source = await startStore({
      buckets: ['source', regional, { name: 'open-data', publicRead: true }, 'in.three.parts'],
    })
    destination = await startStore({ buckets: ['target', regional, 'in.three.parts'] })
    from = bucket => openStore(source, bucket)
    to = bucket => openStore(destination, bucket)
    for (const bucket of ['source', 'open-data', 'in.three.parts']) await put(from(bucket), 'key', BODY)
    await put(openStore({ ...source, region: 'eu-central-1' }, 'far'), 'key', BODY)
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
    ['profiles by option', () => ({ flags: ['--source-profile', 'old', '--dest-profile', 'new'], env: files })],
    ['profiles by environment', () => ({ env: { ...files, XFER_SOURCE_PROFILE: 'old', XFER_DEST_PROFILE: 'new' } })],
    [
      "profiles, whose endpoints the environment's does not capture",
      () => ({
        from: 'old@',
        profile: 'new@',
        env: { ...files, AWS_ENDPOINT_URL_S3: NOWHERE, AWS_ENDPOINT_URL: NOWHERE },
      }),
    ],
    [
      "profiles, whose keys the environment's do not replace",
      () => ({
        from: 'old@',
        profile: 'new@',
        env: { ...files, AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'a-secret-of-another' },
      }),
    ],
    [
      'XFER_SOURCE_* and XFER_DEST_*',
      () => ({ env: { ...sideEnv('SOURCE', source), ...sideEnv('DEST', destination) } }),
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

  const both = () => ({ ...sideEnv('SOURCE', source), ...sideEnv('DEST', destination) })

  it('may both be buckets in another region than configured', async () => {
    expect(await copy('s3://far/key', 'far', { env: both() })).toMatchObject({ status: 0 })
  })

  it('may both be buckets with dots in their names', async () => {
    expect(await copy('s3://in.three.parts/key', 'in.three.parts', { env: both() })).toMatchObject({ status: 0 })
  })

  it('may have clocks that are an hour off', async () => {
    const [late, early] = await Promise.all([
      startStore({ buckets: ['source'], clockSkewMs: -3_600_000 }),
      startStore({ buckets: ['target'], clockSkewMs: 3_600_000 }),
    ])
    try {
      const lateStore = openStore(late, 'source')
      // The first control call finds the clock; a data request before it would be refused.
      await lateStore.list({ prefix: '' })
      await put(lateStore, 'key', BODY)
      const env = { ...sideEnv('SOURCE', late), ...sideEnv('DEST', early) }
      for (const [chunk, way] of [
        ['5', 'multipart'],
        ['10', 'put'],
      ]) {
        const args = ['copy', 's3://source/key', `s3://target/${way}`, '--json', '--engine', 'local', '--chunk', chunk]
        const { status, last } = expectEvents(await runXfer(args, { env }), { env })
        expect({ status, route: last.route, retried: last.retried }).toEqual({ status: 0, route: way, retried: 0 })
      }
    } finally {
      await Promise.all([late.close(), early.close()])
    }
  })

  it('need no credentials for a public object, and never send any there', async () => {
    const seen = []
    const note = ({ bucket, accessKeyId }) => bucket === 'open-data' && seen.push(accessKeyId)
    source.on('request', note)
    const flags = ['--source-no-sign-request', '--source-endpoint-url', source.endpoint]
    const env = { ...sideEnv('DEST', destination), ...aws(source) }
    const { status } = await copy('s3://open-data/key', 'target', { flags, env })
    source.off('request', note)
    expect(status).toBe(0)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.every(accessKeyId => accessKeyId === undefined)).toBe(true)
  })

  it('without credentials are refused a private object', async () => {
    const flags = ['--source-no-sign-request', '--source-endpoint-url', source.endpoint]
    const { status, last } = await copy('s3://source/key', 'target', { flags, env: sideEnv('DEST', destination) })
    expect({ status, code: last.code }).toEqual({ status: 4, code: 'ACCESS_DENIED' })
    expect(last.hint).toBe(
      'The request was not signed, because of --source-no-sign-request; leave that out to read with credentials.',
    )
  })

  it('may be one store, one bucket, two keys', async () => {
    const env = { ...sideEnv('SOURCE', source), ...sideEnv('DEST', source) }
    const args = ['copy', 's3://source/key', 's3://source/folder/', '--json', '--engine', 'local', '--chunk', '5']
    expect(expectEvents(await runXfer(args, { env }), { env })).toMatchObject({ status: 0 })
    expect((await get(from('source'), 'folder/key')).equals(BODY)).toBe(true)
  })

  it.each([
    ['the same location', 's3://source/key', []],
    ['the bucket alone, which takes the name', 's3://source', []],
    [
      'another name of this machine',
      's3://source/key',
      ['--dest-endpoint-url', () => `http://localhost:${source.port}`],
    ],
  ])('may not be one object: %s', async (_, target, flags) => {
    const { etag } = await from('source').head('key')
    const env = { ...sideEnv('SOURCE', source), ...sideEnv('DEST', source) }
    const words = flags.map(flag => (typeof flag === 'function' ? flag() : flag))
    const args = ['copy', 's3://source/key', target, '--json', '--engine', 'local', ...words]
    const { status, last } = expectEvents(await runXfer(args, { env }), { env })
    expect({ status, code: last.code }).toEqual({ status: 2, code: 'SAME_OBJECT' })
    expect((await from('source').head('key')).etag).toBe(etag)
  })

  it('that cannot be reached say what sets their endpoint, of a resumed job too', async () => {
    const gone = await startStore({ buckets: ['target'] })
    const state = await mkdtemp(join(dir, 'state-'))
    const env = { ...sideEnv('SOURCE', source), ...sideEnv('DEST', gone), XDG_STATE_HOME: state }
    gone.faults.add({ operation: 'UploadPart', status: 403, code: 'AccessDenied' })
    const args = ['copy', 's3://source/key', 's3://target/key', '--engine', 'local', '--chunk', '5']
    expect((await runXfer(args, { env })).status).toBe(4)
    await gone.close()
    const anew = await runXfer(args, { env })
    expect(anew.stderr).toContain('Check the endpoint (set by XFER_DEST_ENDPOINT_URL) and the network.')
    const { stderr } = await runXfer(['resume'], { env })
    expect(stderr).toContain(
      'Check the endpoint (set by the job; --dest-endpoint-url sets another one) and the network.',
    )
  })
})
