'use strict'

/** HTTP/1.1 over sockets of our own: the connections, and what comes over them. */

const { Misfit } = require('./head')
const { closeIdle, giveBack, openConnection, takeIdle } = require('./pool')
const { hold, release } = require('./slab')

module.exports = { closeIdle, giveBack, hold, Misfit, openConnection, release, takeIdle }
