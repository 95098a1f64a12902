'use strict'

/** The clock of the simulation serves the tests as well. */
module.exports = require('../../bench/simulation/clock')
