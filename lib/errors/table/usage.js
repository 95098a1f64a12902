'use strict'

/** Errors of usage: what the command line, the library's caller or a journal asks for cannot be done. */

const { EXIT, count, termsOf } = require('./phrases')

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
  USAGE: { message: f => f.text, hint: f => f.advice ?? 'Run xfer --help to see what is possible.' },
  BAD_LOCATION: {
    message: f =>
      `The ${f.side} "${f.location}" ${f.lacks === undefined ? 'is not a location' : 'names no object'}: ${f.reason}.`,
    hint: f => `Write it as ${f.forms}.`,
  },
  SAME_OBJECT: {
    message: f => {
      if (f.source) return `Source and destination overlap: ${f.source} and ${f.destination}.`
      return f.other === undefined
        ? `Source and destination are the same object, ${f.location}.`
        : `${f.location} and ${f.other} are the same object, under two names.`
    },
    hint: f =>
      f.source
        ? `Choose prefixes of which neither begins with the other, or another ${termsOf(f).container}.`
        : `Give the copy another key or another ${termsOf(f).container}.`,
  },
  NO_NAME: {
    message: f =>
      `The source has an object whose key is the prefix itself, ${f.key}, and at the destination its key would be empty.`,
    hint: () => 'Copy it by itself, without -r and with a key for it; or copy to below a prefix.',
  },
  TOO_LARGE: {
    message: f =>
      f.maxParts === undefined
        ? `The object has ${f.bytes} bytes, more than the ${f.most} that the destination takes in one object.`
        : `More than ${f.most} bytes come from the stream, and no more fit into ${count(f.maxParts)} parts.`,
    hint: f =>
      f.maxParts === undefined
        ? 'Split the object before copying it, or choose a destination that takes larger ones.'
        : 'Say with --size about how much comes, or split the stream.',
  },
  BAD_JOURNAL: {
    message: f => `The journal ${f.path} cannot be used: ${f.reason}.`,
    hint: f => f.advice ?? 'Name another journal, or repeat the copy with --restart.',
  },
  JOB_RUNNING: {
    exit: EXIT.FAILED,
    message: f =>
      `${f.own ? 'This process' : `Process ${f.pid}${f.host ? ` on ${f.host}` : ''}`} ${f.job === undefined ? 'is beginning a copy from and to the same' : `is at work on the job ${f.job}`}.`,
    hint: f => `Wait until ${f.own ? 'that copy' : 'it'} is done, or stop it first.`,
  },
}
