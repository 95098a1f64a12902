'use strict'

/** Writes the objects of a prefix. */

const { abortStaleUploads } = require('./large')
const { createObjects } = require('./objects')
const { createRooms } = require('./rooms')
const { createWays } = require('./ways')

module.exports = { abortStaleUploads, createObjects, createRooms, createWays }
