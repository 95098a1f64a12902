'use strict'

const { createReporter } = require('../../cli/reporters')
const { createLineReporter } = require('../../cli/reporters/lines')
const { plan, progress, done, error, retry, sink, setUp, PLAN_TEXT, DONE_TEXT } = require('./events')

describe('without a terminal', () => {
  const log = () => setUp(createLineReporter)
  const line = (percent, more) => `${percent} %  ${more}  in flight 4  retried 0  throttled 0\n`

  test('a line comes every five seconds, however many events there are', () => {
    const { err, tell } = log()
    tell(plan(), 0)
    for (let ms = 500; ms <= 16_000; ms += 500) tell(progress(1 + Math.floor(ms / 5000)))
    expect(err.text).toBe(
      PLAN_TEXT +
        line(' 20', '200 MiB of 1000 MiB  50.0 MiB/s  ETA 16 s  parts 2/10') +
        line(' 30', '300 MiB of 1000 MiB  50.0 MiB/s  ETA 14 s  parts 3/10') +
        line(' 40', '400 MiB of 1000 MiB  50.0 MiB/s  ETA 12 s  parts 4/10'),
    )
  })

  test('a store that asks for less is told of', () => {
    const { err, tell } = log()
    tell(progress(1, { throttled: 12, slowed: [{ store: 'destination', limit: 35 }] }), 6000)
    expect(err.text).toContain('  throttled 12  destination limited to 35\n')
  })

  test('a short copy has a plan and a result, and no progress', () => {
    const { out, err, tell } = log()
    tell(plan())
    tell(progress(10), 4000)
    tell(done())
    expect(err.text).toBe(PLAN_TEXT)
    expect(out.text).toBe(DONE_TEXT)
  })

  test('nothing moves the cursor', () => {
    const { err, tell } = log()
    for (const event of [plan({ source: 's3://src/\x1b[2J' }), progress(1), progress(2), retry, error])
      tell(event, 6000)
    expect(err.text).not.toContain('\x1b')
    expect(err.text).toContain('\\u001b[2J')
  })
})

describe('the words', () => {
  const { err, out, tell } = setUp(createLineReporter)
  const said = event => {
    err.text = out.text = ''
    tell(event, 0)
    return err.text + out.text
  }

  test('of what the copy is given beside its bytes', () => {
    const headers = { 'content-type': 'text/csv', 'cache-control': 'no-store' }
    const attributes = {
      headers,
      user: 3,
      tags: 1,
      storageClass: 'GLACIER_IR',
      encryption: 'aws:kms',
      mtime: '1700000000.5',
    }
    const line =
      'With text/csv, cache-control, 3 of user metadata (mtime 1700000000.5), 1 tag, storage class GLACIER_IR, encryption aws:kms'
    expect(said(plan({ attributes }))).toContain(`${line}\n`)
    expect(said(done({ attributes }))).toContain(`${line}.\n`)
    expect(said(plan({ attributes: { headers: {}, user: 1, tags: 0 } }))).toContain('With 1 of user metadata\n')
  })

  test('of a plan in one piece, with its notices', () => {
    expect(said(plan({ route: 'put', parts: 1, concurrency: 1, notices: ['The chunk was raised.'] }))).toBe(
      'Engine openwhisk: https://ow.example (as asked)\ns3://src/big → s3://dest/big\n1000 MiB in one piece, 1 at once\nNote: The chunk was raised.\n',
    )
  })

  test('of a plan whose parts have a size that was chosen say why, once', () => {
    const text = said(plan({ chunkWhy: 'The parts have 32 MiB.' }))
    expect(text.split('The parts have 32 MiB.')).toHaveLength(2)
  })

  test('of a dry run', () => {
    expect(said(done({ dryRun: true, proof: [] }))).toBe('Would copy 1000 MiB from s3://src/big to s3://dest/big.\n')
  })

  test.each(['atomic', 'checked', 'asked'])('of a condition that was %s', condition => {
    expect(said(done({ condition }))).toMatch(/\nCondition: (?!undefined).{20,}\.\n$/)
    expect(said(done({}))).not.toContain('Condition')
  })

  test.each([
    ...['store-crc32', 'source-crc32', 'source-etag', 'source-md5', 'source-read', 'part-md5', 'read-back'],
    'size',
  ])('of the proof %s', proof => {
    expect(said(done({ proof: [proof] }))).toMatch(/\nProof: (?!undefined).{20,}\.\n$/)
  })
})

test('of a copy that was not to be proved say so, and tell no CRC-32', () => {
  const { out, tell } = setUp(createLineReporter)
  tell(done({ proof: ['size'], crc32: undefined }), 0)
  expect(out.text).toContain('\nProof: what is stored is known by its size alone, because no checksum was asked for.\n')
  expect(out.text).toMatch(/\nETag "[^"]+"\n/)
})

