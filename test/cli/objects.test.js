'use strict'

/** The commands that look at objects and buckets, and what rm asks: what they print, and their status. */

const { once } = require('node:events')
const http = require('node:http')
const { PassThrough } = require('node:stream')
const { confirmer } = require('../../cli/confirm')
const { keep, openStore, startStore } = require('../support/opened')
const { eventsOf, runXfer, sideEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

/** `xfer ls`, with the real program: what it prints, its status, and readers that go away. */
describe('ls', () => {
  let server
  let env
  beforeAll(async () => {
    server = await startStore({ buckets: ['things', 'empty'] })
    env = { TZ: 'UTC', ...sideEnv('SOURCE', server) }
    const store = openStore(server, 'things')
    await put(store, 'a.txt', bytesOf(5))
  })

  const ls = (...args) => runXfer(['ls', ...args], { env })

  it('xfer ls ends with 3 where nothing is, and says that wildcards are not expanded; an empty bucket is no error', async () => {
    const nothing = await ls('s3://things/none')
    expect(nothing).toMatchObject({ status: 3, stdout: '' })
    expect(nothing.stderr).toContain('There is nothing whose location begins with s3://things/none.')
    const wild = await ls('s3://things/*.txt')
    expect(wild).toMatchObject({ status: 3, stdout: '' })
    expect(wild.stderr).toContain('Wildcards are not expanded')
    expect(await ls('s3://empty')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(await ls('s3://missing')).toMatchObject({ status: 3, stdout: '' })
  })

  describe('a list without an end', () => {
    let endless
    let pages = 0
    beforeAll(async () => {
      endless = http.createServer((_, response) => {
        const page = String(pages++).padStart(9, '0')
        const contents = Array.from(
          { length: 1000 },
          (_, i) =>
            `<Contents><Key>${page}/${String(i).padStart(4, '0')}</Key><Size>1</Size><ETag>"e"</ETag><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`,
        )
        response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(
            `<ListBucketResult><Name>bucket</Name><IsTruncated>true</IsTruncated><NextContinuationToken>${page}</NextContinuationToken>${contents.join('')}</ListBucketResult>`,
          )
      })
      keep(endless)
      await once(endless.listen(0, '127.0.0.1'), 'listening')
    })

    it('is read page by page, no faster than its reader, and ends with 0 when that goes away', async () => {
      const endpoint = `http://127.0.0.1:${endless.address().port}`
      const { child, ended } = startXfer(['ls', '-r', 's3://bucket'], {
        env: sideEnv('SOURCE', { endpoint, accessKeyId: 'a', secretAccessKey: 'b', region: 'us-east-1' }),
      })
      child.stdout.removeAllListeners('data')
      await once(child.stdout, 'readable')
      child.stdout.destroy()
      const { status, stderr } = await ended
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      // What a pipe holds, and what was asked for ahead.
      expect(pages).toBeLessThan(20)
    })
  })
})

/** `xfer mb` and `xfer presign`, with the real program: what they print, and their status. */
describe('mb and presign', () => {
  let server
  let env
  beforeAll(async () => {
    server = await startStore({ buckets: ['things'] })
    env = { ...sideEnv('SOURCE', server), ...sideEnv('DEST', server) }
    const store = openStore(server, 'things')
    await put(store, 'key', bytesOf(9))
  })

  const xfer = (...args) => runXfer(args, { env })

  it('xfer mb creates a bucket, and ends with 7 where there is one', async () => {
    expect(await xfer('mb', 's3://fresh')).toMatchObject({ status: 0, stdout: 'Created s3://fresh.\n', stderr: '' })
    expect(await xfer('mb', 's3://fresh')).toMatchObject({
      status: 7,
      stdout: '',
      stderr: expect.stringContaining('There is a bucket "fresh" already.'),
    })
    expect(await xfer('mb', 's3://fresh/key')).toMatchObject({ status: 2 })
  })

  describe('xfer presign', () => {
    it('prints the URL alone, which reads the object', async () => {
      const { status, stdout, stderr } = await xfer('presign', 's3://things/key', '--expires', '15m')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(/^http:\/\/\S+X-Amz-Expires=900\S+\n$/)
      expect((await (await fetch(stdout.trim())).arrayBuffer()).byteLength).toBe(9)
      const [signed] = eventsOf(await xfer('presign', 's3://things/key', '--json'))
      expect(signed).toEqual({ location: 's3://things/key', url: expect.any(String), endsMs: expect.any(Number) })
    })

    it('ends with 2 for a life that no store gives, and with 3 for what is not there', async () => {
      expect(await xfer('presign', 's3://things/key', '--expires', '8d')).toMatchObject({ status: 2, stdout: '' })
      expect(await xfer('presign', 's3://things/none')).toMatchObject({ status: 3, stdout: '' })
    })
  })
})

/** The question before many objects are deleted, as it is asked on a terminal. */
describe('what is asked before a deletion', () => {
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
  ])('%s to %o: %s', async (typed, found, answer) => {
    const { input, err, shown } = terminal(typed)
    expect(await confirmer({ err }, {}, ['s3://b/'], input)(found)).toBe(answer)
    expect(shown()).toContain(`This deletes 1,200 objects with 1.00 MiB below ${found.location}.\n`)
  })
})
