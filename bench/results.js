'use strict'

/**
 * Stores raw results, one JSON file per case, so that one RESULTS.md can have cases of different runs. RESULTS.md is written
 * from these files alone.
 */

const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const { markdownTable, size } = require('./report')

/**
 * @typedef {object} Findings
 * @property {string} case
 * @property {string} date ISO 8601
 * @property {string} commit
 * @property {string} command
 * @property {import('./machine').Machine} machine
 * @property {Record<string, string>} versions
 * @property {number} runs
 * @property {boolean} quick
 * @property {import('./rounds').Row[]} rows
 * @property {string[]} leftOut what, and why
 * @property {Record<string, any>} facts other results of the case
 */

const INTRODUCTION = `# What xfer costs, beside others

Written by \`npm run bench\` from the raw numbers in \`results/\`; do not edit. [README.md](README.md) says how it is
measured. All figures are of the runs named, on the machine named: medians of runs that took turns (A B A B) after one
each to warm up. What is claimed are ratios between contestants of one run; seconds are there to be compared with each
other, not with another machine's. GB are 10^9 bytes. CPU and memory are those of all of a client's processes.
`

/** @param {string} out the report's file */
const folderOf = out => join(dirname(out), 'results')

/** @param {string} out @param {Findings} findings */
function keep(out, findings) {
  mkdirSync(folderOf(out), { recursive: true })
  writeFileSync(join(folderOf(out), `${findings.case}.json`), `${JSON.stringify(findings, undefined, 1)}\n`)
}

/** @param {string} out @returns {Findings[]} of all cases that were ever kept */
function readAll(out) {
  mkdirSync(folderOf(out), { recursive: true })
  const files = readdirSync(folderOf(out)).filter(name => name.endsWith('.json'))
  return files.map(name => JSON.parse(readFileSync(join(folderOf(out), name), 'utf8')))
}

/**
 * @param {Findings[]} all
 * @param {import('./cases').Case[]} cases in the order of the report
 * @returns {string} Markdown
 */
function render(all, cases) {
  const sections = cases.flatMap(one => {
    const findings = all.find(({ case: name }) => name === one.name)
    return findings ? [{ one, findings, section: one.tell(findings) }] : []
  })
  const absent = cases.filter(({ name }) => !sections.some(({ one }) => one.name === name))
  const claims = sections.flatMap(({ one, section }) =>
    section.claims.map(({ figure, asked, found, met }) => [figure, asked, found, met ? 'met' : '**missed**', one.name]),
  )
  const missing = absent.length > 0 ? `\nNot measured here: ${absent.map(({ name }) => name).join(', ')}.\n` : ''
  return [
    INTRODUCTION,
    '## What was asked for\n',
    `${markdownTable({ head: ['figure', 'asked', 'found', '', 'case'], rows: claims })}\n${missing}`,
    ...settingsOf(sections.map(({ findings }) => findings)),
    ...sections.map(({ one, findings, section }) => renderCase(one, findings, section)),
  ].join('\n')
}

/** The clients' settings, without duplicates. @param {Findings[]} all */
function settingsOf(all) {
  const said = all.flatMap(({ rows }) => rows.flatMap(({ name, settings }) => (settings ? [[name, settings]] : [])))
  const rows = [...new Map(said.map(row => [row[0], row])).values()]
  return rows.length > 0 ? ['## The contestants\n', `${markdownTable({ head: ['client', 'settings'], rows })}\n`] : []
}

/** @param {import('./cases').Case} one @param {Findings} findings @param {import('./report').Section} section */
function renderCase({ name, title, about }, findings, { tables, remarks = [] }) {
  const { date, commit, machine, versions, runs, quick, command, leftOut, facts } = findings
  const programs = Object.entries(versions).map(([program, version]) => `${program} ${version}`)
  const where = `${machine.cores} cores of ${machine.cpu}, ${machine.memory}, ${machine.system}`
  const times = `${runs === 1 ? 'one run' : `${runs} runs`}${quick ? ' of the small sizes of `--quick`' : ''}`
  const moved = facts.bytes === undefined ? '' : ` ${size(facts.bytes)}.`
  return [
    `## ${title}\n`,
    `${wrapped(`${about}${moved}`)}\n`,
    ...tables.map(table => `${markdownTable(table)}\n`),
    ...[...remarks, ...leftOut.map(what => `Left out: ${what}.`)].map(line => `${wrapped(line)}\n`),
    `${wrapped(
      `\`${command}\` · case \`${name}\`, ${times}, ${date.slice(0, 10)}, commit ${commit} · ${where} · ${programs.join(', ')}`,
    )}\n`,
  ].join('\n')
}

/** @param {string} text @returns {string} in lines of at most 120 characters */
const wrapped = text => text.replace(/(?=.{121})(.{1,120}) /g, '$1\n')

/** @param {string} out @param {import('./cases').Case[]} cases @returns {string} */
function writeReport(out, cases) {
  const earlier = join(folderOf(out), 'earlier.md')
  const text = render(readAll(out), cases) + (existsSync(earlier) ? `\n${readFileSync(earlier, 'utf8')}` : '')
  writeFileSync(out, text)
  return `${text.split('\n').length} lines in ${basename(out)}`
}

module.exports = { keep, render, writeReport }
