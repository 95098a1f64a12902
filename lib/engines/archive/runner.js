'use strict'

/** The files of the runner: this package and what it needs at run time, the same for every platform. */

const { readFile } = require('node:fs/promises')
const { dirname, join } = require('node:path')
const { readFolder } = require('./files')

const PACKAGE = join(__dirname, '..', '..', '..')
/** What of the package a runner loads. */
const FOLDERS = ['actions', 'lib']
/** Of the command line, and of pages that nobody sees there. */
const NOT_NEEDED = new Set(['commander', 'uplot'])
/** Types, maps, texts, and what is there a second time for bundlers. */
const LEFT_OUT =
  /\.(?:map|md|markdown|d\.ts|d\.mts|d\.cts|ts|flow|tsbuildinfo)$|^(?:dist-es|dist-types|test|tests|docs?|example|examples|\.github)\/|(?:^|\/)(?:CHANGELOG|README|AUTHORS)[^/]*$/i

/** @returns {Promise<import('./files').ArchivedFiles>} sorted by name */
async function runnerFiles() {
  const { name, version, dependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  /** @type {import('./files').ArchivedFiles} */
  const files = {}
  for (const folder of FOLDERS) await add(files, join(PACKAGE, folder), folder)
  const main = 'lib/runner/function.js'
  files['package.json'] = Buffer.from(JSON.stringify({ name, version, main }))
  const needed = Object.keys(dependencies).filter(one => !NOT_NEEDED.has(one))
  await addPackages(files, needed, PACKAGE, 'node_modules')
  return Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Packages as they lie beside each other, each with those that it needs and that are not above it.
 *
 * @param {import('./files').ArchivedFiles} files changed
 * @param {string[]} names
 * @param {string} from folder of the package that needs them
 * @param {string} at where its own packages go in the archive
 */
async function addPackages(files, names, from, at) {
  for (const name of names) {
    const folder = await folderOf(name, from)
    // One that is optional may not be installed.
    if (folder === undefined) continue
    // A package that lies in that of another is its own version.
    const inner = folder.startsWith(join(from, 'node_modules')) ? at : 'node_modules'
    const to = `${inner}/${name}`
    if (`${to}/package.json` in files) continue
    await add(files, folder, to)
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    await addPackages(files, Object.keys(dependencies), folder, `${to}/node_modules`)
  }
}

/** Where Node.js would find the package. @param {string} name @param {string} from @returns {Promise<string | undefined>} */
async function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    const text = await readFile(join(found, 'package.json')).catch(() => undefined)
    if (text) return found
    if (dirname(folder) === folder) return undefined
  }
}

/** @param {import('./files').ArchivedFiles} files changed @param {string} folder @param {string} to */
async function add(files, folder, to) {
  const found = await readFolder(folder)
  for (const [name, bytes] of Object.entries(found)) {
    if (!name.startsWith('node_modules/') && !LEFT_OUT.test(name)) files[`${to}/${name}`] = bytes
  }
}

module.exports = { runnerFiles }
