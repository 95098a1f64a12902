'use strict'

const { randomUUID } = require('node:crypto')
const { LambdaError } = require('../errors')
const { arnOf, parseFunctionName } = require('../names')
const { jsonOf } = require('./control')

/** @import { Answer, Call, Settings } from '../types' */

/**
 * Aliases and tags of functions.
 *
 * @param {{ settings: Settings, functions: import('../functions').Functions }} options
 */
function createLabelsApi({ settings, functions }) {
  /** @param {Call} call */
  const target = ({ parameters: [text] }) => functions.get(parseFunctionName(text, settings).name)

  /** @param {import('../types').LambdaFunction} fn @param {string} name */
  function aliasOf(fn, name) {
    const alias = fn.aliases[name]
    const arn = arnOf(settings, fn.name, name)
    if (!alias) throw new LambdaError('ResourceNotFoundException', { message: `Cannot find alias arn: ${arn}` })
    const { version, description, revisionId } = alias
    return { AliasArn: arn, Name: name, FunctionVersion: version, Description: description, RevisionId: revisionId }
  }

  return {
    /** @param {Call} call @returns {Answer} */
    createAlias(call) {
      const fn = target(call)
      const { Name, FunctionVersion, Description = '' } = jsonOf(call)
      if (fn.aliases[Name]) {
        const message = `Alias already exists: ${arnOf(settings, fn.name, Name)}`
        throw new LambdaError('ResourceConflictException', { message })
      }
      functions.versionOf(fn, FunctionVersion)
      fn.aliases[Name] = { version: FunctionVersion, description: Description, revisionId: randomUUID() }
      return { status: 201, body: aliasOf(fn, Name) }
    },
    /** @param {Call} call @returns {Answer} */
    getAlias: call => ({ status: 200, body: aliasOf(target(call), call.parameters[1]) }),
    /** @param {Call} call @returns {Answer} */
    deleteAlias(call) {
      delete target(call).aliases[call.parameters[1]]
      return { status: 204 }
    },
    /** @param {Call} call @returns {Answer} */
    listTags: call => ({ status: 200, body: { Tags: target(call).tags } }),
    /** @param {Call} call @returns {Answer} */
    tagResource(call) {
      Object.assign(target(call).tags, jsonOf(call).Tags)
      functions.save()
      return { status: 204 }
    },
    /** @param {Call} call @returns {Answer} */
    untagResource(call) {
      const fn = target(call)
      for (const [name, value] of call.queryList) if (name === 'tagKeys') delete fn.tags[value]
      functions.save()
      return { status: 204 }
    },
  }
}

module.exports = { createLabelsApi }
