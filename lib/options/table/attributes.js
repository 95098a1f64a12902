'use strict'

/** The attributes of the copy. The options have the AWS CLI's names if it has them. */

const { COPIES } = require('./commands')

/** @typedef {import('../contract').OptionSpec} OptionSpec */

/** @type {OptionSpec[]} */
module.exports = [
  {
    name: 'metadata',
    value: 'how',
    type: 'choice',
    choices: ['copy', 'replace'],
    default: 'copy',
    help: "copy: the source's content headers and user metadata, except those that other options set; replace: only what options set",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'contentType',
    value: 'type',
    help: "override the source's Content-Type, such as text/csv",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'headers',
    flag: '--header',
    value: 'name=value',
    type: 'pairs',
    help: "override one of the source's Cache-Control, Content-Encoding, Content-Language, Content-Disposition and Expires; repeatable",
    libraryHelp: "override the source's headers, such as { 'Cache-Control': 'max-age=60', Expires: '2027-01-31' }",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'metadataSet',
    value: 'name=value',
    type: 'pairs',
    help: 'set one entry of user metadata; repeatable',
    libraryHelp: "entries of user metadata to set, such as { color: 'blue' }",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'tags',
    value: 'how',
    type: 'choice',
    choices: ['copy', 'none'],
    default: 'copy',
    help: "copy: the source's tags; none: no tags",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
  {
    name: 'storageClass',
    value: 'name',
    default: 'copy',
    help: "copy: the source's, if the destination has it; or the name of a class",
    group: 'attributes',
    commands: COPIES,
    kept: true,
  },
]
