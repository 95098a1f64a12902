'use strict'

/** Describes what the figures were measured on: the machine, the commit, the versions of all programs. */

const { execFileSync, spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const os = require('node:os')
const { join } = require('node:path')
const { findProgram } = require('../sandbox/peers')

const ROOT = join(__dirname, '..')

/** @typedef {{ cpu: string, cores: number, memory: string, system: string }} Machine */

/** Go modules by program: a Go binary has its module's version, even if it reports only a development version. */
const MODULES = {
  rclone: 'github.com/rclone/rclone',
  mc: 'github.com/minio/mc',
  versitygw: 'github.com/versity/versitygw',
  minio: 'github.com/minio/minio',
  s5cmd: 'github.com/peak/s5cmd/v2',
}

/** @returns {Machine} */
function describeMachine() {
  const [release] = os.release().match(/^\d+\.\d+/) ?? ['']
  return {
    cpu: os.cpus()[0]?.model.trim() ?? os.arch(),
    cores: os.availableParallelism(),
    memory: `${(os.totalmem() / 1024 ** 3).toFixed(0)} GiB of memory`,
    system: `${os.type()} ${release}`,
  }
}

/** @param {string[]} programs @returns {Record<string, string>} of those that are there, and Node's */
function versionsOf(programs) {
  const there = programs.flatMap(name => {
    const path = findProgram(name)
    return path ? [[name, versionOf(name, path)]] : []
  })
  return { 'Node.js': process.versions.node, ...Object.fromEntries(there) }
}

/** @param {string} name @param {string} path */
function versionOf(name, path) {
  const module = MODULES[/** @type {keyof typeof MODULES} */ (name)]
  if (module) {
    const program = readFileSync(path)
    const at = program.indexOf(`\nmod\t${module}\t`)
    const [, version] = /\tv(\S+)/.exec(at < 0 ? '' : program.toString('latin1', at, at + 200)) ?? []
    if (version) return version
  }
  const { stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return /\d+(?:\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'of unknown version'
}

/** @returns {string} the short hash of the commit, and whether there are changes; `unknown` outside a clone */
function commitOf() {
  try {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim()
    const changed = git('status', '--porcelain', '--', ':!bench/results', ':!bench/RESULTS.md')
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' and changes' : ''}`
  } catch {
    return 'unknown'
  }
}

module.exports = { commitOf, describeMachine, versionsOf }
