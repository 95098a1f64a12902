'use strict'

/** The table of foreign words, and hints that need a store. What each word is answered is in bad-input/typed.js. */

const { hintFor } = require('../../cli/hints')
const { flagsIn } = require('../../cli/hints/options')
const { specOf } = require('../../cli/hints/line')
const { COMMANDS, OPTIONS } = require('../../cli/hints/words')
const { startStore } = require('../../sandbox/store')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, copyEnv, runXfer } = require('../support/run-xfer')
const { putRandom } = require('../../sandbox/objects')

const NAMES = [
  ...['copy', 'sync', 'resume', 'verify', 'jobs', 'abort', 'clean', 'deploy', 'doctor'],
  ...['ls', 'du', 'head', 'presign', 'mb', 'rm'],
]
const lacking = (hint, command) => flagsIn(hint, command).filter(one => !specOf(one.command, one.flag))

describe('every option that a hint names is one of its command', () => {
  const texts = OPTIONS.flatMap(({ hints }) => hints.filter(hint => typeof hint === 'string'))
  const chosen = OPTIONS.flatMap(({ hints }) => hints.filter(hint => typeof hint === 'object'))

  test.each(texts)('%s', hint => {
    expect(NAMES.filter(command => lacking(hint, command).length === 0)).not.toEqual([])
  })

  test.each(chosen.flatMap(({ of, hint }) => of.map(command => [command, hint])))('%s: %s', (command, hint) => {
    expect(lacking(hint, command)).toEqual([])
  })

  test.each(COMMANDS.flatMap(({ hint }) => hint ?? []))('%s', hint => {
    expect(lacking(hint, 'none')).toEqual([])
  })
})

test('what a command of xfer has is not in the table: its row could be deleted', () => {
  const everywhere = OPTIONS.flatMap(({ typed }) => typed).filter(flag => NAMES.every(name => specOf(name, flag)))
  expect(everywhere).toEqual([])
  expect(
    COMMANDS.flatMap(({ typed }) => typed).filter(name =>
      [...NAMES, 'cp', 'completion', 'version', 'help'].includes(name),
    ),
  ).toEqual([])
})

test('a name that every object of JavaScript has is no hint', () => {
  const failed = { code: 'USAGE', hint: 'Check it.', facts: { mistake: 'commander.excessArguments' } }
  expect(hintFor(failed, { args: ['jobs', '__proto__'], names: NAMES })).toBe('Check it.')
})

test('a storage class that the store has not is proposed in capitals', () => {
  const failed = { code: 'NO_SUCH_STORAGE_CLASS', hint: 'Name one.' }
  const hinted = words => hintFor(failed, { args: ['copy', 's3://a/b', 's3://c/d', ...words], names: NAMES })
  expect(hinted(['--storage-class', 'standard_ia'])).toBe('Write it in capitals: --storage-class STANDARD_IA')
  expect(hinted(['--storage-class=Glacier'])).toBe('Write it in capitals: --storage-class GLACIER')
  expect(hinted(['--storage-class', 'COLD'])).toBe('Name one.')
  expect(hinted([])).toBe('Name one.')
})

test('a storage class is proposed as the store of the destination writes it', () => {
  const terms = { storageClasses: ['Hot', 'Cool'] }
  const failed = { code: 'NO_SUCH_STORAGE_CLASS', hint: 'Name one.', facts: { terms } }
  const hinted = name =>
    hintFor(failed, { args: ['copy', 's3://a/b', 'az://acc/cont/k', '--storage-class', name], names: NAMES })
  expect(hinted('cool')).toBe('Write it as the store does: --storage-class Cool')
  expect(hinted('STANDARD')).toBe('Name one.')
})

test('a version that the source may not have is named beside the key', () => {
  const failed = { code: 'NO_SUCH_KEY', hint: 'Check the key.', facts: { side: 'source' } }
  const hinted = (...words) =>
    hintFor(failed, { args: ['copy', 'az://acc/cont/k', 's3://c/d', ...words], names: NAMES })
  expect(hinted('--snapshot=2026-11-23T09:30:00.1234567Z')).toBe('Check the key and --snapshot.')
  expect(hinted('--version-id', '7')).toBe('Check the key and --version-id.')
  expect(hinted()).toBe('Check the key.')
})

