'use strict'

/** Jobs with a manifest that are killed at random, again and again: at the end it has every object once, and its seal is right. */

const { generateKeyPairSync } = require('node:crypto')
const { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { jobFiles } = require('../support/journals')
const { openKeptTrees, sizesOf } = require('../support/prefixes')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const MANY = 400
/** Runs of each command that are killed. */
const KILLED = Number(process.env.XFER_TEST_KILLS ?? 5)
/** By then most runs have ended. */
const LONGEST_MS = 3_500
jest.setTimeout(20 * 60_000)

const names = Array.from({ length: MANY }, (_, i) => `n${String(i).padStart(3, '0')}`)
const extra = Array.from({ length: 40 }, (_, i) => `old${String(i).padStart(3, '0')}`)

let at
let folder
let keys
beforeEach(async () => {
  at = await openKeptTrees()
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-manifest-'))
  keys = [join(folder, 'key'), join(folder, 'public')]
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(keys[0], privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(keys[1], publicKey.export({ type: 'spki', format: 'pem' }))
})
afterEach(async () => {
  await at.close()
  rmSync(folder, { recursive: true })
})

/** Jobs of one command, the first one with a manifest of its own. @param {string[]} command @param {(round: number) => Promise<string[]>} prepare */
async function killedAndResumed(command, prepare) {
  let kills = 0
  for (let round = 0; kills < KILLED; round++) {
    const expected = await prepare(round)
    const file = join(folder, `m${round}.ndjson`)
    const args = [...command, '--engine', 'local', '--chunk', '5', '--concurrency', '4', '--json']
    const last = ['--manifest-out', file, '--sign', keys[0]]
    // So that they take a while.
    at.destination.faults.add({ operation: ['PutObject', 'UploadPart', 'DeleteObjects'], delayMs: 25 })
    const waits = []
    for (let turn = 0; ; turn++) {
      const { child, ended } = start([...args, ...last])
      const done = ended.then(() => true)
      const waitMs = Math.floor(Math.random() * LONGEST_MS)
      waits.push(waitMs)
      if (turn < 3 && !(await Promise.race([done, delay(waitMs)])) && child.kill('SIGKILL')) {
        await ended
        kills++
        // It was killed when all was done, and only that was not said.
        if (existsSync(file) && jobFiles(at.state).length === 0) break
        continue
      }
      const { status, stdout, stderr } = await ended
      expect({ status, waits, said: status === 0 ? '' : stdout.split('\n').at(-2) + stderr }).toEqual({
        status: 0,
        waits,
        said: '',
      })
      break
    }
    at.destination.faults.clear()
    const [, ...lines] = readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -2)
      .map(text => JSON.parse(text))
    expect({ waits, lines: lines.map(({ action, name }) => `${action} ${name}`).sort() }).toEqual({
      waits,
      lines: expected.sort(),
    })
    expect(readdirSync(folder).filter(name => /held|next/.test(name))).toEqual([])
    const checked = await at.xfer('verify', '--manifest', file, '--public-key', keys[1], '--engine', 'local', '--json')
    expect({ waits, status: checked.status, last: checked.last }).toMatchObject({ waits, status: 0 })
  }
}

/** @param {string[]} args */
function start(args) {
  return startXfer(args, { env: { ...at.trees.env, XDG_STATE_HOME: at.state } })
}

/** @param {number} round */
async function fill(round) {
  const large = bytesOf(11 * MiB, `large ${round}`)
  await at.trees.fill({ ...Object.fromEntries(names.map(name => [`r${round}/${name}`, `${name} of ${round}`])) })
  await at.trees.fill({ [`r${round}/large`]: large })
}

test('sync --delete', async () => {
  const command = []
  await killedAndResumed(command, async round => {
    command.splice(0, command.length, 'sync', `s3://origin/r${round}/`, `s3://target/r${round}/`, '--delete')
    await fill(round)
    for (const name of extra) await put(at.trees.to, `r${round}/${name}`, Buffer.from(name))
    return [...[...names, 'large'].map(name => `copy ${name}`), ...extra.map(name => `delete ${name}`)]
  })
})

test('mv -r', async () => {
  const command = []
  await killedAndResumed(command, async round => {
    command.splice(0, command.length, 'mv', '-r', `s3://origin/r${round}/`, `s3://target/r${round}/`)
    await fill(round)
    return [...names, 'large'].map(name => `move ${name}`)
  })
  expect(await sizesOf(at.trees.from)).toEqual({})
})
