#!/usr/bin/env node
'use strict'

/**
 * `npm run bench`: runs the chosen cases, stores their raw numbers, and writes the report from all stored numbers. See
 * README.md in this folder. Ends with 1 if a case or a client failed; the others are measured all the same.
 */

const { mkdtempSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const { findProgram } = require('../sandbox/peers')
const { CASES } = require('./cases')
const { commitOf, describeMachine, versionsOf } = require('./machine')
const { readOptions, usageOf } = require('./options')
const { keep, render, writeReport } = require('./results')

const OUT = join(__dirname, 'RESULTS.md')

/** @param {string} line */
const say = line => process.stderr.write(`${line}\n`)

/**
 * @param {import('./cases').Case} one
 * @param {import('./options').Options} options
 * @param {AbortSignal} signal
 * @returns {Promise<import('./results').Findings | undefined>} undefined if it could not be measured
 */
async function runCase(one, { runs, bytes, quick, scratch }, signal) {
  const absent = (one.needs ?? []).filter(program => findProgram(program) === undefined)
  if (absent.length > 0) return void say(`left out: ${one.name}, for ${absent.join(' and ')} is not installed`)
  say(`\n${one.name}: ${one.title}`)
  const home = mkdtempSync(join(scratch, 'xfer-bench-'))
  try {
    const { rows, leftOut = [], facts = {} } = await one.run({ runs, bytes, quick, home, signal, say })
    for (const what of leftOut) say(`left out: ${what}`)
    return {
      case: one.name,
      date: new Date().toISOString(),
      commit: commitOf(),
      command: commandOf(process.argv.slice(2)),
      machine: describeMachine(),
      versions: versionsOf(one.programs),
      runs,
      quick,
      rows,
      leftOut,
      facts,
    }
  } catch (error) {
    if (signal.aborted) throw error
    process.exitCode = 1
    return void say(`${one.name} failed: ${/** @type {Error} */ (error).message}`)
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Removes this machine's paths, which do not interest readers of the report. @param {string[]} args */
function commandOf(args) {
  const shown = args.filter(
    (word, i) => !/^--(?:out|scratch)(?:=|$)/.test(word) && !['--out', '--scratch'].includes(args[i - 1]),
  )
  return shown.length > 0 ? `npm run bench -- ${shown.join(' ')}` : 'npm run bench'
}

/** @param {AbortSignal} signal */
async function main(signal) {
  const options = readOptions(process.argv.slice(2), CASES)
  if (options.help) return void process.stdout.write(`${usageOf(CASES)}\n`)
  if (options.guard !== undefined) {
    const { guard } = require('./guard')
    const print = (/** @type {string} */ text) => void process.stdout.write(text)
    if (!(await guard({ ...options, base: options.guard }, { signal, say, print }))) process.exitCode = 1
    return
  }
  const out = options.out ?? (options.quick ? undefined : OUT)
  const all = []
  for (const one of options.render ? [] : options.cases) {
    const findings = await runCase(one, options, signal)
    if (!findings) continue
    if (findings.rows.some(({ failed }) => failed)) process.exitCode = 1
    all.push(findings)
    // Written after each case, because a later one may be interrupted.
    if (out) keep(out, findings)
    if (out) writeReport(out, CASES)
  }
  if (options.render && out) writeReport(out, CASES)
  process.stdout.write(out ? `Written to ${out}\n` : render(all, CASES))
}

const interrupt = new AbortController()
const stop = () => interrupt.abort(new Error('Interrupted.'))
process.on('SIGINT', stop).on('SIGTERM', stop)

main(interrupt.signal).catch(error => {
  const text = error.usage
    ? `${error.message}\n${usageOf(CASES)}`
    : interrupt.signal.aborted
      ? 'Interrupted.'
      : error.stack
  process.stderr.write(`${text}\n`)
  process.exitCode = error.usage ? 2 : interrupt.signal.aborted ? 130 : 1
})