test('a profile before the account of a blob', () => {
  const args = ['copy', 's3://a/b', 'az://old@account/photos/y']
  const failed = { code: 'BAD_LOCATION', hint: '', facts: { side: 'destination' } }
  expect(hintFor(failed, { args, names: NAMES })).toBe('Write it as az://account/photos/y.')
})

test('the key of one object in place of a prefix: the command has its profile, and no option of prefixes', () => {
  const failed = { code: 'SOURCE_EMPTY', hint: 'Check it.', facts: { object: 's3://old@src/k' } }
  const args = ['sync', 's3://old@src/k/', 's3://new@dst/', '--delete', '--max-delete', '3', '--retries', '2']
  expect(hintFor(failed, { args, names: NAMES })).toBe(
    's3://old@src/k is one object, not a prefix; copy it with: xfer copy s3://old@src/k s3://new@dst/ --retries 2',
  )
})

describe('with a store', () => {
  let store
  beforeAll(async () => {
    store = await startStore({ buckets: ['src', 'dst'] })
    for (const key of ['tree/a', 'star*', 'a b/c']) await putRandom(store, { bucket: 'src', key, bytes: 10 })
  })
  afterAll(() => store.close())

  const xfer = args => runXfer(args, { env: copyEnv(store, store) })

  test('a key that holds a wildcard is copied', async () => {
    expect(await xfer(['copy', 's3://src/star*', 's3://dst/'])).toMatchObject({ status: 0 })
  })

  test('without permission to list, the error stays as it is', async () => {
    const rule = store.faults.add({ bucket: 'src', operation: 'ListObjectsV2', status: 403, code: 'AccessDenied' })
    const { status, stderr } = await xfer(['copy', 's3://src/tree', 's3://dst/'])
    rule.remove()
    expect({ status, stderr: stderr.replace(/after \d+ s/, 'after 0 s') }).toEqual({
      status: 3,
      stderr:
        'xfer: There is no object "tree" in the source bucket "src".\n' +
        '      Check the key: it is taken literally, upper and lower case, spaces and slashes included.\n' +
        'xfer: ended after 0 s with NO_SUCH_KEY (exit status 3): nothing was done.\n',
    })
  })

  test('the command of a hint does what it says', async () => {
    const { stderr } = await xfer(['copy', 's3://src/a b', 's3://dst/new/', '--quiet', '--metadata-set', "who=it's me"])
    const [, command] = /everything below it: xfer (.*)\n/.exec(stderr)
    expect(command).toMatch(/^copy -r 's3:\/\/src\/a b' s3:\/\/dst\/new\/ .*--quiet --metadata-set 'who=it'\\''s me'$/)
    const env = { ...bareEnv, ...copyEnv(store, store) }
    expect(await runShell(`${process.execPath} ${XFER} ${command}`, { env })).toMatchObject({ status: 0 })
    expect(await xfer(['verify', 's3://src/a b/c', 's3://dst/new/c'])).toMatchObject({ status: 0 })
  })
})

test.each([
  ['https://bkt.s3.eu-west-1.amazonaws.com/a/b', 's3://bkt/a/b with --source-region eu-west-1'],
  ['https://storage.googleapis.com/bkt/a', 'gs://bkt/a'],
  [
    'https://acc.blob.core.windows.net/con/x?versionid=2026-11-23T09:30:00.1234567Z',
    'az://acc/con/x with --version-id',
  ],
  [
    'https://acc.blob.core.windows.net/con/x?snapshot=1&sig=hunter2',
    'az://acc/con/x with --snapshot 1, and put its SAS',
  ],
])('an address of a store that denies access, %s, is written as its place', (address, place) => {
  const failed = { code: 'ACCESS_DENIED', hint: 'Ask.', facts: { side: 'source' } }
  const hint = hintFor(failed, { args: ['copy', address, 's3://dst/new'], names: NAMES })
  expect(hint).toContain(place)
  expect(hint).toMatch(/, to read it with your credentials\.$/)
  expect(hint).not.toContain('hunter2')
})

test('another address that denies access has no place', () => {
  const failed = { code: 'ACCESS_DENIED', hint: 'Ask.', facts: { side: 'source' } }
  expect(hintFor(failed, { args: ['copy', 'https://host/a/b', 's3://dst/new'], names: NAMES })).toBe('Ask.')
  expect(hintFor(failed, { args: ['copy', 's3://src/a', 's3://dst/new'], names: NAMES })).toBe('Ask.')
})
