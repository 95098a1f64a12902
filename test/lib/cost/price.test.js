'use strict'

/** What a job costs between the clouds that xfer knows: which lines there are, and what is named as unknown. */

const { checkPlan, costOf, costOfRunner, readPrices } = require('../../../lib/cost')

const TIB = 1024 ** 4
const S3 = { provider: 'Amazon S3', endpoint: 'AWS', can: { reach: 'network' } }
const R2 = { provider: 'Cloudflare R2', endpoint: 'https://x.r2.cloudflarestorage.com', can: { reach: 'network' } }
const AZURE = { provider: 'Azure Blob Storage', endpoint: 'https://x.blob.core.windows.net', can: { reach: 'network' } }
const OWN = { endpoint: 'https://minio.example.com', can: { reach: 'network' } }
const LOOPBACK = { endpoint: 'http://127.0.0.1:9000', can: { reach: 'local' } }
const FILE = { endpoint: 'file', can: { reach: 'process' } }
const HERE = { runsOn: 'machine', reach: 'process', where: '2 threads of this machine' }
const LAMBDA = { runsOn: 'platform', reach: 'network', where: 'AWS Lambda in us-east-1', provider: 'AWS Lambda' }
const WORKERS = { runsOn: 'platform', reach: 'network', where: 'https://worker.example.com' }

/** A copy of 1 TiB in 10,486 parts. */
const USED = {
  requests: { source: { GET: 10_486, HEAD: 1 }, destination: { PUT: 10_486, POST: 2 } },
  bytesOut: { source: TIB, destination: 0 },
  invocations: 0,
}
const BY_FUNCTIONS = { ...USED, invocations: 10_486, gbSeconds: 20_000 }

/** @param {any} used @param {any} source @param {any} destination @param {any} engine @param {object} [settings] */
async function priced(used, source, destination, engine, settings = {}) {
  const run = { usage: { provider: () => undefined } }
  const job = { settings, source: { store: source }, destination: { store: destination }, engine, run }
  return costOf(used, /** @type {any} */ (job), await readPrices(undefined))
}

const amounts = ({ lines }) => Object.fromEntries(lines.map(({ what, amount }) => [what, Number(amount.toFixed(4))]))

test('1 TiB from S3 to another cloud: the bytes that leave dominate', async () => {
  const cost = await priced(USED, S3, R2, HERE)
  expect(amounts(cost)).toEqual({ 'GET, HEAD at Amazon S3': 0.0042, 'bytes that leave Amazon S3': 98.956 })
  expect(cost.total).toBeCloseTo(98.9602, 3)
  expect(cost.unknown).toEqual(['PUT, POST at Cloudflare R2'])
  expect(cost.notes).toEqual([
    'This machine is taken to be outside of every cloud.',
    expect.stringContaining('12 January 2027: Regulation (EU) 2023/2854, Article 29'),
  ])
  for (const line of cost.lines) expect(line).toMatchObject({ source: expect.any(String), date: '2026-11' })
})

test('by functions within the cloud of both stores no byte leaves it, and the functions cost', async () => {
  const cost = await priced(BY_FUNCTIONS, S3, S3, LAMBDA)
  expect(amounts(cost)).toEqual({
    'GET, HEAD at Amazon S3': 0.0042,
    'PUT, POST at Amazon S3': 0.0524,
    'GB-seconds of AWS Lambda': 0.3333,
    'invocations of AWS Lambda': 0.0021,
  })
  const note = 'Amazon S3 and AWS Lambda are taken to be in one region, where bytes that move cost nothing.'
  expect(cost.notes).toEqual([note])
})

const RUNS = { runs: 3, gbSeconds: 20, calls: 1_000_000, functionGbSeconds: 59_980 }

test.each([
  ['arm64', { where: 'AWS Lambda in us-east-1', provider: 'AWS Lambda arm64' }, 0.8 + 0.2],
  ['a platform of its own host', { where: 'https://ow.example.com' }, 60_000 * 0.001],
])('a job that functions run costs what they and the functions that copy have used: %s', async (_, place, dollars) => {
  const own = { provider: 'ow.example.com', what: 'function', price: 0.001, unit: 'GB-second', source: 'x', date: 'y' }
  const cost = costOfRunner({ ...RUNS, ...place }, [own, ...(await readPrices(undefined))])
  expect(cost.total).toBeCloseTo(dollars, 3)
  expect(cost.unknown).toEqual(place.provider ? [] : ['invocations of ow.example.com'])
})

test('the pace of functions is named where a plan assumes it', async () => {
  const named = expect.stringContaining('A function is taken to move 15 MB a second')
  const planned = settings => priced(BY_FUNCTIONS, S3, S3, LAMBDA, { dryRun: true, ...settings })
  expect((await planned({})).notes).toContainEqual(named)
  expect((await planned({ pace: 2e6 })).notes).not.toContainEqual(named)
  expect((await priced(BY_FUNCTIONS, S3, S3, LAMBDA)).notes).not.toContainEqual(named)
})

test('through functions of one cloud bytes leave that one on their way to another, once', async () => {
  const cost = await priced(BY_FUNCTIONS, S3, AZURE, LAMBDA)
  expect(amounts(cost)).toMatchObject({ 'bytes that leave AWS Lambda': 98.956 })
  expect(amounts(cost)).not.toHaveProperty('bytes that leave Amazon S3')
})

test('functions of somebody unknown cost something unknown, and so do the bytes that they send', async () => {
  const { unknown } = await priced(BY_FUNCTIONS, S3, AZURE, WORKERS)
  expect(unknown).toEqual([
    'PUT, POST at Azure Blob Storage',
    'bytes that leave worker.example.com',
    'GB-seconds of worker.example.com',
    'invocations of worker.example.com',
  ])
})

test('bytes that leave R2 are known to cost nothing; those of a host that nobody knows are unknown', async () => {
  expect(amounts(await priced(USED, R2, FILE, HERE))).toEqual({ 'bytes that leave Cloudflare R2': 0 })
  const { lines, unknown } = await priced(USED, OWN, FILE, HERE)
  expect([lines, unknown]).toEqual([[], ['GET, HEAD at minio.example.com', 'bytes that leave minio.example.com']])
})

test('a file and a server of this machine have no price, and upload costs its requests alone', async () => {
  expect(await priced(USED, LOOPBACK, FILE, HERE)).toMatchObject({ lines: [], total: 0, unknown: [], notes: [] })
  expect(amounts(await priced(USED, FILE, S3, HERE))).toMatchObject({ 'PUT, POST at Amazon S3': 0.0524 })
})

test('a plan above the limit is refused, and what has no known price is named', async () => {
  const usage = { provider: () => undefined, total: () => USED }
  const ends = { source: { store: S3 }, destination: { store: R2 }, engine: HERE }
  const job = /** @type {any} */ ({ settings: {}, ...ends, run: { usage } })
  const prices = await readPrices(undefined)
  expect(() => checkPlan(job, prices, 98.97)).not.toThrow()
  const refused =
    /about \$98\.96 .*--max-cost 98\.95, without what has no known price \(PUT, POST at Cloudflare R2\)\.$/
  expect(() => checkPlan(job, prices, 98.95)).toThrow(refused)
})
