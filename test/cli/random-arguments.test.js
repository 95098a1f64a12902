'use strict'

const fc = require('fast-check')
const { freePort } = require('../support/servers')
const { expectEvents, expectTold } = require('./bad-input/expect')
const { inTurn, runBounded } = require('./bad-input/run')

const SEED = 20260
const RUNS = 200

const OPTIONS = [
  ...['--chunk', '--concurrency', '--retries', '--io-timeout', '--engine', '--apihost', '--no-clobber', '--exact-key'],
  ...[
    '--dry-run',
    '--json',
    '--quiet',
    '--request-payer',
    '--source-no-sign-request',
    '--',
    '-',
    '-x',
    '---',
    '--=',
    '--no-',
  ],
  ...['--source-profile', '--source-endpoint-url', '--source-region', '--source-addressing', '--dest-profile'],
  ...[
    '--dest-endpoint-url',
    '--dest-region',
    '--dest-addressing',
    '--chunk=5',
    '--retries=0',
    '--Chunk',
    '--constructor',
  ],
]
const VALUES = [
  ...[
    '0',
    '1',
    '5',
    '-1',
    '1e3',
    'abc',
    '',
    ' ',
    '5MiB',
    'auto',
    'local',
    'path',
    'us-east-1',
    'http://127.0.0.1:1',
    '%',
    '\n',
  ],
  ...['null', '__proto__', '😀', '\u001b[2J', "'", '"', '$(id)', '../..', 'http://[::1', 'http://a b'],
]
const LOCATIONS = [
  's3://src/object',
  's3://dst/new',
  's3://dst/',
  's3://p@src/o',
  's3://',
  's3://x',
  'S3://src/\u0000',
  'file:///etc',
]

/** Words that are right together. */
const PHRASES = [
  ['--chunk', '5'],
  ['--retries', '0'],
  ['--engine', 'local'],
  ['--io-timeout', '1'],
  ['--concurrency', '1e3'],
  ['--source-region', 'eu-west-1'],
  ['--dest-addressing', 'path'],
  ['--source-no-sign-request'],
  ['--no-clobber', '--exact-key'],
  ['--dry-run'],
  ['--json'],
  ['--quiet'],
]

const wild = fc.array(
  fc.oneof(
    fc.constantFrom(...OPTIONS),
    fc.constantFrom(...VALUES),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(...LOCATIONS),
  ),
  { maxLength: 6 },
)
const tame = fc.subarray(PHRASES).map(phrases => phrases.flat())
const places = fc.oneof(
  fc.constant(['s3://src/object', 's3://dst/new']),
  fc.array(fc.constantFrom(...LOCATIONS), { maxLength: 3 }),
)

/** Commands that get as far as the network, and all sorts of others. */
const commandLine = fc
  .tuple(
    fc.constantFrom('copy', 'copy', 'copy', 'cp', 'resume', '', 'COPY'),
    places,
    fc.oneof(wild, tame),
    fc.boolean(),
  )
  .map(([command, locations, words, first]) =>
    first ? [command, ...words, ...locations] : [command, ...locations, ...words],
  )
  // A process cannot be given a NUL, and help is no error.
  .map(args => args.map(word => word.replaceAll('\u0000', '')))
  .filter(args => !args.some(word => /^--(help|version)$|^help$/.test(word)))

test(`no list of arguments makes it crash, hang or succeed (${RUNS} of seed ${SEED})`, async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const side = prefix => ({
    [`${prefix}_ENDPOINT_URL`]: endpoint,
    [`${prefix}_ACCESS_KEY_ID`]: 'key-id',
    [`${prefix}_SECRET_ACCESS_KEY`]: 'hunter2-SECRET',
  })
  const env = { ...side('XFER_SOURCE'), ...side('XFER_DEST') }
  const samples = fc.sample(commandLine, { seed: SEED, numRuns: RUNS })
  const runs = await Promise.all(inTurn(samples, 4, args => runBounded(args, env)))
  const failures = samples.flatMap((args, i) => {
    try {
      expect([1, 2, 3, 4, 5]).toContain(runs[i].status)
      const json = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json')
      const told = json && runs[i].stderr === '' ? expectEvents : expectTold
      told(runs[i], { secrets: ['hunter2'] })
      return []
    } catch (error) {
      return [{ args, run: runs[i], error: error.message }]
    }
  })
  expect(failures).toEqual([])
  // Some got past the command line, and as far as the network.
  expect(runs.filter(run => run.status === 2).length).toBeGreaterThan(50)
  expect(runs.filter(run => run.status === 1).length).toBeGreaterThan(5)
}, 240_000)
