'use strict'

/** The requests that deploy and remove a function, with errors in our words. https://docs.aws.amazon.com/lambda/latest/api/ */

const { setTimeout: delay } = require('node:timers/promises')
const { throwIfAborted } = require('../../../errors')
const { XferError } = require('./errors')

/** @typedef {import('@aws-sdk/client-lambda').FunctionConfiguration} Found */
/** @typedef {ReturnType<typeof createControl>} Control */

/** Lambda prepares a function within seconds, and within minutes in a network of the user's. */
const READY_MS = 300_000
const POLL_MS = 1_000

/** What the service answers with, and our codes. */
const CODES = /** @type {const} */ ({
  InvalidParameterValueException: 'LAMBDA_REFUSED',
  // Made, or being changed, by somebody else: it is read again.
  ResourceConflictException: 'LAMBDA_CHANGED',
  PreconditionFailedException: 'LAMBDA_CHANGED',
})

/**
 * @param {object} how
 * @param {import('@aws-sdk/client-lambda').LambdaClient} how.client
 * @param {(error: any) => Error} how.explain any other error of the client, in our words
 * @param {{ action: string, where: string }} how.facts for errors
 * @param {AbortSignal} [how.signal]
 */
function createControl({ client, explain, facts, signal }) {
  const lambda = require('@aws-sdk/client-lambda')
  const { action } = facts

  /** @template T @param {() => Promise<T>} call @returns {Promise<T>} */
  async function ask(call) {
    throwIfAborted(signal)
    try {
      return await call()
    } catch (cause) {
      throwIfAborted(signal)
      const { name, message } = /** @type {Error} */ (cause)
      const code = CODES[/** @type {keyof typeof CODES} */ (name)]
      throw code ? new XferError(code, { ...facts, reason: message.replace(/\.$/, '') }, { cause }) : explain(cause)
    }
  }

  const how = { abortSignal: signal }

  /** @returns {Promise<Found | undefined>} */
  const read = () =>
    ask(() =>
      client.send(new lambda.GetFunctionConfigurationCommand({ FunctionName: action }), how).catch(error => {
        if (error.name !== 'ResourceNotFoundException') throw error
      }),
    )

  return {
    /**
     * The function's configuration, once nothing of it is being changed.
     *
     * @returns {Promise<Found | undefined>} undefined if there is no such function
     * @throws {XferError} LAMBDA_NOT_ACTIVE if that lasts
     */
    async settled() {
      const endMs = Date.now() + READY_MS
      for (;;) {
        const found = await read()
        if (!found || !isChanging(found)) return found
        if (Date.now() > endMs) {
          const reason = `it is still ${found.State === 'Pending' ? 'being created' : 'being updated'} after ${READY_MS / 1000} s`
          throw new XferError('LAMBDA_NOT_ACTIVE', { ...facts, reason })
        }
        await delay(POLL_MS, undefined, { signal }).catch(error => {
          throwIfAborted(signal)
          throw error
        })
      }
    },

    /** @param {Omit<import('@aws-sdk/client-lambda').CreateFunctionCommandInput, 'FunctionName'>} input */
    create: input => ask(() => client.send(new lambda.CreateFunctionCommand({ FunctionName: action, ...input }), how)),

    /** @param {Omit<import('@aws-sdk/client-lambda').UpdateFunctionCodeCommandInput, 'FunctionName'>} input */
    updateCode: input =>
      ask(() => client.send(new lambda.UpdateFunctionCodeCommand({ FunctionName: action, ...input }), how)),

    /** @param {Omit<import('@aws-sdk/client-lambda').UpdateFunctionConfigurationCommandInput, 'FunctionName'>} input */
    updateConfiguration: input =>
      ask(() => client.send(new lambda.UpdateFunctionConfigurationCommand({ FunctionName: action, ...input }), how)),

    /** The address at which the function's archive can be read for ten minutes. */
    codeAddress: () =>
      ask(async () => (await client.send(new lambda.GetFunctionCommand({ FunctionName: action }), how)).Code?.Location),

    /** It is no error if the function is gone already. */
    remove: () =>
      ask(async () => {
        await client.send(new lambda.DeleteFunctionCommand({ FunctionName: action }), how).catch(error => {
          if (error.name !== 'ResourceNotFoundException') throw error
        })
      }),
  }
}

/** @param {Found} found */
function isChanging({ State, LastUpdateStatus }) {
  return State === 'Pending' || LastUpdateStatus === 'InProgress'
}

module.exports = { createControl }
