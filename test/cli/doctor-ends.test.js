'use strict'

/** `xfer doctor` of ends that are no object stores: files and folders of this machine, and servers of the web. */

const { mkdir, mkdtemp, readdir, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startHttpsHost } = require('../support/https-host')
const { bareEnv, eventsOf, runXfer } = require('../support/run-xfer')

let folder
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xfer-doctor-ends-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** @param {string[]} args @param {Record<string, string>} [env] */
async function examine(args, env = bareEnv) {
  const { status, stdout, stderr } = await runXfer(['doctor', ...args, '--json'], { env })
  expect(stderr).toBe('')
  const events = eventsOf({ stdout }).filter(({ type }) => type === 'check')
  for (const { detail, hint = 'None.' } of events) {
    for (const text of [detail, hint]) expect(text).toMatch(/^\S.*[^.]\.$/)
  }
  const checks = Object.fromEntries(events.map(({ name, ok, detail, hint }) => [name, { ok, detail, hint }]))
  const failed = events.filter(({ ok }) => ok === false).map(({ name }) => name)
  return { status, checks, failed, stdout }
}

describe('a file and a folder', () => {
  test('are read and written, and nothing is left', async () => {
    await writeFile(join(folder, 'big'), 'twelve bytes')
    await mkdir(join(folder, 'out'))
    const { status, checks, failed } = await examine([join(folder, 'big'), join(folder, 'out')])
    expect({ status, failed }).toEqual({ status: 0, failed: [] })
    expect(checks['source reading'].detail).toContain(`${join(folder, 'big')} has 12 bytes, and one of them was read`)
    expect(checks['destination writing'].detail).toContain(`written to ${join(folder, 'out')}, synced and removed.`)
    expect(checks['source from functions']).toMatchObject({ ok: null })
    expect(checks['destination from functions'].detail).toContain('only threads of this machine')
    expect(await readdir(join(folder, 'out'))).toEqual([])
  })

  test('that are missing: the source is, the destination would be made', async () => {
    const { status, checks, failed } = await examine([join(folder, 'no'), join(folder, 'new', 'deep', 'x')])
    expect({ status, failed }).toEqual({ status: 3, failed: ['source reading'] })
    expect(checks['source reading'].detail).toContain(join(folder, 'no'))
    expect(checks['destination writing'].detail).toContain('a copy makes the folders')
    expect(await readdir(folder)).toEqual([])
  })

  test('of which nobody may be written', async () => {
    const { status, checks, failed } = await examine([folder, '/proc/'])
    expect(failed).toEqual(['destination writing'])
    expect(status).toBeGreaterThan(0)
    expect(checks['source reading'].detail).toContain('is an empty folder')
  })
})

describe('a server of the web', () => {
  let host
  beforeAll(async () => {
    host = await startHttpsHost()
  })
  afterAll(() => host.close())

  test.each([
    ['a strong ETag', {}, undefined, 'sends ranges, and its strong ETag shows a change'],
    ['a weak ETag', { etag: 'W/"x"' }, 'unnoticed', 'its ETag is weak'],
    ['no ETag', { etag: null }, 'unnoticed', 'it has no ETag'],
    ['nothing', { etag: null, modified: null }, 'unnoticed', 'tells neither an ETag nor a time'],
  ])('with %s', async (name, page, hint, says) => {
    const url = host.put(`/${encodeURIComponent(name)}?token=xQu3ry-SECRET`, { body: Buffer.from('body'), ...page })
    const { status, checks, stdout } = await examine([url])
    expect(status).toBe(0)
    expect(checks['source credentials'].ok).toBe(true)
    expect(checks['source reading'].detail).toContain(says)
    if (hint) expect(checks['source reading'].hint).toContain(hint)
    else expect(checks['source reading'].hint).toBeUndefined()
    expect(stdout).not.toContain('SECRET')
  })

  test('without ranges is read as one stream', async () => {
    const url = host.put('/flat', { body: Buffer.from('body'), ranges: false })
    const { status, checks } = await examine([url])
    expect({ status, ok: checks['source reading'].ok }).toEqual({ status: 0, ok: true })
    expect(checks['source reading'].detail).toContain('sends no ranges')
    expect(checks['source reading'].hint).toContain('reads it once')
  })

  test('that wants a password', async () => {
    const url = host.put('/closed', { body: Buffer.from('body'), wants: { authorization: 'Bearer xH3ader-SECRET' } })
    const refused = await examine([url])
    expect({ status: refused.status, failed: refused.failed }).toEqual({ status: 4, failed: ['source reading'] })
    const { status, checks, stdout } = await examine([url, '--source-header', 'Authorization: Bearer xH3ader-SECRET'])
    expect(status).toBe(0)
    expect(checks['source credentials'].detail).toContain('headers from --source-header')
    expect(stdout).not.toContain('SECRET')
  })
})
