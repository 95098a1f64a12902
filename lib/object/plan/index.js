'use strict'

/** How an object is divided: its part size (chunk) and its parts. */

const { chooseChunk, judgeMatch } = require('./chunk')
const { planObject } = require('./plan')

module.exports = { chooseChunk, judgeMatch, planObject }
