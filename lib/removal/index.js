'use strict'

/** Removes objects: those that a user names, and those below a prefix. */

const { countBelow, removeNames } = require('./below')
const { removeOne } = require('./one')

module.exports = { countBelow, removeNames, removeOne }
