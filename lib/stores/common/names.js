'use strict'

/** Names of containers, held against the rules of their store. A rule is data. Pure. */

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

module.exports = { nameAdvice, nameFaults, nameFaultsText }
