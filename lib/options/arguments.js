'use strict'

/** Checks what the library's functions are called with, before anything is asked. No value is quoted: it may be a secret. */

const { isDate } = require('node:util').types
const { isSignal } = require('../async')
const { XferError, kindOf } = require('../errors')
const { examples } = require('../stores')
const { checkOptionNames, checkSideOptions, optionsOf, sideOptions } = require('./names')
const { libraryOptions, valueTypeOf } = require('./table')

/** @typedef {Parameters<typeof checkOptionNames>[0]} Name */

const JOB = 'name of the job'

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
    throw place === 'job' ? badJob(name, given) : badPlace(name, place, given)
  }
  if (!isObject(options)) {
    const known = optionsOf(name, libraryOptions()).some(spec => spec.name === 'dryRun')
    const advice = `Give an object, such as ${known ? '{ dryRun: true }' : '{ env: process.env }'}, or nothing.`
    throw new XferError('USAGE', { text: `${name}: the options are ${kindOf(options)}, not an object.`, advice })
  }
  const given = /** @type {Record<string, any>} */ (options)
  checkKinds(name, '', given, optionsOf(name, libraryOptions()))
  checkOptionNames(name, given)
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    if (given[side]) checkKinds(name, `${side}.`, given[side], sideOptions(name, side, libraryOptions()))
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
    if (spec.type === 'filter' && Array.isArray(value)) throw badFilter(name, value)
    // Of the right kind, with a wrong one inside it.
    const odd = spec.type === 'pairs' && /^an (array|object)$/.test(kind)
    const text = `${name}: the option ${within}${spec.name} is ${odd ? 'not' : `${kind}, not`} ${what}.`
    const ofDate = isDate(value) && what === 'a string' ? 'its text, date.toISOString()' : undefined
    const controller = what === 'an AbortSignal' && isSignal(value?.signal)
    throw new XferError('USAGE', {
      text,
      advice: controller ? 'Give its signal: controller.signal.' : `Give ${ofDate ?? what}, or leave it out.`,
    })
  }
}

/** @param {Name} name @param {unknown[]} given an array of which one element is no filter */
function badFilter(name, given) {
  const at = given.findIndex(one => !isFilter(one))
  const one = /** @type {any} */ (given[at])
  const both = isObject(one) && 'include' in one && 'exclude' in one
  const is = both ? 'has both include and exclude' : `is ${kindOf(one)}, not { include } or { exclude } with a string`
  const advice = "Give one of them in each: [{ exclude: '*' }, { include: '*.jpg' }]; the last that matches decides."
  return new XferError('USAGE', { text: `${name}: the option filters[${at}] ${is}.`, advice })
}

/** @param {Name} name @param {unknown} given */
function badJob(name, given) {
  const text =
    given === undefined ? `${name}: the ${JOB} is missing.` : `${name}: the ${JOB} is ${kindOf(given)}, not a string.`
  const advice = "Give the job's id, or the beginning of it; options follow it as the second argument."
  return new XferError('USAGE', { text, advice })
}

/** @param {Name} name @param {string} place @param {unknown} given */
function badPlace(name, place, given) {
  if (given instanceof URL) {
    const text = `${name}: the ${place} is a URL object, which percent-encodes keys and resolves their dots.`
    return new XferError('USAGE', { text, advice: `Give a string: ${textOf(given)}` })
  }
  const what = given === undefined ? 'missing' : `${kindOf(given)}, not a string`
  return new XferError('USAGE', { text: `${name}: the ${place} is ${what}.`, advice: `Give it as ${examples()}.` })
}

/** The string that was probably meant, without a password. @param {URL} url */
function textOf({ protocol, username, password, host, pathname, search, hash }) {
  if (/^https?:$/.test(protocol)) return `${examples()}.`
  const profile = username && !password ? `${username}@` : ''
  return `'${protocol}//${profile}${host}${decoded(pathname + search + hash)}'.`
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
