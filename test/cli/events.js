'use strict'

/** Events as a copy tells them, what is said of them, and a reporter with streams that keep it. */

const MiB = 1024 ** 2

const plan = (more = {}) => ({
  ...{ type: 'plan', source: 's3://src/big', destination: 's3://dest/big', route: 'multipart', dryRun: false },
  ...{ bytes: 1000 * MiB, parts: 10, partBytes: 100 * MiB, concurrency: 1000 },
  ...{ engine: 'openwhisk', where: 'https://ow.example', why: 'as asked', notices: [] },
  attributes: { headers: { 'content-type': 'text/csv' }, user: 0, tags: 0 },
  ...more,
})
const progress = (partsDone, more = {}) => ({
  ...{ type: 'progress', phase: 'copying', phaseMs: partsDone * 2000, elapsedMs: partsDone * 2000 },
  ...{ bytesDone: partsDone * 100 * MiB, bytesTotal: 1000 * MiB, resumedBytes: 0, bytesPerSecond: 50 * MiB },
  ...{ partsDone, partsTotal: 10, inFlight: 4, retried: 0, throttled: 0, etaMs: (10 - partsDone) * 2000 },
  ...more,
})
const done = (more = {}) => ({
  ...plan(),
  ...{ etag: '"e-10"', crc32: 'AAAAAA==', proof: ['store-crc32', 'source-etag'] },
  ...{ elapsedMs: 20_000, bytesPerSecond: 50 * MiB, resumedBytes: 0, hedgedBytes: 0 },
  ...more,
  type: 'done',
})
const error = { type: 'error', code: 'STALLED', message: 'It stalled.', hint: 'Repeat the command.', exitCode: 1 }
const retry = { type: 'retry', partNumber: 3, attempt: 1, code: 'STALLED', message: 'It stalled.', delayMs: 300 }

/** A stream that keeps what is written to it. */
function sink(more = {}) {
  const stream = { text: '', ...more }
  stream.write = text => {
    stream.text += text
    return true
  }
  return stream
}

function setUp(create, more, how) {
  const time = { ms: 1_000_000 }
  const out = sink()
  const err = sink(more)
  const reporter = create({ out, err, now: () => time.ms, env: { NO_COLOR: '1' }, ...how })
  const tell = (event, ms = 500) => {
    time.ms += ms
    reporter.onEvent(event)
  }
  return { out, err, tell, note: reporter.note }
}

const PLAN_TEXT = `Engine openwhisk: https://ow.example (as asked)
s3://src/big → s3://dest/big
1000 MiB in 10 parts of 100 MiB, 1,000 at once
`
const DONE_TEXT = `ETag "e-10"  CRC-32 AAAAAA==
Proof: the destination recomputed and confirmed the CRC-32 of what was read; the destination's ETag equals the source's.
Copied 1000 MiB from s3://src/big to s3://dest/big in 20.0 s, 50.0 MiB/s: proved.
`
/** Of a job that failed with `error` when three tenths were done. */
const ERROR_TEXT = 'xfer: It stalled.\n      Repeat the command.\n'
const ENDED_TEXT = 'xfer: ended after 6 s with STALLED (exit status 1): 3 of 10 parts copied.\n'

module.exports = { MiB, plan, progress, done, error, retry, sink, setUp, PLAN_TEXT, DONE_TEXT, ERROR_TEXT, ENDED_TEXT }
