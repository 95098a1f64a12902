'use strict'

/** Folders and files of the source that this user may not read, as lost+found: they fail by name, and --delete spares them. */

const { chmodSync, mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runAlone } = require('../support/run-xfer')
const { bytesOf, createBuckets, keysOf, put } = require('../support/s3')

const onPosix = process.platform === 'win32' ? describe.skip : describe

onPosix('what cannot be read', () => {
  /** Any user but root, who may read everything. */
  const UID = 65_534

  let store
  let to
  let folder
  let source
  let nodeArgs
  beforeAll(async () => {
    store = await startStore()
    await createBuckets(store, 'bucket')
    to = openStore(store, 'bucket')
    folder = newFolder()
    chmodSync(folder, 0o755)
    source = join(folder, 'source')
    for (const name of ['', 'lost+found', 'names', 'sub', 'sub/closed'])
      mkdirSync(join(source, name), { recursive: true })
    for (const name of ['a', 'lost+found/x', 'names/file', 'sub/b', 'sub/closed/y', 'z'])
      writeFileSync(join(source, name), name)
    chmodSync(join(source, 'lost+found'), 0)
    chmodSync(join(source, 'sub/closed'), 0)
    // Its names can be read, and nothing else of what is in it.
    chmodSync(join(source, 'names'), 0o444)
    const preload = join(folder, 'user.js')
    writeFileSync(
      preload,
      `if (process.getuid() === 0) { process.setgroups([]); process.setgid(${UID}); process.setuid(${UID}) }`,
    )
    nodeArgs = ['--require', preload]
    const closed = ['lost+found', 'sub/closed', 'names'].map(name => join(source, name))
    keep({ close: () => closed.map(path => chmodSync(path, 0o755)) })
  })
  beforeEach(async () => {
    await to.removeAll(await keysOf(to, 'to/'))
    for (const name of ['a', 'lost+found/x', 'names/file', 'sub/closed/y', 'extra'])
      await put(to, `to/${name}`, bytesOf(10, name))
  })

  const xfer = async (/** @type {string[]} */ ...args) => {
    return await runAlone(args, { env: copyEnv(store, store), nodeArgs })
  }
  const failed = run => eventsOf(run).flatMap(({ type, name, code }) => (type === 'failure' ? [`${name} ${code}`] : []))
  const EVERY = ['lost+found/ ACCESS_DENIED', 'names/file ACCESS_DENIED', 'sub/closed/ ACCESS_DENIED']
  const BEFORE = ['a', 'extra', 'lost+found/x', 'names/file', 'sub/closed/y']
  const keys = async () => (await keysOf(to, 'to/')).map(key => key.slice('to/'.length)).sort()

  test.each(['copy -r', 'sync --delete'])('fails by name, and the rest is copied (%s)', async command => {
    const run = await xfer(...command.split(' '), `${source}/`, 's3://bucket/to/', '--json')
    expect({ status: run.status, failed: failed(run).sort() }).toEqual({ status: 1, failed: EVERY })
    expect(await keys()).toEqual([...BEFORE, 'sub/b', 'z'].sort())
  })

  test('verify names it, and ls says so', async () => {
    const run = await xfer('verify', '-r', `${source}/`, 's3://bucket/to/', '--json')
    expect(run.status).not.toBe(0)
    for (const name of ['lost+found/', 'names/file', 'sub/closed/']) expect(run.stdout).toContain(`"${name}"`)
    const listed = { status: 4, stderr: expect.stringContaining('lost+found') }
    expect(await xfer('ls', '-r', `${source}/`)).toMatchObject(listed)
  })
})
