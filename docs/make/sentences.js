'use strict'

/**
 * The sentences of a row of the error table, for readers: where the row puts a fact, the page has the fact's name in
 * braces, such as `The {side} failed`.
 */

/**
 * A fact that is there: a string with its own name in braces, whose own facts are such strings too (`objects.failed`).
 *
 * @param {string} name
 * @returns {any}
 */
function placeholder(name) {
  const text = new String(`{${name}}`)
  return new Proxy(text, {
    get(target, key) {
      if (key === 'toJSON') return () => String(target)
      const value = Reflect.get(target, key)
      if (typeof value === 'function') return value.bind(target)
      return value === undefined && typeof key === 'string' ? placeholder(key) : value
    },
  })
}

/**
 * @param {Set<string>} read is told the names of the facts that are read
 * @param {Set<string>} absent the names of facts that are not there
 * @param {Record<string, any>} known facts that are always there, with their values
 * @returns {Record<string, any>}
 */
function factsWithout(read, absent, known) {
  return new Proxy(/** @type {Record<string, any>} */ ({}), {
    get(_, key) {
      if (typeof key !== 'string') return undefined
      if (Object.hasOwn(known, key)) return known[key]
      read.add(key)
      return absent.has(key) ? undefined : placeholder(key)
    },
  })
}

/**
 * Every form of a sentence: the one with all facts, and those in which a fact is missing, and then what is asked for in its stead. A form that only leaves out
 * words of another one is not listed, nor one that is a fact alone, where there is another.
 *
 * @param {(facts: Record<string, any>) => string | undefined} sentence
 * @param {Record<string, any>} [known] facts that are always there, with their values
 * @returns {string[]} never empty
 */
function formsOf(sentence, known = {}) {
  /** @type {string[]} */
  const forms = []
  /** @type {Set<string>} */
  const tried = new Set()
  /** @param {string[]} absent */
  const visit = absent => {
    /** @type {Set<string>} */
    const read = new Set()
    const text = textOf(sentence, factsWithout(read, new Set(absent), known))
    if (text !== undefined && !forms.some(form => isPartOf(text, form))) forms.push(text)
    const more = [...read].filter(name => !tried.has(name))
    for (const name of more) tried.add(name)
    for (const name of more) visit([...absent, name])
  }
  visit([])
  const own = forms.filter(form => !/^\{\w+\}$/.test(form))
  return own.length > 0 ? own : forms
}

/**
 * @param {(facts: Record<string, any>) => string | undefined} sentence
 * @param {Record<string, any>} facts
 * @returns {string | undefined} undefined if the sentence needs a fact that is not there
 */
function textOf(sentence, facts) {
  try {
    const text = String(sentence(facts))
    // A row may begin its sentence with the fact.
    return /undefined/i.test(text) ? undefined : text.replaceAll('NaN', '{n}')
  } catch {
    return undefined
  }
}

/** Whether `part` is `whole` with one piece left out. @param {string} part @param {string} whole */
function isPartOf(part, whole) {
  if (part.length > whole.length) return false
  let same = 0
  while (same < part.length && part[same] === whole[same]) same += 1
  return whole.endsWith(part.slice(same))
}

module.exports = { formsOf }
