'use strict'

/** `--log-file` and `--summary`: what is written beside what is printed. */

const { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')

let store
let env
let folder
beforeAll(async () => {
  store = await startStore()
  await createBuckets(store, 'bucket')
  for (const name of ['a', 'b|`c`']) await put(openStore(store, 'bucket'), `from/${name}`, bytesOf(1000, name))
  env = copyEnv(store, store)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-log-'))
})
afterEach(() => {
  store.faults.clear()
  rmSync(folder, { recursive: true })
})
afterAll(() => store.close())

const copy = (...args) =>
  runXfer(['copy', '-r', 's3://bucket/from/', 's3://bucket/to/', '--engine', 'local', ...args], { env })
const read = name => readFileSync(join(folder, name), 'utf8')

test('the log has each line with its time, also of what is not printed, and is appended to', async () => {
  const file = join(folder, 'log')
  writeFileSync(file, 'before\n')
  const { status, stderr } = await copy('--quiet', '--log-file', file)
  expect([status, stderr]).toEqual([0, ''])
  const [first, ...lines] = read('log').trimEnd().split('\n')
  expect(first).toBe('before')
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S/)
  expect(lines.filter(line => / copied (a|b\|`c`) /.test(line))).toHaveLength(2)
  expect(lines.at(-1)).toMatch(/Copied 2 objects .*: proved\.$/)
})

test('the summary has counts, and the last lines', async () => {
  const { status, stdout } = await copy('--json', '--summary', join(folder, 'summary.md'))
  expect([status, JSON.parse(stdout.trim().split('\n').at(-1)).type]).toEqual([0, 'done'])
  const text = read('summary.md')
  expect(text).toMatch(/^### ✅ `s3:\/\/bucket\/from\/` → `s3:\/\/bucket\/to\/`\n\n\| \| \|\n/)
  expect(text).toMatch(/\| copied \| 2 \|\n\| bytes \| 1\.95 KiB \|/)
  expect(text).toMatch(/```text\n[^`]*Copied 2 objects .*\n```\n/)
})

test('the summary names what failed, whatever is in the names', async () => {
  store.faults.add({ operation: 'PutObject', key: 'to/b|`c`', status: 403, code: 'AccessDenied' })
  expect((await copy('--summary', join(folder, 'summary.md'))).status).not.toBe(0)
  expect(read('summary.md')).toMatch(/^### ❌ `.*`: OBJECTS_FAILED\n[\s\S]*\| failed \| 1 \|/)
  expect(read('summary.md')).toMatch(/\n```text\nFailed: b\|`c`: .* \(ACCESS_DENIED\)\n +\S.*s3:PutObject.*\n```\n/)
  expect(read('summary.md')).toMatch(/go on with: xfer resume/)
})

test('the summary of a comparison counts, and names what differs', async () => {
  await put(openStore(store, 'bucket'), 'other/a', bytesOf(1000, 'z'))
  const names = Array.from({ length: 21 }, (_, i) => `m${i}`)
  for (const name of names) await put(openStore(store, 'bucket'), `other/${name}`, bytesOf(10, name))
  const args = ['verify', '-r', 's3://bucket/from/', 's3://bucket/other/', '--summary', join(folder, 'summary.md')]
  expect((await runXfer(args, { env })).status).toBe(8)
  const text = read('summary.md')
  expect(text).toMatch(/\| differing \| 1 \|\n\| missing \| 1 \|\n\| extra \| 21 \|\n/)
  expect(text).toMatch(/\nextra m0 \(10 B\)\n[\s\S]*\nand 3 more\n```\n/)
  expect(text.match(/^(extra|missing|differs) /gm)).toHaveLength(20)
})

test('the metrics are of the last moment, and name no object', async () => {
  const { status } = await copy('--metrics', join(folder, 'xfer.prom'), '--restart')
  const text = read('xfer.prom')
  expect([status, readdirSync(folder)]).toEqual([0, ['xfer.prom']])
  expect(text).toMatch(/^xfer_exit_status(\{job="[\w.-]+"\})? 0$/m)
  expect(text).toMatch(/^xfer_running(\{job="[\w.-]+"\})? 0$/m)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) xfer_\w+ .+|xfer_\w+(\{job="[\w.-]+"\})? [\d.e+-]+)$/)
  expect(text).not.toMatch(/bucket|from\//)
})

test.each(['--log-file', '--summary', '--metrics', '--report'])(
  '%s that cannot be written is told before anything is copied',
  async flag => {
    const { status, stderr } = await copy(flag, join(folder, 'none', 'file'), '--restart')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/cannot be written \(ENOENT\)/)])
  },
)