describe('the words of many objects', () => {
  const words = require('../../cli/reporters/object-words')
  const ends = { source: 's3://src/a/', destination: 's3://dest/a/' }
  const none = { listed: 0, chosen: 0, copied: 0, skipped: 0, filtered: 0, deleted: 0, failed: 0 }

  /** @param {object} objects counts @param {object} [more] */
  const said = (objects, more) =>
    words.doneLines({
      ...{ type: 'done', ...ends, objects: { ...none, ...objects }, bytes: 2048, proof: {} },
      ...{ elapsedMs: 2_000, bytesPerSecond: 1024, ...more },
    })

  test.each([
    [{ copied: 1 }, []],
    [{ copied: 1, skipped: 1_234 }, ['Skipped 1,234 objects.']],
    [{ copied: 1, filtered: 1 }, ['Filtered out 1 object.']],
    [{ copied: 1, deleted: 2 }, ['Deleted 2 objects that the source does not have.']],
  ])('in the end, of %p', (objects, lines) => {
    expect(said(objects)).toEqual(['Copied 1 object with 2.00 KiB to s3://dest/a/ in 2.0 s, 1.00 KiB/s.', ...lines])
  })

  test.each([
    [{ chosen: 3 }, 'and skip 0.'],
    [{ chosen: 3, skipped: 14, deleted: 1 }, 'delete 1, and skip 14.'],
    [{ chosen: 3, filtered: 2, deleted: 1 }, 'delete 1, filter out 2, and skip 0.'],
  ])('of a dry run, of %p', (objects, rest) => {
    const copied = 'Would copy 3 objects with 2.00 KiB from s3://src/a/ to s3://dest/a/'
    expect(said(objects, { dryRun: true })).toEqual([`${copied}, ${rest}`])
  })
})

describe('the words of a comparison', () => {
  const words = require('../../cli/reporters/verify-words')
  const { err, out, tell } = setUp(streams => createLineReporter({ ...streams, words }))
  const objects = { source: 's3://src/big', destination: 's3://dest/big', bytes: 1000 * 1024 ** 2 }
  const engine = { engine: 'openwhisk', where: 'https://ow.example', why: 'as asked', concurrency: 20 }
  const said = event => {
    err.text = out.text = ''
    tell({ ...objects, ...event }, 0)
    return err.text + out.text
  }

  test('of a plan in which nothing is read', () => {
    expect(said({ type: 'plan', ...engine, method: 'etag', reads: [], ranges: 0, rangeBytes: 0 })).toBe(
      's3://src/big ↔ s3://dest/big\n',
    )
  })

  test.each([
    [['s3://src/big'], 10, 's3://src/big in 10 ranges of 100 MiB'],
    [['s3://src/big', 's3://dest/big'], 1, 'both in one piece'],
  ])('of a plan to read %j', (reads, ranges, words) => {
    const rangeBytes = (1000 / ranges) * 1024 ** 2
    expect(said({ type: 'plan', ...engine, method: 'read', reads, ranges, rangeBytes })).toBe(
      `Engine openwhisk: https://ow.example (as asked)\ns3://src/big ↔ s3://dest/big\n1000 MiB; reading ${words}, 20 at once\n`,
    )
  })

  test.each([
    ['stored-crc32', 'both stores keep the CRC-32 VALUE'],
    ['etag', 'both have the ETag VALUE, an MD5'],
    ['composite-crc32', 'both stores keep the composite CRC-32 VALUE, of parts of equal sizes'],
    ['read', '1000 MiB were read in 20.0 s, 50.0 MiB/s, and both have the CRC-32 VALUE'],
  ])('of the proof %s', (method, words) => {
    const read = { readBytes: objects.bytes, elapsedMs: 20_000, bytesPerSecond: 50 * 1024 ** 2 }
    expect(said({ type: 'done', method, value: 'VALUE', ...read })).toBe(
      `s3://src/big and s3://dest/big are equal, 1000 MiB.\nProof: ${words}.\n`,
    )
  })
})

describe('a reporter is chosen', () => {
  const streams = isTTY => ({ out: sink(), err: sink({ isTTY, columns: 80 }) })
  const events = [plan(), progress(1), retry, done()]
  const run = (options, isTTY) => {
    const both = streams(isTTY)
    const { onEvent, note } = createReporter(options, both)
    for (const event of events) onEvent(event)
    return { out: both.out.text, err: both.err.text, note, both }
  }

  test('for a terminal, which is standard error, not standard output', () => {
    expect(run({}, true).err).toContain('█')
    expect(run({}, false).err).not.toContain('█')
  })

  test.each([true, false])('with --json: one event a line on standard output, nothing else (terminal: %p)', isTTY => {
    const { out, err } = run({ json: true }, isTTY)
    expect(out.trimEnd().split('\n').map(JSON.parse)).toEqual(JSON.parse(JSON.stringify(events)))
    expect(err).toBe('')
  })

  test.each([true, false])('with --quiet: errors alone (terminal: %p)', isTTY => {
    expect(run({ quiet: true }, isTTY)).toMatchObject({ out: '', err: '' })
    const both = streams(isTTY)
    createReporter({ quiet: true }, both).onEvent(error)
    expect(both.err.text).toBe('xfer: It stalled.\n      Repeat the command.\n')
  })

  test.each([{ json: true }, { quiet: true }, {}])('a note is a line on standard error with %j', options => {
    const { note, both } = run(options, false)
    both.err.text = ''
    note('xfer: stopping.')
    expect(both.err.text).toBe('xfer: stopping.\n')
  })
})
