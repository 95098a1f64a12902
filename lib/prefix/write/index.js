'use strict'

/** The objects of a prefix, written. */

const { createObjects } = require('./objects')
const { createWays } = require('./ways')

module.exports = { createObjects, createWays }
