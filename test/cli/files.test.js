'use strict'

/** `--log-file`, `--summary`, `--metrics` and `--trace`: what is written beside what is printed. */

const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

let store
let bucket
let env
let folder
beforeAll(async () => {
  store = await startStore({ buckets: ['bucket'] })
  bucket = openStore(store, 'bucket')
  for (const name of ['a', 'b|`c`']) await put(bucket, `from/${name}`, bytesOf(1000, name))
  env = copyEnv(store, store)
})
beforeEach(() => {
  folder = newFolder()
})
afterEach(() => store.faults.clear())

const run = (...args) => runXfer([...args, '--engine', 'local'], { env })
const copy = (...args) => run('copy', '-r', 's3://bucket/from/', 's3://bucket/to/', ...args)
/** Until it is cleared. @param {object} [of] */
const deny = of => store.faults.add({ operation: 'PutObject', status: 403, code: 'AccessDenied', ...of })
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
  deny({ key: 'to/b|`c`' })
  expect((await copy('--summary', join(folder, 'summary.md'))).status).not.toBe(0)
  expect(read('summary.md')).toMatch(/^### ❌ `.*`: OBJECTS_FAILED\n[\s\S]*\| failed \| 1 \|/)
  expect(read('summary.md')).toMatch(/\n```text\nFailed: b\|`c`: .* \(ACCESS_DENIED\)\n +\S.*s3:PutObject.*\n```\n/)
  expect(read('summary.md')).toMatch(/go on with: xfer resume/)
})

test('the summary of a comparison counts, and names what differs', async () => {
  await put(bucket, 'other/a', bytesOf(1000, 'z'))
  for (let i = 0; i < 21; i++) await put(bucket, `other/m${i}`, bytesOf(10))
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
  for (const name of ['xfer_exit_status', 'xfer_running', 'xfer_objects_failed'])
    expect(text).toContain(`\n${name}{xfer_job="xfer"} 0\n`)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) xfer_\w+ .+|xfer_\w+\{xfer_job="xfer"\} [\d.e+-]+)$/)
  expect(text).not.toMatch(/bucket|from\//)
})

const flags = () => ['--metrics', join(folder, 'xfer.prom'), '--name', 'nightly "1"']
const figure = name => new RegExp(`^${name}\\{xfer_job="nightly _1_"\\} (\\S+)$`, 'm').exec(read('xfer.prom'))?.[1]
const figures = () => ['exit_status', 'objects_failed', 'last_success_timestamp_seconds'].map(n => figure(`xfer_${n}`))

test('metrics of a job that runs again and again: its last success outlasts runs that fail, and dry runs', async () => {
  deny({ keyPattern: 'a$' })
  await copy(...flags(), '--restart')
  expect(figures()).toEqual(['1', '1', undefined])
  store.faults.clear()
  const since = Math.floor(Date.now() / 1000)
  await copy(...flags(), '--restart')
  const success = figures()[2]
  expect(Number(success)).toBeGreaterThanOrEqual(since)
  expect(figures()).toEqual(['0', '0', success])
  const long = read('xfer.prom').replace(` ${success}\n`, ' 1700000000\n')
  writeFileSync(join(folder, 'xfer.prom'), long)
  await copy(...flags(), '--dry-run')
  deny({ keyPattern: 'a$' })
  await copy(...flags(), '--restart')
  expect(figures()).toEqual(['1', '1', '1700000000'])
})

test('metrics of a job that runs again and again: one object that fails counts, and the success of another job does not', async () => {
  writeFileSync(join(folder, 'xfer.prom'), 'xfer_last_success_timestamp_seconds{xfer_job="nightly"} 1700000000\n')
  deny()
  const { status } = await run('copy', 's3://bucket/from/a', 's3://bucket/one', ...flags())
  expect(figures()).toEqual([`${status}`, '1', undefined])
})

const FILES = ['--log-file', '--summary', '--metrics', '--report', '--trace']
test.each(FILES)('%s that cannot be written is told before anything is copied', async flag => {
  const { status, stderr } = await copy(flag, join(folder, 'none', 'file'), '--restart')
  expect([status, stderr]).toEqual([2, expect.stringMatching(/cannot be written \(ENOENT\)/)])
})

/**
 * The entries of a trace, each checked: its own fields and no others, and no two bars of a lane at once.
 *
 * @param {string} text
 */
function entriesOf(text) {
  const M = { name: 'string', ph: 'string', pid: 'number', tid: 'number', args: 'object' }
  const C = { ...M, ts: 'number' }
  const FIELDS = { M, C, X: { ...C, dur: 'number' }, i: { ...C, s: 'string' } }
  const entries = JSON.parse(text)
  for (const entry of entries) {
    const types = Object.entries(entry).map(([field, value]) => [field, typeof value])
    expect(Object.fromEntries(types)).toEqual(FIELDS[entry.ph])
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
  await put(bucket, 'large', bytesOf(6 * 5 * 1024 ** 2, 'large'))
  store.faults.add({ operation: 'UploadPart', first: 1, status: 500, code: 'InternalError' })
  // Parts that wait for slow answers overlap.
  store.faults.add({ operation: 'UploadPart', delayMs: 200 })
  const file = join(folder, 'trace.json')
  writeFileSync(file, 'what was there before')
  const args = ['--chunk', '5', '--concurrency', '3', '--trace', file]
  expect((await run('copy', 's3://bucket/large', 's3://bucket/copy', ...args)).status).toBe(0)
  const text = read('trace.json')
  const entries = entriesOf(text)
  const parts = barsOf(entries, /^part/)
  expect(parts.map(({ name }) => name).sort()).toEqual([1, 2, 3, 4, 5, 6].map(part => `part ${part}`))
  expect(new Set(parts.map(({ tid }) => tid)).size).toBeGreaterThan(1)
  expect(barsOf(entries, /^s3:\/\/bucket\/copy$/)).toMatchObject([{ args: { bytes: 6 * 5 * 1024 ** 2 } }])
  expect(entries.filter(({ ph }) => ph === 'i').map(({ name }) => name)).toContain('retry')
  const counters = entries.filter(({ ph }) => ph === 'C').map(({ name }) => name)
  expect(new Set(counters)).toEqual(new Set(['bytes a second', 'in flight']))
  expect(text).not.toContain(store.secretAccessKey)
})

test('the trace of a prefix has each object once, and is whole when the copy fails', async () => {
  deny({ key: 'traced/a' })
  const args = ['s3://bucket/from/', 's3://bucket/traced/', '--trace', join(folder, 'trace.json')]
  expect((await run('copy', '-r', ...args)).status).not.toBe(0)
  const entries = entriesOf(read('trace.json'))
  expect(barsOf(entries, /./).map(({ name }) => name)).toEqual(['b|`c`'])
  const moments = entries.filter(({ ph }) => ph === 'i')
  const failure = { name: 'failure', args: { name: 'a', code: 'ACCESS_DENIED' } }
  expect(moments).toContainEqual(expect.objectContaining(failure))
  expect(moments.at(-1).name).toBe('error')
})
