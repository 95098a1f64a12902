'use strict'

/** Writes the objects of a prefix. */

const { createObjects } = require('./objects')
const { createRooms } = require('./rooms')
const { createWays } = require('./ways')

module.exports = { createObjects, createRooms, createWays }
