#!/usr/bin/env node
'use strict'

/** The process of the program: its arguments, its streams and its end. What it does is in main.js. */

require('./compile-cache').keepCompiled(process.env)
const { main } = require('./main')

let outputFailed = false

/** Ends the process when all output is written: a pipe may still hold some. @param {number} status */
function end(status) {
  process.exitCode = status
  process.stdout.write('', () =>
    process.stderr.write('', () => process.exit(outputFailed && status === 0 ? 1 : status)),
  )
}

/** @param {number} status */
function leave(status) {
  process.exit(status)
}

/**
 * Lets the copy continue if the reader of our output stops reading, or the disk is full. Lost output is reported on
 * standard error, except after EPIPE.
 */
function surviveOutput() {
  process.stdout.on('error', error => {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'EPIPE' || outputFailed) return
    process.stderr.write(
      `xfer: Standard output cannot be written (${code ?? message}).\n      Check where it is redirected to.\n`,
    )
    outputFailed = true
    process.exitCode ||= 1
  })
  process.stderr.on('error', () => {})
}

surviveOutput()
main(process.argv.slice(2), { out: process.stdout, err: process.stderr, env: process.env, end, leave })
