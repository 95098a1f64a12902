'use strict'

/** `--log-file`, `--summary`, `--metrics` and `--trace`: what is written beside what is printed. */

const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, put } = require('../support/s3')

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
  folder = newFolder()
})
afterEach(() => store.faults.clear())

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
  for (const [name, value] of [
    ['xfer_exit_status', 0],
    ['xfer_running', 0],
    ['xfer_objects_failed', 0],
  ])
    expect(text).toContain(`\n${name}{xfer_job="xfer"} ${value}\n`)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) xfer_\w+ .+|xfer_\w+\{xfer_job="xfer"\} [\d.e+-]+)$/)
  expect(text).not.toMatch(/bucket|from\//)
})

describe('metrics of a job that runs again and again', () => {
  const run = (...args) => copy('--metrics', join(folder, 'xfer.prom'), '--name', 'nightly "1"', ...args)
  const figure = name => new RegExp(`^${name}\\{xfer_job="nightly _1_"\\} (\\S+)$`, 'm').exec(read('xfer.prom'))?.[1]
  const figures = () =>
    ['exit_status', 'objects_failed', 'last_success_timestamp_seconds'].map(n => figure(`xfer_${n}`))

  test('its last success outlasts runs that fail, and dry runs', async () => {
    store.faults.add({ operation: 'PutObject', keyPattern: 'a$', status: 403, code: 'AccessDenied' })
    await run('--restart')
    expect(figures()).toEqual(['1', '1', undefined])
    store.faults.clear()
    const since = Math.floor(Date.now() / 1000)
    await run('--restart')
    const success = figures()[2]
    expect(Number(success)).toBeGreaterThanOrEqual(since)
    expect(figures()).toEqual(['0', '0', success])
    const long = read('xfer.prom').replace(` ${success}\n`, ' 1700000000\n')
    writeFileSync(join(folder, 'xfer.prom'), long)
    await run('--dry-run')
    store.faults.add({ operation: 'PutObject', keyPattern: 'a$', status: 403, code: 'AccessDenied' })
    await run('--restart')
    expect(figures()).toEqual(['1', '1', '1700000000'])
  })

  test('one object that fails counts, and the success of another job does not', async () => {
    const other = 'xfer_last_success_timestamp_seconds{xfer_job="nightly"} 1700000000\n'
    writeFileSync(join(folder, 'xfer.prom'), other)
    store.faults.add({ operation: 'PutObject', status: 403, code: 'AccessDenied' })
    const args = ['--engine', 'local', '--metrics', join(folder, 'xfer.prom'), '--name', 'nightly "1"']
    const { status } = await runXfer(['copy', 's3://bucket/from/a', 's3://bucket/one', ...args], { env })
    expect(figures()).toEqual([`${status}`, '1', undefined])
  })
})

test.each(['--log-file', '--summary', '--metrics', '--report', '--trace'])(
  '%s that cannot be written is told before anything is copied',
  async flag => {
    const { status, stderr } = await copy(flag, join(folder, 'none', 'file'), '--restart')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/cannot be written \(ENOENT\)/)])
  },
)

/**
 * The entries of a trace, each checked: its own fields and no others, and no two bars of a lane at once.
 *
 * @param {string} text
 */
