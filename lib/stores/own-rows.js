'use strict'

/**
 * What the user's own `xfer doctor --deep` has found of servers: rows like those of profiles.js, by the origin of the server, in
 * `~/.config/xfer/servers.json`.
 */

const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { XferError } = require('../errors')
const { inHome } = require('../files')

/** asked: the day; facts: in JSON, its patterns as texts. @typedef {{ asked: string, facts: Record<string, any> }} Row */

/** @param {NodeJS.ProcessEnv} env */
function fileOf(env) {
  return join(env.XDG_CONFIG_HOME || inHome(env, '.config'), 'xfer', 'servers.json')
}

/** @param {NodeJS.ProcessEnv} env @returns {Record<string, Row>} by origin @throws {XferError} USAGE if the file is no such file */
function readRows(env) {
  const file = fileOf(env)
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    const rows = JSON.parse(text)
    for (const { facts } of Object.values(rows)) if (facts.keys) new RegExp(facts.keys.pattern)
    return rows
  } catch {
    const advice = 'Delete it, and ask the servers again.'
    throw new XferError('USAGE', { text: `${file} is not what xfer doctor --deep has written.`, advice })
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string | undefined} endpoint undefined: the store's usual one, of which all is known
 * @returns {Record<string, any> | undefined} facts of a profile
 */
function ownFactsOf(env, endpoint) {
  if (endpoint === undefined) return undefined
  const { facts } = readRows(env)[new URL(endpoint).origin] ?? {}
  if (!facts?.keys) return facts
  return { ...facts, keys: { ...facts.keys, pattern: new RegExp(facts.keys.pattern) } }
}

/** @param {NodeJS.ProcessEnv} env @param {string} endpoint @param {Row} row @returns {string} the file that has it now */
function keepRow(env, endpoint, row) {
  return write(env, { ...readRows(env), [new URL(endpoint).origin]: row })
}

/** @param {NodeJS.ProcessEnv} env @param {string} endpoint @returns {boolean} whether there was a row */
function forgetRow(env, endpoint) {
  const { [new URL(endpoint).origin]: row, ...others } = readRows(env)
  if (row) write(env, others)
  return row !== undefined
}

/** @param {NodeJS.ProcessEnv} env @param {Record<string, Row>} rows */
function write(env, rows) {
  const file = fileOf(env)
  if (Object.keys(rows).length === 0) {
    rmSync(file, { force: true })
    return file
  }
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, `${JSON.stringify(rows, undefined, 2)}\n`)
    renameSync(`${file}.${process.pid}`, file)
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    const advice = 'Check its permissions, or set XDG_CONFIG_HOME to another folder.'
    throw new XferError('USAGE', { text: `${file} cannot be written (${code}).`, advice }, { cause })
  }
  return file
}

module.exports = { forgetRow, keepRow, ownFactsOf }
