'use strict'

/** What must not outlive the soak, however it ends: its processes, by their ids, and its folders. */

const { rmSync } = require('node:fs')

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
/** @type {Set<string>} */
const folders = new Set()

/** @template {import('node:child_process').ChildProcess} C @param {C} child @returns {C} the same */
function ownChild(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** @param {string} folder @returns {string} the same */
function ownFolder(folder) {
  folders.add(folder)
  return folder
}

/** @param {string} folder that is gone */
function disownFolder(folder) {
  folders.delete(folder)
}

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

module.exports = { ownChild, ownFolder, disownFolder }
