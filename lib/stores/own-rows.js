'use strict'

/**
 * What the user's own `xfer doctor --deep` has found of servers: rows like those of servers.js, by the origin of the server, in
 * `~/.config/xfer/servers.json`.
 */

const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { XferError } = require('../errors')
const { inHome } = require('../files')

/** asked: the day; facts: in JSON, its patterns as texts. @typedef {{ asked: string, facts: Record<string, any> }} OwnRow */

/** @param {NodeJS.ProcessEnv} env */
function fileOf(env) {
  return join(env.XDG_CONFIG_HOME || inHome(env, '.config'), 'xfer', 'servers.json')
}

/** Patterns of keys, by the kind of key that was asked about. Other patterns in the file are refused, because a regular expression can take for ever. @type {Record<string, string>} */
const PATTERNS = {
  'a backslash': '\\\\',
  './': '(?:^|/)\\.(?:/|$)',
  '../': '(?:^|/)\\.\\.(?:/|$)',
  '//': '//',
  'a closing slash': '/$',
  'a blank at the end': ' $',
}

/** The facts that a row may have, and which values each may have. @type {Record<string, (value: any) => boolean>} */
const FACTS = {
  sums: value => value === 'checked' || value === 'refused',
  namesFraming: value => value === false,
  conditions: value => value === 'ignored',
  keepsMetadata: value => value === true,
  tags: value => value === false,
  limits: value => JSON.stringify(value) === '{"equalParts":true}',
  hidesBelow: value => value === true,
  keys: value => typeof value?.reason === 'string' && isPattern(value.pattern),
}

/** Whether it is one of the known patterns, or several joined by `|`; a `|` within brackets does not separate. @param {unknown} pattern */
function isPattern(pattern) {
  const known = Object.values(PATTERNS)
  return typeof pattern === 'string' && pattern.split(/\|(?![^(]*\))/).every(one => known.includes(one))
}

/** @param {unknown} value */
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {any} row @returns {boolean} whether it is one that xfer doctor --deep writes */
function isRow(row) {
  return (
    isObject(row?.facts) &&
    Object.entries(row.facts).every(([name, value]) => Object.hasOwn(FACTS, name) && FACTS[name](value))
  )
}

/** @param {NodeJS.ProcessEnv} env @returns {Record<string, OwnRow> | undefined} by origin, not yet checked; undefined: the file has no rows as JSON */
function readRows(env) {
  let text
  try {
    text = readFileSync(fileOf(env), 'utf8')
  } catch {
    return {}
  }
  try {
    const rows = JSON.parse(text)
    return isObject(rows) ? rows : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string | undefined} endpoint undefined: the store's default endpoint, whose row is complete
 * @returns {{ own?: Record<string, any>, ownLeftOut?: string }} own: facts as of a row of servers.js; ownLeftOut: the file, if its row for this server is not valid
 */
function ownFactsOf(env, endpoint) {
  if (endpoint === undefined) return {}
  const rows = readRows(env)
  const { origin } = new URL(endpoint)
  if (rows && !Object.hasOwn(rows, origin)) return {}
  if (!isRow(rows?.[origin])) return { ownLeftOut: fileOf(env) }
  const { facts } = /** @type {Record<string, OwnRow>} */ (rows)[origin]
  return { own: { ...facts, ...(facts.keys && { keys: { ...facts.keys, pattern: new RegExp(facts.keys.pattern) } }) } }
}

/** @param {NodeJS.ProcessEnv} env @param {string} endpoint @param {OwnRow} row @returns {string} the file that has it now */
function keepRow(env, endpoint, row) {
  return write(env, { ...readRows(env), [new URL(endpoint).origin]: row })
}

/** @param {NodeJS.ProcessEnv} env @param {string} endpoint @returns {boolean} whether there was a row */
function forgetRow(env, endpoint) {
  const { [new URL(endpoint).origin]: row, ...others } = readRows(env) ?? {}
  if (row) write(env, others)
  return row !== undefined
}

/** @param {NodeJS.ProcessEnv} env @param {Record<string, OwnRow>} rows */
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

module.exports = { PATTERNS, forgetRow, keepRow, ownFactsOf }
