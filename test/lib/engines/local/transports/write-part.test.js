'use strict'

const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { createLocalEngine } = require('../../../../../lib/engines/local/engine')
const { closeStores, rangeSource, someBytes } = require('../../../../action/stores')
const { get, getRange, put, sumOf, taskOf } = require('./tasks')

const engine = createLocalEngine({ threads: 1 })
const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'xfer-part-')))
afterEach(closeStores)
afterAll(async () => {
  await engine.close()
  fs.rmSync(folder, { recursive: true })
})

const MiB = 1024 * 1024
const BYTES = someBytes(9 * MiB + 5)
const urlOf = name => pathToFileURL(join(folder, name)).href

/** A file of that many zeros. */
function makeFile(name, bytes) {
  fs.writeFileSync(join(folder, name), '')
  fs.truncateSync(join(folder, name), bytes)
  return join(folder, name)
}

/** Writes a part of BYTES. */
const putPart = (name, start, bytes, more = {}) =>
  put(urlOf(name), bytes, {
    headers: { 'content-range': `bytes ${start}-${start + bytes - 1}/${BYTES.length}` },
    ...more,
  })

/** The outcomes of parts between these offsets. */
async function writeParts(source, name, offsets, more) {
  const tasks = offsets.slice(0, -1).map((start, i) => {
    const bytes = offsets[i + 1] - start
    const read = getRange(`${source.url}/b/k`, start, bytes)
    return taskOf(bytes, read, putPart(name, start, bytes, more), { total: BYTES.length, partNumber: i + 1 })
  })
  return engine.run(tasks, { parallel: tasks.length })
}

test('parts are written in place, at once, from a store', async () => {
  const path = makeFile('parts', BYTES.length)
  const { ino } = fs.statSync(path)
  const source = await rangeSource(BYTES)
  const outcomes = await writeParts(source, 'parts', [0, 4 * MiB, 8 * MiB + 1, BYTES.length])
  expect(outcomes).toMatchObject([
    { etag: `"0-${4 * MiB - 1}"`, sums: { crc32: sumOf(BYTES.subarray(0, 4 * MiB)) } },
    { etag: `"${4 * MiB}-${8 * MiB}"` },
    { etag: `"${8 * MiB + 1}-${BYTES.length - 1}"` },
  ])
  expect(fs.readFileSync(path).equals(BYTES)).toBe(true)
  expect(fs.statSync(path).ino).toBe(ino)
})

test('a part leaves what is around it', async () => {
  const path = makeFile('around', 10)
  fs.writeFileSync(path, '..........')
  const source = await rangeSource(Buffer.from('0123456789'))
  const write = put(urlOf('around'), 3, { headers: { 'content-range': 'bytes 4-6/10' } })
  await engine.run([taskOf(3, getRange(`${source.url}/b/k`, 4, 3), write, { total: 10 })])
  expect(fs.readFileSync(path, 'utf8')).toBe('....456...')
})

test('from a file to a file', async () => {
  fs.writeFileSync(join(folder, 'from'), BYTES)
  const path = makeFile('to', BYTES.length)
  const [outcome] = await engine.run([taskOf(BYTES.length, get(urlOf('from')), putPart('to', 0, BYTES.length))])
  expect(outcome).toMatchObject({ bytes: BYTES.length, sums: { crc32: sumOf(BYTES) } })
  expect(fs.readFileSync(path).equals(BYTES)).toBe(true)
})

test('what a part must not be written into is refused, and its source is not read on', async () => {
  const source = await rangeSource(BYTES)
  makeFile('aim', 10)
  fs.symlinkSync('aim', join(folder, 'link'))
  const root = join(folder, 'root')
  fs.mkdirSync(root)
  fs.symlinkSync('..', join(root, 'up'))
  const errorOf = async (name, more) => (await writeParts(source, name, [0, BYTES.length], more))[0].error
  expect(await errorOf('none')).toMatchObject({ side: 'write', status: 404, storeCode: 'ENOENT' })
  expect(await errorOf('link')).toMatchObject({ side: 'write', status: 403, storeCode: 'LINK' })
  expect(await errorOf('root')).toMatchObject({ side: 'write', status: 409, storeCode: 'EISDIR' })
  expect(await errorOf('root/up/aim', { root })).toMatchObject({ side: 'write', status: 403, storeCode: 'LINK' })
  expect(await errorOf('aim', { root })).toMatchObject({ side: 'write', status: 403, storeCode: 'OUTSIDE' })
})

const FULL = '/dev/full'
const withFull = fs.existsSync(FULL) ? test : test.skip
withFull('a full device is answered with 507', async () => {
  const source = await rangeSource(BYTES)
  const write = { ...putPart('x', 0, BYTES.length), url: pathToFileURL(FULL).href }
  const [outcome] = await engine.run([taskOf(BYTES.length, get(`${source.url}/b/k`), write)])
  expect(outcome).toMatchObject({ error: { side: 'write', status: 507, storeCode: 'ENOSPC' } })
})
