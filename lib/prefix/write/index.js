'use strict'

/** Writes the objects of a prefix. */

const { createObjects } = require('./objects')
const { createWays } = require('./ways')

module.exports = { createObjects, createWays }
