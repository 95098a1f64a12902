'use strict'

/** What a bundle leaves out: the file of the local engine's thread. */

const { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../../sandbox/store')
const { copyEnv } = require('../../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../../support/s3')

const ROOT = join(__dirname, '..', '..', '..')

let folder
let server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-bundled-'))
  server = await startStore()
  await createBuckets(server, 'src', 'dst')
  const from = openStore(server, 'src')
  await put(from, 'key', bytesOf(1000))
  from.close()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
})

test('a copy is refused before it begins if the file is missing', async () => {
  for (const name of ['lib', 'actions', 'package.json', 'manifest.yaml']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const worker = join(folder, 'lib/engines/local/worker.js')
  rmSync(worker)
  const env = { ...copyEnv(server, server), HOME: folder, XDG_STATE_HOME: join(folder, 'state') }
  const { copy } = require(join(folder, 'lib'))
  const refused = copy('s3://src/key', 's3://dst/key', { env, engine: 'local', route: 'engine' })
  await expect(refused).rejects.toMatchObject({
    code: 'LOCAL_WORKER_MISSING',
    message: `The local engine's file ${worker} is missing.`,
    hint: expect.stringContaining('--external:xfer'),
  })
  expect(readdirSync(folder)).not.toContain('state')
})
