'use strict'

/** Loaded before the program: this process is on the machine of that name. */
const os = require('node:os')
const { MACHINE } = process.env
os.hostname = () => String(MACHINE)
