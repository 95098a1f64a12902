'use strict'

/** What a job uses, and what that costs. Prices are loaded for those who ask. */

module.exports = require('./usage')
