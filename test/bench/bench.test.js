'use strict'

/** `npm run bench` in small: each case that needs no other program, and what it writes. */

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { CASES } = require('../../bench/cases')
const { measure } = require('../../bench/measure')
const { bestPeer, claim, contest } = require('../../bench/report')
const { render } = require('../../bench/results')
const { takeTurns } = require('../../bench/rounds')
const { startSyntheticStore } = require('../../bench/stores')
const { bareEnv } = require('../support/run-xfer')

const BENCH = join(__dirname, '..', '..', 'bench', 'index.js')
/** Those whose contestants are xfer and what comes with it. */
const ALONE = ['synthetic', 'start-up']
/** Where bash, getconf and git are, and no contestant. */
const PATH = '/usr/bin:/bin'

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-bench-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quiet = { signal: new AbortController().signal, say: () => {} }

describe('the command', () => {
  test('runs every case that needs no other program, and writes what it found', async () => {
    const out = join(folder, 'RESULTS.md')
    const args = ALONE.flatMap(name => ['--case', name])
    const child = spawn(process.execPath, [BENCH, '--quick', '--out', out, ...args], {
      env: { ...bareEnv, PATH, XFER_TEST_BIN: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text
    })
    const [status] = await once(child, 'close')
    expect({ status, said }).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'results')).sort()).toEqual(ALONE.map(name => `${name}.json`).sort())
    const report = readFileSync(out, 'utf8')
    for (const name of ALONE) expect(report).toContain(CASES.find(one => one.name === name).title)
    expect(report).not.toMatch(/NaN|undefined|Infinity/)
    expect(report).not.toContain(folder)
    for (const name of ALONE) {
      const { rows } = JSON.parse(readFileSync(join(folder, 'results', `${name}.json`), 'utf8'))
      expect(rows.filter(({ kind }) => kind !== 'peer').map(({ runs }) => runs.length)).not.toContain(0)
      expect(rows.map(({ failed }) => failed).filter(Boolean)).toEqual([])
    }
  }, 300_000)

  test.each([['--bogus'], ['--runs', '0']])('refuses %s %s', (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [BENCH, ...args], { encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toContain('Usage: ')
  })

  test('tells of every case, and does nothing', () => {
    const { status, stdout } = spawnSync(process.execPath, [BENCH, '--help'], { encoding: 'utf8' })
    expect(status).toBe(0)
    for (const { name } of CASES) expect(stdout).toContain(`  ${name} `)
  })

  test('leaves nothing behind when it is interrupted', async () => {
    const scratch = join(folder, 'scratch')
    mkdirSync(scratch)
    const args = [
      '--case',
      'synthetic',
      '--runs',
      '1000',
      '--size',
      '64MiB',
      '--out',
      join(folder, 'x'),
      '--scratch',
      scratch,
    ]
    const child = spawn(process.execPath, [BENCH, ...args], {
      env: { ...bareEnv, PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
      // As Ctrl-C at a terminal does: all of the group are told.
      detached: true,
    })
    const closed = once(child, 'close')
    let said = ''
    let told = false
    for await (const text of child.stderr.setEncoding('utf8')) {
      said += text
      if (told || !said.includes('run 1 of')) continue
      expect(readdirSync(scratch)).toHaveLength(1)
      process.kill(-child.pid, 'SIGINT')
      told = true
    }
    // Standard error is inherited by the stores: it has ended, so they have.
    expect(await closed).toEqual([130, null])
    expect(said).toMatch(/Interrupted\.$/m)
    expect(readdirSync(scratch)).toEqual([])
  }, 120_000)
})

describe('a synthetic store', () => {
  let stores
  beforeAll(async () => {
    stores = [await startSyntheticStore({ made: { 'b/made': 1_000_000 } }), await startSyntheticStore({ workers: 2 })]
  }, 60_000)
  afterAll(() => Promise.all(stores.map(store => store.close())))

  const url = (store, path) => `${store.endpoint}${path}`
  const uploadTo = async store => {
    const created = await fetch(url(store, '/b/copy?uploads'), {
      method: 'POST',
      headers: { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'FULL_OBJECT' },
    })
    return /<UploadId>([^<]+)/.exec(await created.text())[1]
  }

  test('computes the CRC-32 of what comes in where it is checking, framed or not, over all its workers', async () => {
    const [source, destination] = stores
    const whole = Buffer.from(await (await fetch(url(source, '/b/made'))).arrayBuffer())
    await destination.check(true)
    const id = await uploadTo(destination)
    const framed = Buffer.concat([Buffer.from('61a80\r\n'), whole.subarray(0, 400_000), Buffer.from('\r\n0\r\n\r\n')])
    const decoded = {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': '400000',
    }
    const parts = [
      { body: framed, headers: decoded },
      { body: whole.subarray(400_000), headers: {} },
    ]
    for (const [index, { body, headers }] of parts.entries()) {
      const path = `/b/copy?partNumber=${index + 1}&uploadId=${id}`
      const put = await fetch(url(destination, path), { method: 'PUT', body, headers })
      expect(put.status).toBe(200)
      await put.text()
    }
    const numbers = '<Part><PartNumber>1</PartNumber></Part><Part><PartNumber>2</PartNumber></Part>'
    const done = await fetch(url(destination, `/b/copy?uploadId=${id}`), { method: 'POST', body: numbers })
    expect(await done.text()).toContain('CompleteMultipartUploadResult')
    const { crc32 } = await source.find('b/made')
    expect(await destination.find('b/copy')).toMatchObject({ bytes: 1_000_000, found: crc32, crc32 })
    expect(await destination.counters()).toMatchObject({ bytesIn: 1_000_000, requests: { UploadPart: 2 } })
  })

  test('refuses a part whose checksum is another, where it is checking', async () => {
    const [, destination] = stores
    await destination.check(true)
    const id = await uploadTo(destination)
    const headers = { 'x-amz-checksum-crc32': 'AAAAAA==' }
    const put = await fetch(url(destination, `/b/copy?partNumber=1&uploadId=${id}`), {
      method: 'PUT',
      body: 'x',
      headers,
    })
    expect(put.status).toBe(400)
    expect(await put.text()).toContain('BadDigest')
  })
})

