'use strict'

/**
 * What an answer says, by the rule of its store: of its object, of its checksums, and why a request was refused. Each
 * file is loaded on first use, because the program needs few.
 */

module.exports = {
  get bareEtag() {
    return require('./headers').bareEtag
  },
  get describing() {
    return require('./description').describing
  },
  get headerIn() {
    return require('./headers').headerIn
  },
  get isAs() {
    return require('./description').isAs
  },
  get rulesError() {
    return require('./rule').rulesError
  },
  get readBody() {
    return require('./refusal').readBody
  },
  get refusal() {
    return require('./refusal').refusal
  },
  get sumsIn() {
    return require('./headers').sumsIn
  },
  get ruleNamed() {
    return require('./rule').ruleNamed
  },
  get reportedHeaders() {
    return require('./description').reportedHeaders
  },
  get unlessLong() {
    return require('./description').unlessLong
  },
}
