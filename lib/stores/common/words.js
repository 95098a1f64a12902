'use strict'

/**
 * What stores say in the same words, in messages, and names of containers, held against the rules of their store. Pure.
 */

/**
 * The words that stores with an address have in common (`StoreTerms` of the contract).
 *
 * @param {'source' | 'destination'} side
 * @param {string | null | undefined} endpointFrom what sets the endpoint, such as an option; null: nothing does; undefined: not known yet
 * @param {{ ways: string, checks: string, usual?: string, unsigned?: boolean }} how ways: to give credentials, a sentence without its end;
 *   checks: what to check if the settings lead to another store than before; usual: what the store is where nothing sets its endpoint;
 *   unsigned: requests are not signed, because the options say so
 */
function termsOfSide(side, endpointFrom, { ways, checks, usual, unsigned = false }) {
  const option = side === 'source' ? '--source' : '--dest'
  const endpoint = `${option}-endpoint-url`
  const unset = endpointFrom === null && usual ? `${endpoint} (not set: the store is ${usual})` : endpoint
  return {
    endpoint,
    endpointInUse: endpointFrom ? `the endpoint (set by ${endpointFrom})` : unset,
    credentialsAdvice: `${ways}${side === 'source' ? ', or read a public object with --source-no-sign-request' : ''}.`,
    settingsAdvice: `Check ${checks}, or give the endpoints with --source-endpoint-url and --dest-endpoint-url.`,
    ...(unsigned && {
      accessAdvice: `The request was not signed, because of ${option}-no-sign-request; leave that out to read with credentials.`,
    }),
  }
}

/** Shortens a text for messages: keys may be long. @param {string} text */
function brief(text) {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** The same in quotes. @param {string} text */
function quoted(text) {
  return JSON.stringify(brief(text))
}

/**
 * A name breaks the rule if it fits `breaks`. says: to follow `the name`; follows: a clause, what comes of it; allowed: the store creates
 * it all the same.
 *
 * @typedef {{ breaks: RegExp, says: string, follows?: string, allowed?: true }} NameRule
 */

/**
 * @param {string} name
 * @param {NameRule[]} rules
 * @param {{ binding?: boolean }} [how] binding: whether the store refuses a name that breaks one
 * @returns {import('../contract').NameFault[]}
 */
function nameFaults(name, rules, { binding = true } = {}) {
  const broken = rules.filter(({ breaks }) => breaks.test(name))
  return broken.map(({ says, follows, allowed }) => ({ says, follows, refused: binding && !allowed }))
}

/** @param {import('../contract').NameFault[]} faults @returns {string} to follow `the name` */
function nameFaultsText(faults) {
  return faults.map(({ says, follows }) => (follows === undefined ? says : `${says} (${follows})`)).join(', and ')
}

/** @param {string} name that its store cannot have @param {NameRule[]} rules @returns {string} the end of the sentence that says so */
function nameAdvice(name, rules) {
  const refused = nameFaults(name, rules).filter(fault => fault.refused)
  return refused.length === 0 ? '' : `: it ${refused.map(({ says }) => says).join(', and ')}`
}

module.exports = {
  brief,
  nameAdvice,
  nameFaults,
  nameFaultsText,
  quoted,
  termsOfSide,
}