describe('what a command costs', () => {
  test('is that of all its processes', async () => {
    const burn = 'while (process.cpuUsage().user < 300e3); '
    const hold = 'const held = Buffer.alloc(60e6, 1); setTimeout(() => held, 1000); '
    const child = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`
    const one = await measure([process.execPath, '-e', burn], process.env)
    const two = await measure([process.execPath, '-e', burn + child], process.env)
    expect(one.status).toBe(0)
    expect(two.cpuSeconds).toBeGreaterThan(1.4 * one.cpuSeconds)
    expect(two.wallSeconds).toBeGreaterThan(0.6)
    const nested = `const { spawn } = require("node:child_process"); spawn(process.execPath, ["-e", ${JSON.stringify(hold)}]); ${hold}`
    const held = await measure([process.execPath, '-e', nested], process.env)
    expect(held.peakBytes).toBeGreaterThan(2 * 60e6)
  }, 60_000)

  test('is not waited for once it is called off', async () => {
    const controller = new AbortController()
    const running = measure(['tail', '-f', '/dev/null'], process.env, { signal: controller.signal })
    controller.abort(new Error('called off'))
    await expect(running).rejects.toThrow('called off')
  })
})

describe('turns', () => {
  const contestant = (name, script, kind = 'peer') => ({
    name,
    kind,
    call: () => ({ command: ['bash', '-c', script], env: process.env }),
  })

  test('are taken A B A B, the first to warm up, and one that fails is out', async () => {
    const order = []
    const rows = await takeTurns(
      [contestant('a', 'true'), contestant('b', 'echo broken >&2; exit 3'), contestant('c', 'true')],
      {
        ...quiet,
        runs: 2,
        before: async ({ name }) => void order.push(name),
      },
    )
    expect(order).toEqual(['a', 'b', 'c', 'a', 'c', 'a', 'c'])
    expect(rows.map(({ runs }) => runs.length)).toEqual([2, 0, 2])
    expect(rows[1].failed).toBe('it ended with status 3 (broken)')
  })

  test('are over for one that copied something else', async () => {
    const [row] = await takeTurns([contestant('a', 'true')], { ...quiet, runs: 2, check: async () => 'it did not' })
    expect(row).toMatchObject({ failed: 'it did not', runs: [] })
  })
})

describe('the report', () => {
  const run = (wallSeconds, cpuSeconds) => ({ wallSeconds, cpuSeconds, peakBytes: 50e6, serverCpuSeconds: 1 })
  const rows = [
    { name: 'xfer', kind: 'xfer', runs: [run(4, 1), run(1, 1), run(2, 1)] },
    { name: 'quick', kind: 'peer', runs: [run(4, 9)] },
    { name: 'thrifty', kind: 'peer', runs: [run(9, 2)] },
    { name: 'broken', kind: 'peer', runs: [run(1, 1)], failed: 'it broke' },
  ]

  test('compares medians with the best peer of each figure that did not fail', () => {
    expect([bestPeer(rows, 'wallSeconds').name, bestPeer(rows, 'cpuSeconds').name]).toEqual(['quick', 'thrifty'])
    const [xfer, , , broken] = contest(rows, 2e9).rows
    expect(xfer).toEqual(['xfer', '2.00', '1.00 to 4.00', '0.50', '50', '0.50', '0.50', '0.50'])
    expect(broken.slice(0, 2)).toEqual(['broken', 'it broke'])
  })

  test.each([
    [0.5, { atMost: 0.5 }, true],
    [0.51, { atMost: 0.5 }, false],
    [0.79, { atLeast: 0.8 }, false],
  ])('judges %p as %p asks', (found, asked, met) => {
    expect(claim('it', found, asked)).toMatchObject([{ met }])
  })

  test('is of all that was ever kept, in the order of the cases', () => {
    const findings = {
      ...{ date: '2026-01-02T03:04:05Z', commit: 'abc', command: 'npm run bench', versions: {}, runs: 5, quick: false },
      ...{
        rows: rows.map(row => ({ ...row, settings: 'as it comes' })),
        leftOut: ['mc, which is not installed'],
        facts: { bytes: 4 * 1024 ** 3 },
      },
      machine: { cpu: 'a processor', cores: 2, memory: '1 GiB of memory', system: 'Linux' },
    }
    const silent = { ...findings, case: 'many-objects', rows, facts: { count: 10 } }
    const text = render([silent, { ...findings, case: 'minio' }, { ...findings, case: 'versitygw' }], CASES)
    expect(text).toContain('| thrifty | as it comes |')
    expect(text.indexOf('between two versitygw')).toBeLessThan(text.indexOf('between two MinIO'))
    expect(text).toContain(
      '| CPU a byte against the best peer, CRC-32 on, MinIO | at most 0.50 | 0.50 (thrifty) | met | minio |',
    )
    expect(text).toContain('Left out: mc, which is not installed.')
    expect(text).toMatch(/^Not measured here: .*synthetic/m)
  })
})
