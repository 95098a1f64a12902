'use strict'

/** A PostgreSQL of its own, if its programs are installed, as Debian's packages do; and pictures in it. */

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { chownSync, existsSync, mkdtempSync, readdirSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { findProgram, freePort } = require('../../sandbox/peers')

const DEBIAN = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root: the user `nobody`. */
const NOBODY = 65534
const START_LIMIT_MS = 20_000

/** @param {string} name @returns {string | undefined} */
function program(name) {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return [...versions.map(version => join(DEBIAN, version, 'bin', name)), findProgram(name) ?? ''].find(existsSync)
}

/** @returns {Promise<{ port: number, dir: string, version: string, close(): Promise<void> } | undefined>} undefined: it is not installed */
async function startPostgres() {
  const [initdb, postgres] = [program('initdb'), program('postgres')]
  if (!initdb || !postgres) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'xfer-postgres-'))
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (who.uid) chownSync(dir, who.uid, who.gid)
  const made = spawnSync(initdb, ['-D', dir, '-U', 'xfer', '-A', 'trust', '-E', 'UTF8', '--no-locale'], {
    ...who,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const port = await freePort()
  const child = spawn(postgres, ['-D', dir, '-h', '127.0.0.1', '-p', String(port), '-k', dir], {
    ...who,
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  process.once('exit', () => child.kill('SIGKILL'))
  const until = Date.now() + START_LIMIT_MS
  while (!existsSync(join(dir, `.s.PGSQL.${port}`))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error('PostgreSQL did not start')
    await sleep(50)
  }
  const version = spawnSync(postgres, ['--version'], { encoding: 'utf8' }).stdout.trim()
  async function close() {
    child.kill('SIGINT')
    await exited
  }
  return { port, dir, version, close }
}

/**
 * Pictures in a table, as a place that lib/probe measures.
 *
 * @param {{ port: number }} server
 * @param {number} connections
 */
async function openPictures({ port }, connections) {
  // Without its types, which nothing else needs.
  const { Pool } = require(/** @type {string} */ ('pg'))
  const pool = new Pool({ host: '127.0.0.1', port, user: 'xfer', database: 'postgres', max: connections })
  await pool.query('CREATE TABLE IF NOT EXISTS pictures (key bigserial PRIMARY KEY, data bytea NOT NULL)')
  const insert = { name: 'insert', text: 'INSERT INTO pictures (data) VALUES ($1) RETURNING key' }
  const select = { name: 'select', text: 'SELECT data FROM pictures WHERE key = $1' }
  const exists = { name: 'exists', text: 'SELECT 1 FROM pictures WHERE key = $1' }
  /** @param {SharedArrayBuffer} held */
  const write = async held => {
    const { rows } = await pool.query({ ...insert, values: [Buffer.from(held)] })
    return { key: rows[0].key, bytes: held.byteLength, etag: '' }
  }
  const timed = async (/** @type {() => Promise<unknown>} */ call) => {
    const fromMs = performance.now()
    await call()
    return { firstByteMs: performance.now() - fromMs }
  }
  return {
    write,
    puts: (/** @type {SharedArrayBuffer} */ held) => () => timed(() => write(held)),
    gets:
      (/** @type {{ key: string, bytes: number }} */ { key, bytes }) =>
      () =>
        timed(async () => {
          const { rows } = await pool.query({ ...select, values: [key] })
          if (rows[0].data.length !== bytes) throw new Error('something else was read')
        }),
    heads:
      (/** @type {{ key: string }} */ { key }) =>
      () =>
        timed(() => pool.query({ ...exists, values: [key] })),
    clean: async () => void (await pool.query('TRUNCATE pictures')),
    close: () => pool.end(),
  }
}

module.exports = { openPictures, startPostgres }