function entriesOf(text) {
  const FIELDS = {
    M: { name: 'string', ph: 'string', pid: 'number', tid: 'number', args: 'object' },
    X: { name: 'string', ph: 'string', ts: 'number', dur: 'number', pid: 'number', tid: 'number', args: 'object' },
    C: { name: 'string', ph: 'string', ts: 'number', pid: 'number', tid: 'number', args: 'object' },
    i: { name: 'string', ph: 'string', s: 'string', ts: 'number', pid: 'number', tid: 'number', args: 'object' },
  }
  const entries = JSON.parse(text)
  for (const entry of entries) {
    expect(Object.fromEntries(Object.entries(entry).map(([field, value]) => [field, typeof value]))).toEqual(
      FIELDS[entry.ph],
    )
    for (const number of [entry.ts, entry.dur, entry.pid, entry.tid])
      if (number !== undefined) expect(Number.isSafeInteger(number) && number >= 0).toBe(true)
    if (entry.ph === 'C') for (const value of Object.values(entry.args)) expect(typeof value).toBe('number')
  }
  const lanes = new Set(entries.filter(({ ph }) => ph === 'X').map(({ pid, tid }) => `${pid} ${tid}`))
  const named = entries.filter(({ ph, name }) => ph === 'M' && name === 'thread_name')
  expect(named.map(({ pid, tid }) => `${pid} ${tid}`).sort()).toEqual([...lanes].sort())
  for (const lane of lanes) {
    const bars = entries.filter(({ ph, pid, tid }) => ph === 'X' && `${pid} ${tid}` === lane)
    bars.sort((a, b) => a.ts - b.ts || a.dur - b.dur)
    for (const [at, bar] of bars.entries())
      if (at > 0) expect(bar.ts).toBeGreaterThanOrEqual(bars[at - 1].ts + bars[at - 1].dur)
  }
  return entries
}

const barsOf = (entries, name) => entries.filter(entry => entry.ph === 'X' && name.test(entry.name))

test('the trace of a copy in parts has each part once, lanes of their own for what overlaps, and what was repeated', async () => {
  await put(openStore(store, 'bucket'), 'large', bytesOf(6 * 5 * 1024 ** 2, 'large'))
  store.faults.add({ operation: 'UploadPart', first: 1, status: 500, code: 'InternalError' })
  // Parts that wait for slow answers overlap.
  store.faults.add({ operation: 'UploadPart', delayMs: 200 })
  const file = join(folder, 'trace.json')
  writeFileSync(file, 'what was there before')
  const args = ['--engine', 'local', '--chunk', '5', '--concurrency', '3', '--trace', file]
  const { status, stderr } = await runXfer(['copy', 's3://bucket/large', 's3://bucket/copy', ...args], { env })
  expect([status, stderr]).toEqual([0, expect.any(String)])
  const text = read('trace.json')
  const entries = entriesOf(text)
  const parts = barsOf(entries, /^part/)
  expect(parts.map(({ name }) => name).sort()).toEqual([1, 2, 3, 4, 5, 6].map(part => `part ${part}`))
  expect(new Set(parts.map(({ tid }) => tid)).size).toBeGreaterThan(1)
  expect(barsOf(entries, /^s3:\/\/bucket\/copy$/)).toMatchObject([{ args: { bytes: 6 * 5 * 1024 ** 2 } }])
  expect(entries.filter(({ ph }) => ph === 'i').map(({ name }) => name)).toContain('retry')
  expect(new Set(entries.filter(({ ph }) => ph === 'C').map(({ name }) => name))).toEqual(
    new Set(['bytes a second', 'in flight']),
  )
  expect(text).not.toContain(store.secretAccessKey)
})

test('the trace of a prefix has each object once, and is whole when the copy fails', async () => {
  store.faults.add({ operation: 'PutObject', key: 'traced/a', status: 403, code: 'AccessDenied' })
  const args = ['s3://bucket/from/', 's3://bucket/traced/', '--engine', 'local', '--trace', join(folder, 'trace.json')]
  expect((await runXfer(['copy', '-r', ...args], { env })).status).not.toBe(0)
  const entries = entriesOf(read('trace.json'))
  expect(barsOf(entries, /./).map(({ name }) => name)).toEqual(['b|`c`'])
  const moments = entries.filter(({ ph }) => ph === 'i')
  expect(moments).toContainEqual(
    expect.objectContaining({ name: 'failure', args: { name: 'a', code: 'ACCESS_DENIED' } }),
  )
  expect(moments.at(-1).name).toBe('error')
})
