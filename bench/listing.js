#!/usr/bin/env node
'use strict'

/**
 * Measures the memory and time to list two sides and to compare them, name by name. The keys are generated while they are
 * listed, so that there can be any number.
 *
 *     node bench/listing.js [--keys 10000000] [--shape numbers …] [--lists 16] [--latency 20]
 *     node bench/listing.js --http --keys 500000
 */

const { execFileSync } = require('node:child_process')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { parseCount } = require('../lib/options')
const { SHAPES } = require('./listing/shapes')

const USAGE = `Usage: node bench/listing.js [options]
  --keys N       on each side; one of a thousand is missing there (10000000, with --http 200000)
  --shape NAME   of ${Object.keys(SHAPES).join(', ')}; may be given several times (all)
  --lists N      ranges at once, at most (16)
  --latency MS   that each page takes to come (0)
  --http         over HTTP, with the store that xfer has for S3; without it nothing but the listing is measured`

/** @param {string} text @param {string} name @param {number} least */
const count = (text, name, least = 1) => parseCount(text, name, { least, most: 1e9 })

function main() {
  const { values } = parseArgs({
    options: {
      keys: { type: 'string' },
      shape: { type: 'string', multiple: true, default: Object.keys(SHAPES) },
      lists: { type: 'string', default: '16' },
      latency: { type: 'string', default: '0' },
      http: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const unknown = values.shape.find(name => !Object.hasOwn(SHAPES, name))
  if (unknown !== undefined) throw Object.assign(new Error(`There is no shape "${unknown}".`), { code: 'USAGE' })
  const how = {
    count: count(values.keys ?? (values.http ? '200000' : '10000000'), '--keys'),
    lists: count(values.lists, '--lists'),
    latencyMs: count(values.latency, '--latency', 0),
    http: values.http,
  }
  process.stdout.write(
    '| keys a side | shape | right | requests | ranges | seconds | CPU seconds | peak memory |\n' +
      '| --- | --- | --- | --- | --- | --- | --- | --- |\n',
  )
  for (const shape of values.shape) {
    const walker = [join(__dirname, 'listing', 'walker.js'), JSON.stringify({ ...how, shape })]
    const result = JSON.parse(execFileSync(process.execPath, walker, { encoding: 'utf8' }))
    const { right, requests, ranges, seconds, cpuSeconds, peakMB } = result
    const cells = [
      ...[
        how.count.toLocaleString('en-US'),
        shape,
        right ? 'yes' : `no: ${JSON.stringify(result.found)}`,
        requests,
        ranges,
      ],
      ...[seconds.toFixed(1), cpuSeconds.toFixed(1), `${peakMB.toFixed(0)} MB`],
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
    if (!right) process.exitCode = 1
  }
}

try {
  main()
} catch (cause) {
  const error = /** @type {Error & { code?: string }} */ (cause)
  const usage = error.code === 'USAGE' || String(error.code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`${usage ? `${error.message}\n${USAGE}` : error.stack}\n`)
  process.exitCode = usage ? 2 : 1
}
