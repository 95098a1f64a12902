'use strict'

/** The report as one HTML file that requests nothing: what is shown, and what draws it, stand in it. */

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { version } = require('../../package.json')

/** @param {string} file */
const read = file => readFileSync(file, 'utf8')
/** @param {string} name */
const own = name => read(join(__dirname, 'page', name))
/** For the Content-Security-Policy: https://www.w3.org/TR/CSP3/#grammardef-hash-source @param {string} text */
const hashOf = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * @param {object} data of a collector
 * @param {{ live?: boolean, watches?: boolean }} [how] live: the page asks the server that it comes from; watches: which ends only the
 *   watching
 * @returns {string} HTML
 */
function pageOf(data, { live = false, watches = false } = {}) {
  const styles = read(require.resolve('uplot/dist/uPlot.min.css')) + own('page.css')
  // The words of numbers are those of the command line.
  const format = `const format = (() => { const module = {}; ${read(join(__dirname, '..', 'format.js'))}\nreturn module.exports })()`
  const scripts = [
    read(require.resolve('uplot/dist/uPlot.iife.min.js')),
    format,
    ...['charts.js', 'draw.js'].map(own),
  ].join('\n;')
  const policy = [
    "default-src 'none'; base-uri 'none'; form-action 'none'",
    `style-src ${hashOf(styles)}`,
    `script-src ${hashOf(scripts)}`,
    ...(live ? ["connect-src 'self'"] : []),
  ].join('; ')
  /** @type {Record<string, string>} */
  const filled = {
    policy,
    version,
    live: String(live),
    stop: watches ? 'Stop watching' : 'Stop',
    asks: live ? 'This page asks only the xfer that serves it' : 'This page requests nothing from anywhere',
    styles: `<style>${styles}</style>`,
    scripts: `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n<script>${scripts}</script>`,
  }
  return own('page.html').replace(/%(\w+)%|<!--(\w+)-->/g, (_, word, element) => filled[word ?? element])
}

module.exports = { pageOf }
