'use strict'

/** Checks what the library's functions are called with, before anything is asked. No value is quoted: it may be a secret. */

const { isSignal } = require('../async')
const { kindOf, usage } = require('../errors')
const { examples } = require('../stores')
const { checkOptionNames, checkSideOptions, optionsOf, sideOptions } = require('./names')
const { valueTypeOf } = require('./table')

/** @typedef {Parameters<typeof checkOptionNames>[0]} Name */

/** By kind of value: what it has to be, as the end of a sentence. @type {Partial<Record<import('./contract').ValueType, [fits: (value: any) => boolean, what: string]>>} */
const KINDS = {
  switch: [value => typeof value === 'boolean', 'true or false'],
  choice: [isText, 'a string'],
  size: [isAmount, 'a string or a number'],
  rate: [isAmount, 'a string or a number'],
  duration: [isAmount, 'a string or a number'],
  count: [isAmount, 'a string or a number'],
  share: [isAmount, 'a string or a number'],
  date: [isText, 'a string'],
  filter: [
    value => Array.isArray(value) && value.every(isFilter),
    "an array such as [{ exclude: '*' }, { include: '*.jpg' }]",
  ],
  list: [value => [value].flat().every(isText), 'a string or an array of strings'],
  pairs: [isPairs, "an object of strings such as { color: 'blue' }"],
  object: [isObject, 'an object'],
  function: [value => typeof value === 'function', 'a function'],
  signal: [isSignal, 'an AbortSignal'],
}

/**
 * @param {Name} name of the function
 * @param {{ source?: unknown, destination?: unknown, job?: unknown }} places its other arguments
 * @param {unknown} options its last one
 * @param {{ optional?: boolean }} [how] optional: the other arguments may be left out
 * @throws {XferError} USAGE
 */
function checkArguments(name, places, options, { optional = false } = {}) {
  for (const [place, given] of Object.entries(places)) {
    if (typeof given === 'string' || (given === undefined && optional)) continue
    throw badPlace(name, place, given)
  }
  if (!isObject(options)) {
    const known = optionsOf(name).some(spec => spec.name === 'dryRun')
    const advice = `Give an object, such as ${known ? '{ dryRun: true }' : '{ env: process.env }'}, or nothing.`
    throw usage(`${name}: the options are ${kindOf(options)}, not an object.`, advice)
  }
  const given = /** @type {Record<string, any>} */ (options)
  checkKinds(name, '', given, optionsOf(name))
  checkOptionNames(name, given)
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    if (given[side]) checkKinds(name, `${side}.`, given[side], sideOptions(name, side))
  }
  checkSideOptions(places, given)
}

/** @param {Name} name @param {string} within @param {Record<string, any>} given @param {import('./contract').OptionSpec[]} specs */
function checkKinds(name, within, given, specs) {
  for (const spec of specs) {
    const value = given[spec.name]
    const [fits, what] = ((spec.shape === undefined || spec.type) && KINDS[valueTypeOf(spec)]) || []
    if (value === undefined || !fits || fits(value)) continue
    const kind = kindOf(value)
    // Of the right kind, with a wrong one inside it.
    const odd = spec.type === 'pairs' || spec.type === 'filter' ? /^an (array|object)$/.test(kind) : false
    const text = `${name}: the option ${within}${spec.name} is ${odd ? 'not' : `${kind}, not`} ${what}.`
    const controller = what === 'an AbortSignal' && isSignal(value?.signal)
    throw usage(text, controller ? 'Give its signal: controller.signal.' : `Give ${what}, or leave it out.`)
  }
}

/** @param {Name} name @param {string} place @param {unknown} given */
function badPlace(name, place, given) {
  const what = given === undefined ? 'missing' : `${kindOf(given)}, not a string`
  if (place !== 'job') return usage(`${name}: the ${place} is ${what}.`, `Give it as ${examples()}.`)
  const advice = "Give the job's id, or the beginning of it; options follow it as the second argument."
  return usage(`${name}: the name of the job is ${what}.`, advice)
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string'
}

/** @param {unknown} value */
function isAmount(value) {
  return typeof value === 'string' || typeof value === 'number'
}

/** @param {any} value */
function isFilter(value) {
  const names = isObject(value) ? Object.keys(value) : []
  return names.length === 1 && /^(?:in|ex)clude$/.test(names[0]) && isText(value[names[0]])
}

/** An object of texts, or an array of `name=value`. @param {any} value */
function isPairs(value) {
  return (isObject(value) || Array.isArray(value)) && Object.values(value).every(isText)
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

module.exports = { checkArguments }
