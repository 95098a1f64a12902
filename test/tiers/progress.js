'use strict'

/** A reporter for jest: what runs and how long it takes, how far it is, and each failure as soon as its file ends. */

const { relative } = require('node:path')
const { clearScreenDown, cursorTo } = require('node:readline')

/** How often a terminal's line is written again, and how often there is a line where none can be. */
const REWRITE_MS = 1_000
const LINE_MS = 15_000

/** @param {number} ms */
function formatElapsed(ms) {
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** @param {number} count */
const formatFiles = count => `${count} test file${count === 1 ? '' : 's'}`

/** What a test file printed. @param {Array<{ message: string, type: string }>} [entries] */
const formatConsole = (entries = []) => entries.map(({ type, message }) => `console.${type}: ${message}\n`).join('')

/**
 * Jest calls it with `new`. https://jestjs.io/docs/configuration#custom-reporters
 *
 * @param {{ rootDir: string, nonFlagArgs: string[], testNamePattern?: string, onlyFailures: boolean }} run
 * @param {{ takes: string, lineMs?: number }} options takes: how long all files take, in words
 */
module.exports = function createProgress({ rootDir, nonFlagArgs, testNamePattern, onlyFailures }, options) {
  const out = process.stderr
  const rewrites = out.isTTY && process.env.TERM !== 'dumb'
  const takesAll = nonFlagArgs.length === 0 && !testNamePattern && !onlyFailures
  let startedMs = 0
  let timer
  let total = 0
  let done = 0
  let failed = 0

  const describe = () =>
    `${done} of ${formatFiles(total)}, ${formatElapsed(Date.now() - startedMs)}${failed > 0 ? `, ${failed} failed` : ''}`

  /** Leaves the cursor where the line begins: whatever else is printed takes its place. */
  function rewrite() {
    clear()
    out.write(describe().slice(0, out.columns || 80))
    cursorTo(out, 0)
  }
  function clear() {
    if (rewrites) clearScreenDown(out)
  }

  return {
    /** @param {any} all */
    onRunStart({ numTotalTestSuites }) {
      total = numTotalTestSuites
      startedMs = Date.now()
      out.write(`Running ${formatFiles(total)}${takesAll ? `: ${options.takes}` : ''}.\n`)
      if (rewrites) rewrite()
      timer = rewrites
        ? setInterval(rewrite, REWRITE_MS)
        : setInterval(() => out.write(`${describe()}\n`), options.lineMs ?? LINE_MS)
    },

    /** @param {any} test @param {any} result of its file */
    onTestResult({ path }, result) {
      done++
      if (result.failureMessage) {
        failed++
        clear()
        out.write(`FAIL ${relative(rootDir, path)}\n${result.failureMessage}\n${formatConsole(result.console)}`)
      }
      if (rewrites) rewrite()
    },

    onRunComplete() {
      clearInterval(timer)
      clear()
    },
  }
}
