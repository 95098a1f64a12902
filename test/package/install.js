'use strict'

/** The package, packed and installed in a folder of its own, as its users have it. */

const { execFile } = require('node:child_process')
const { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { promisify } = require('node:util')

const ROOT = join(__dirname, '..', '..')
const run = promisify(execFile)

/**
 * The packages are those of our own lock file, so that npm finds them in its cache, where `npm ci` put them, and asks nobody
 * for newer ones.
 *
 * @param {string} archive
 */
function lockFor(archive) {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const { '': own, ...others } = packages
  const { version, dependencies, bin, engines } = own
  const published = Object.entries(others).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  const root = { name: 'consumer', dependencies: { xfer: `file:${archive}` } }
  const xfer = { version, resolved: `file:${archive}`, dependencies, bin, engines }
  const installed = { '': root, 'node_modules/xfer': xfer, ...Object.fromEntries(published) }
  return { ...root, lockfileVersion: 3, packages: installed }
}

/** @returns {Promise<{ folder: string, close: () => void }>} a folder with the package in its node_modules */
async function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-package-'))
  const npm = (/** @type {string[]} */ ...args) =>
    run('npm', [...args, '--loglevel', 'error'], { cwd: folder, shell: process.platform === 'win32' })
  const { stdout } = await npm('pack', ROOT, '--json', '--ignore-scripts')
  const [{ filename }] = JSON.parse(stdout)
  const { lockfileVersion, packages, ...manifest } = lockFor(filename)
  const { name } = manifest
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, private: true }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name, lockfileVersion, packages }))
  await npm('ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund')
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Gives the folder packages of ours that programs in TypeScript have. @param {string} folder @param {...string} names */
function lend(folder, ...names) {
  for (const name of names) {
    const to = join(folder, 'node_modules', name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), to, 'junction')
  }
}

/** Writes files into the folder. @param {string} folder @param {Record<string, string>} files by name */
function write(folder, files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** @param {string} from @param {string} folder */
const copyInto = (from, folder) => cpSync(from, folder, { recursive: true })

module.exports = { copyInto, installPackage, lend, run, write }
