'use strict'

/** HTTP/1.1 over sockets of our own: the connections, and what comes over them. */

const { Misfit } = require('./head')
const { closeIdle, giveBack, openConnection, takeIdle } = require('./pool')
const { hold, release, SLAB_BYTES, takeSlab } = require('./slab')

module.exports = { closeIdle, giveBack, hold, Misfit, openConnection, release, SLAB_BYTES, takeIdle, takeSlab }
