'use strict'

/**
 * One metric as a text for Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * @param {string} name a counter ends in `_total`
 * @param {string} help
 * @param {Array<[value: number, labels?: Record<string, string | number>]>} values
 */
function metricText(name, help, values) {
  const type = name.endsWith('_total') ? 'counter' : 'gauge'
  const lines = values.map(([value, labels = {}]) => `${name}${labelsText(labels)} ${value}\n`)
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...lines].join('')
}

/** @param {Record<string, string | number>} labels */
function labelsText(labels) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${String(value).replace(/["\\\n]/g, '_')}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

module.exports = { labelsText, metricText }
