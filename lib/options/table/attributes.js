'use strict'

/** The attributes of the copy. The options have the AWS CLI's names if it has them. */

const { COPIES, each } = require('./commands')

/** @typedef {import('../contract').OptionSpec} OptionSpec */

/** @type {OptionSpec[]} */
module.exports = each({ group: 'attributes', commands: COPIES, kept: true }, [
  {
    name: 'metadata',
    value: 'how',
    choices: ['copy', 'replace'],
    default: 'copy',
    help: "copy: the source's content headers and user metadata, except those that other options set; replace: only what options set",
  },
  {
    name: 'contentType',
    value: 'type',
    help: "override the source's Content-Type, such as text/csv",
  },
  {
    name: 'headers',
    flag: '--header',
    type: 'pairs',
    help: "override one of the source's Cache-Control, Content-Encoding, Content-Language, Content-Disposition and Expires; repeatable",
    libraryHelp: "override the source's headers, such as { 'Cache-Control': 'max-age=60', Expires: '2027-01-31' }",
  },
  {
    name: 'metadataSet',
    type: 'pairs',
    help: 'set one entry of user metadata; repeatable',
    libraryHelp: "entries of user metadata to set, such as { color: 'blue' }",
  },
  {
    name: 'tags',
    value: 'how',
    choices: ['copy', 'none'],
    default: 'copy',
    help: "copy: the source's tags; none: no tags",
  },
  {
    name: 'storageClass',
    value: 'name',
    default: 'copy',
    help: "copy: the source's, if the destination has it; or the name of a class",
  },
])
