'use strict'

/** Profiles that people have for other tools: remotes of rclone and aliases of mc. */

const { execFileSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const { delimiter, join } = require('node:path')
const { everyProfile } = require('../../../../lib/aws')
const gcs = require('../../../../lib/stores/gcs/settings')
const { resolveSide } = require('../../../../lib/stores/s3/settings')
const { makeHome } = require('../../../support/home')

const CONF = '.config/rclone/rclone.conf'
const MC = '.mc/config.json'
/** What it has is that of no key. */
const SECRET = 'fw_kQknlD-e2kwdZhA2vThE'

const RCLONE = `# a comment
[plain]
type = s3
provider = Minio
acl =
access_key_id = ID
secret_access_key = se=cr;et#+/
session_token = token
endpoint = https://minio.example:9000
region = there
force_path_style = true

[obscured]
type = s3
access_key_id = ID
secret_access_key = ${SECRET}
endpoint = bare.example

[virtual]
type = s3
force_path_style = False
env_auth = false

[environment]
type = s3
env_auth = true

[through]
type = s3
env_auth = true
profile = keyed

[both]
type = s3
access_key_id = of-rclone
secret_access_key = x

[my remote]
type = s3
access_key_id = ID
secret_access_key = a;b#c

[other account]
type = s3
env_auth = true
role_arn = arn:aws:iam::1:role/x

[box]
type = dropbox
token = t
`

const alias = (accessKey, more = {}) => ({ url: 'https://mc.example', accessKey, secretKey: 's', api: 'S3v4', ...more })
const ALIASES = {
  ours: alias('of-mc', { sessionToken: 'token', path: 'on' }),
  both: alias('of-mc'),
  dns: alias('of-mc', { path: 'off' }),
  auto: alias('of-mc', { path: 'auto' }),
  open: alias('', { secretKey: '' }),
  gcs: alias('YOUR-ACCESS-KEY-HERE'),
}
const AWS = '[keyed]\naws_access_key_id = of-aws\naws_secret_access_key = x\n'
const FILES = { [CONF]: RCLONE, [MC]: JSON.stringify({ version: '10', aliases: ALIASES }), '.aws/credentials': AWS }
const home = makeHome(FILES)

const resolve = (name, env = {}, resolver = resolveSide) => resolver('source', {}, name, { HOME: home, ...env })
const keysOf = async (name, env) => (await resolve(name, env)).credentials()

describe('a remote of rclone', () => {
  test('has endpoint, region, addressing and keys', async () => {
    const settings = await resolve('plain')
    expect(settings).toMatchObject({ endpoint: 'https://minio.example:9000', region: 'there', addressing: 'path' })
    expect(settings.endpointFrom).toBe(`the remote "plain" in ${join(home, CONF)}`)
    const keys = { accessKeyId: 'ID', secretAccessKey: 'se=cr;et#+/', sessionToken: 'token' }
    expect(await settings.credentials()).toEqual(keys)
    // Signing keys are cached by its identity.
    expect(await settings.credentials()).toBe(await settings.credentials())
    expect(JSON.stringify(settings)).not.toContain('cr;et')
  })

  test('has a secret as it stands there, also one that looks obscured; an endpoint without a scheme is https', async () => {
    expect(await keysOf('obscured')).toEqual({ accessKeyId: 'ID', secretAccessKey: SECRET })
    expect(await resolve('obscured')).toMatchObject({ endpoint: 'https://bare.example', addressing: 'auto' })
  })

  test('without keys asks without credentials, or takes those of the environment or of a profile', async () => {
    expect(await resolve('virtual')).toMatchObject({ credentials: null, addressing: 'virtual' })
    const env = { AWS_ACCESS_KEY_ID: 'of-env', AWS_SECRET_ACCESS_KEY: 'x' }
    expect(await keysOf('environment', env)).toMatchObject({ accessKeyId: 'of-env' })
    expect(await keysOf('environment', { ...env, AWS_PROFILE: 'keyed' })).toMatchObject({ accessKeyId: 'of-aws' })
    expect(await keysOf('through', env)).toMatchObject({ accessKeyId: 'of-aws' })
  })

  test('may have blanks in its name; one that would be another account is refused, and one of another type is none', async () => {
    expect(await keysOf('my remote')).toEqual({ accessKeyId: 'ID', secretAccessKey: 'a;b#c' })
    await expect(resolve('other account')).rejects.toMatchObject({ message: expect.stringContaining('role_arn') })
    await expect(resolve('box')).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
  })

  test('is where the variables of rclone say, of Google too', async () => {
    const other = makeHome({ 'x/rclone/rclone.conf': '[x]\ntype = s3\n', own: '[own]\ntype = s3\n' })
    await resolve('x', { XDG_CONFIG_HOME: join(other, 'x') })
    for (const how of [resolveSide, gcs.resolveSide]) await resolve('own', { RCLONE_CONFIG: join(other, 'own') }, how)
  })

  test('of Google has HMAC keys', async () => {
    const { credentials, endpoint } = await resolve('plain', {}, gcs.resolveSide)
    expect([(await credentials()).accessKeyId, endpoint]).toEqual(['ID', 'https://minio.example:9000'])
  })

  const folders = (process.env.XFER_TEST_BIN ?? process.env.PATH ?? '').split(delimiter)
  const rclone = folders.map(folder => join(folder, 'rclone')).find(existsSync)
  const withRclone = rclone ? test : test.skip
  withRclone('is as rclone itself writes it', async () => {
    const path = join(makeHome({}), 'rclone.conf')
    const words = ['access_key_id=ID', 'secret_access_key=a=b;#c', 'endpoint=http://127.0.0.1:1', '--obscure']
    const env = { ...process.env, RCLONE_CONFIG: path }
    execFileSync(rclone, ['config', 'create', 'made', 's3', 'provider=Minio', ...words], { env, stdio: 'ignore' })
    expect(await keysOf('made', { RCLONE_CONFIG: path })).toEqual({ accessKeyId: 'ID', secretAccessKey: 'a=b;#c' })
  })
})

test('an alias of mc has endpoint, addressing and keys', async () => {
  expect(await resolve('ours')).toMatchObject({ endpoint: 'https://mc.example', addressing: 'path' })
  expect(await keysOf('ours')).toEqual({ accessKeyId: 'of-mc', secretAccessKey: 's', sessionToken: 'token' })
  const others = await Promise.all(['dns', 'auto', 'open'].map(name => resolve(name)))
  expect(others).toMatchObject([{ addressing: 'virtual' }, { addressing: 'auto' }, { credentials: null }])
  // mc wrote it without keys of anybody.
  await expect(resolve('gcs')).rejects.toMatchObject({ code: 'BAD_CREDENTIALS' })
})

test('an alias of mc is where the variable of mc says', async () => {
  const other = makeHome({ 'config.json': JSON.stringify({ aliases: { x: alias('there') } }) })
  expect(await keysOf('x', { MC_CONFIG_DIR: other })).toMatchObject({ accessKeyId: 'there' })
})

test('of profiles with one name that of AWS counts, then that of rclone', async () => {
  expect(await keysOf('both')).toMatchObject({ accessKeyId: 'of-rclone' })
  const own = makeHome({ ...FILES, '.aws/credentials': AWS.replace('keyed', 'both') })
  const { credentials, endpoint } = await resolve('both', { HOME: own })
  expect([(await credentials()).accessKeyId, endpoint]).toEqual(['of-aws', undefined])
  const { profiles } = await everyProfile({ HOME: own })
  expect(profiles.both.file).toBe(join(own, '.aws/credentials'))
  expect(Object.keys(profiles).filter(name => name === 'both')).toHaveLength(1)
})

const ENCRYPTED = '# Encrypted rclone configuration File\n\nRCLONE_ENCRYPT_V0:\nc2VjcmV0\n'
const BROKEN = '{"aliases": {"x": {"secretKey": "tops3cret'
const ours = JSON.stringify({ aliases: { ours: alias('of-mc') } })

test.each([
  ['encrypted', CONF, ENCRYPTED, 'is encrypted'],
  ['no JSON', MC, BROKEN, 'is no JSON'],
  ['a folder', `${MC}/x`, '', 'cannot be read (EISDIR)'],
])('a file that cannot be used (%s) is named where the name is in no other file', async (_, path, text, says) => {
  const HOME = makeHome({ [path]: text, '.aws/credentials': AWS })
  const error = await resolve('ours', { HOME }).catch(failure => failure)
  expect(error).toMatchObject({ code: 'USAGE', exitCode: 2, message: expect.stringContaining(says) })
  expect(error.message).toContain(join(HOME, path.replace('/x', '')))
  expect(`${error.message} ${error.hint} ${error.stack} ${error.cause?.stack}`).not.toMatch(/tops3cret|c2Vj/)
  expect(await keysOf('keyed', { HOME })).toMatchObject({ accessKeyId: 'of-aws' })
  const { profiles, unread } = await everyProfile({ HOME })
  expect([Object.keys(profiles), unread.length]).toEqual([['keyed'], 1])
})

test('a file that cannot be used is nothing to a name that another one has', async () => {
  const keyOf = async (name, files) => (await keysOf(name, { HOME: makeHome(files) })).accessKeyId
  expect(await keyOf('ours', { [CONF]: ENCRYPTED, [MC]: ours })).toBe('of-mc')
  expect(await keyOf('both', { [CONF]: RCLONE, [MC]: BROKEN })).toBe('of-rclone')
})
