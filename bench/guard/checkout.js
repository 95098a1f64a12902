'use strict'

/** An earlier commit beside this one: a working tree of its own, with the packages that it asks for. */

const { execFile } = require('node:child_process')
const { readFileSync, symlinkSync } = require('node:fs')
const { join } = require('node:path')
const { promisify } = require('node:util')

const run = promisify(execFile)
const ROOT = join(__dirname, '..', '..')
const git = (/** @type {string[]} */ ...args) => run('git', ['-C', ROOT, ...args])

/**
 * @param {string} name of a commit, as git reads it
 * @returns {Promise<string>} its id
 * @throws {Error} with `usage` if there is no such commit
 */
async function findCommit(name) {
  try {
    const { stdout } = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
    return stdout.trim()
  } catch {
    throw Object.assign(new Error(`--guard: there is no commit "${name}".`), { usage: true })
  }
}

/**
 * @param {string} commit
 * @param {string} folder that does not exist yet
 * @param {AbortSignal} signal
 * @returns {Promise<() => Promise<void>>} removes it
 */
async function checkOut(commit, folder, signal) {
  const remove = async () => {
    await git('worktree', 'remove', '--force', folder)
  }
  await git('worktree', 'add', '--detach', folder, commit)
  try {
    if (samePackages(folder)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    else await run('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, signal })
    return remove
  } catch (error) {
    await remove()
    throw error
  }
}

/** @param {string} folder */
function samePackages(folder) {
  const [ours, theirs] = [ROOT, folder].map(root => readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return ours === theirs
}

module.exports = { checkOut, findCommit }
