'use strict'

/** The commands that look at objects and buckets, and what rm asks: what they print, and their status. */

const { once } = require('node:events')
const http = require('node:http')
const { PassThrough } = require('node:stream')
const { confirmer } = require('../../cli/confirm')
const { listen } = require('../support/listen')
const { openStore, startStore } = require('../support/opened')
const { eventsOf, runXfer, sideEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

let env
beforeAll(async () => {
  const server = await startStore({ buckets: ['things', 'empty'] })
  env = { TZ: 'UTC', ...sideEnv('SOURCE', server), ...sideEnv('DEST', server) }
  await put(openStore(server, 'things'), 'key', bytesOf(9))
})

const xfer = (...args) => runXfer(args, { env })

/** `xfer ls`, with the real program: what it prints, its status, and readers that go away. */

it('xfer ls ends with 3 where nothing is, and says that wildcards are not expanded; an empty bucket is no error', async () => {
  for (const [place, status, says] of [
    ['things/none', 3, expect.stringContaining('There is nothing whose location begins with s3://things/none.')],
    ['things/*.txt', 3, expect.stringContaining('Wildcards are not expanded')],
    ['empty', 0, ''],
    ['missing', 3, expect.any(String)],
  ])
    expect(await xfer('ls', `s3://${place}`)).toEqual({ status, stdout: '', stderr: says })
})

it('a list without an end is read page by page, no faster than its reader, and ends with 0 when that goes away', async () => {
  let pages = 0
  const entry = '<Size>1</Size><ETag>"e"</ETag><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>'
  const endless = http.createServer((_, response) => {
    const page = String(pages++).padStart(9, '0')
    const keys = Array.from({ length: 1000 }, (_, i) => `${page}/${String(i).padStart(4, '0')}`)
    const contents = keys.map(key => `<Contents><Key>${key}</Key>${entry}`).join('')
    const goOn = `<IsTruncated>true</IsTruncated><NextContinuationToken>${page}</NextContinuationToken>`
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(`<ListBucketResult><Name>bucket</Name>${goOn}${contents}</ListBucketResult>`)
  })
  const { url: endpoint } = await listen(endless)
  const access = { endpoint, accessKeyId: 'a', secretAccessKey: 'b', region: 'us-east-1' }
  const { child, ended } = startXfer(['ls', '-r', 's3://bucket'], { env: sideEnv('SOURCE', access) })
  child.stdout.removeAllListeners('data')
  await once(child.stdout, 'readable')
  child.stdout.destroy()
  expect(await ended).toMatchObject({ status: 0, stderr: '' })
  // What a pipe holds, and what was asked for ahead.
  expect(pages).toBeLessThan(20)
})

test('a copy and xfer head print attributes beyond ASCII as they were typed', async () => {
  const attributes = ['--metadata-set', 'author=Zoë', '--header', 'Content-Disposition=attachment; filename="日.txt"']
  const copied = await xfer('copy', 's3://things/key', 's3://things/text', ...attributes, '--json')
  const headers = expect.objectContaining({ 'content-disposition': 'attachment; filename="日.txt"' })
  expect(eventsOf(copied).at(-1)).toMatchObject({ type: 'done', attributes: { headers } })
  const [found] = eventsOf(await xfer('head', 's3://things/text', '--json'))
  expect(found).toMatchObject({ headers, metadata: { author: 'Zoë' } })
})

test('xfer mb creates a bucket, and ends with 7 where there is one', async () => {
  expect(await xfer('mb', 's3://fresh')).toMatchObject({ status: 0, stdout: 'Created s3://fresh.\n', stderr: '' })
  const stderr = expect.stringContaining('There is a bucket "fresh" already.')
  expect(await xfer('mb', 's3://fresh')).toMatchObject({ status: 7, stdout: '', stderr })
})

test('xfer presign prints the URL alone, which reads the object, and ends with 3 for what is not there', async () => {
  const { status, stdout, stderr } = await xfer('presign', 's3://things/key', '--expires', '15m')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^http:\/\/\S+X-Amz-Expires=900\S+\n$/)
  expect((await (await fetch(stdout.trim())).arrayBuffer()).byteLength).toBe(9)
  const [signed] = eventsOf(await xfer('presign', 's3://things/key', '--json'))
  expect(signed).toEqual({ location: 's3://things/key', url: expect.any(String), endsMs: expect.any(Number) })
  const [entry] = eventsOf(await xfer('ls', 's3://things/', '--json'))
  expect([entry.type, entry.time]).toEqual(['object', undefined])
  expect(await xfer('presign', 's3://things/none')).toMatchObject({ status: 3, stdout: '' })
})

/** The question before many objects are deleted, as it is asked on a terminal. */
/** A terminal on which this is typed; undefined: its input ends. */
function terminal(typed) {
  const [input, err] = [new PassThrough(), new PassThrough()].map(stream => Object.assign(stream, { isTTY: true }))
  input.end(typed === undefined ? '' : `${typed}\n`)
  return { input, err, shown: () => err.read()?.toString() ?? '' }
}

const SOME = { location: 's3://b/t/', objects: 1_200, bytes: 2 ** 20, whole: false }
const WHOLE = { ...SOME, location: 's3://b/', whole: true }

test.each([
  ['y', SOME, true],
  ['', SOME, false],
  [undefined, SOME, false],
  ['y', WHOLE, false],
  ['1200', WHOLE, true],
  ['1,200', WHOLE, true],
])('what is asked before a deletion, and answered %s to %o: %s', async (typed, found, answer) => {
  const { input, err, shown } = terminal(typed)
  expect(await confirmer({ err }, {}, ['s3://b/'], input)(found)).toBe(answer)
  expect(shown()).toContain(`This deletes 1,200 objects with 1.00 MiB below ${found.location}.\n`)
})
