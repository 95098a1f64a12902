'use strict'

const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const MOST_PARTS = 10_000

describe('the plan', () => {
  let server
  let route
  beforeAll(async () => {
    const synthetic = { 'made-up/most': MOST_PARTS * 5 * MiB, 'made-up/more': (MOST_PARTS + 1) * 5 * MiB }
    server = await startStore({ synthetic })
    route = await openRoute({ source: server })
  })
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  const dryRun = async (location, ...flags) => {
    const args = ['copy', location, 's3://target/never', '--dry-run', '--json', '--engine', 'local', ...flags]
    return expectEvents(await runXfer(args, { env: route.env }), { env: route.env })
  }

  it('of an object of 10,000 parts is as asked for', async () => {
    const { status, plan } = await dryRun('s3://made-up/most', '--chunk', '5')
    expect(status).toBe(0)
    expect(plan).toMatchObject({ parts: MOST_PARTS, partBytes: 5 * MiB, route: 'multipart' })
    expect(plan.notices.filter(notice => /chunk/.test(notice))).toEqual([])
  })

  it('of an object that would need one more has a chunk of the next whole MiB, and says so', async () => {
    const { status, plan, last } = await dryRun('s3://made-up/more', '--chunk', '5')
    const parts = Math.ceil(((MOST_PARTS + 1) * 5) / 6)
    expect(status).toBe(0)
    expect(plan).toMatchObject({ parts, partBytes: 6 * MiB, route: 'multipart', dryRun: true })
    expect(plan.notices.join()).toMatch(/raised to 6 MiB.*10,001 parts.*accepts 10,000/)
    expect(last).toMatchObject({ type: 'done', dryRun: true, parts, partBytes: 6 * MiB, proof: [] })
  })

  it('with a chunk below the least raises it, says so, and copies', async () => {
    const body = bytesOf(5 * MiB + 1)
    await put(route.from, 'small-chunk', body)
    const { status, plan } = await route.copy('small-chunk', 'small-chunk', ['--chunk', '1'])
    expect(status).toBe(0)
    expect(plan).toMatchObject({ parts: 2, partBytes: 5 * MiB })
    expect(plan.notices.join()).toMatch(/raised to 5 MiB, the smallest/)
    expect((await get(route.to, 'small-chunk')).equals(body)).toBe(true)
  })

  it('names the object that the copy would replace', async () => {
    await put(route.from, 'replacing', bytesOf(3 * MiB))
    const args = ['copy', 's3://source/replacing', 's3://target/', '--dry-run', '--engine', 'local']
    const lastLine = async () => (await runXfer(args, { env: route.env })).stdout
    const would = 'Would copy 3.00 MiB from s3://source/replacing to s3://target/replacing'
    expect(await lastLine()).toBe(`${would}.\n`)
    await put(route.to, 'replacing', bytesOf(2 * MiB))
    const { etag } = await route.to.head('replacing')
    expect(await lastLine()).toBe(`${would}, and replace the object that is there (2.00 MiB).\n`)
    const { stdout } = await runXfer([...args, '--json'], { env: route.env })
    expect(JSON.parse(stdout.trim().split('\n').at(-1)).replaces).toEqual({ bytes: 2 * MiB, etag })
  })

  it('tells people what it tells machines', async () => {
    const args = ['copy', 's3://made-up/more', 's3://target/never', '--dry-run', '--chunk', '5', '--engine', 'local']
    const { status, stdout, stderr } = await runXfer(args, { env: route.env })
    expect(status).toBe(0)
    expect(stdout + stderr).toMatch(/raised to 6 MiB/)
  })

  it('of a dry run is all: nothing is written', async () => {
    await put(route.from, 'dry', bytesOf(6 * MiB))
    const before = server.requests.CreateMultipartUpload
    const { status } = await route.copy('dry', 'dry', ['--dry-run'])
    expect(status).toBe(0)
    expect(server.requests.CreateMultipartUpload).toBe(before)
    expect(await keysOf(route.to, 'dry')).toEqual([])
  })
})
