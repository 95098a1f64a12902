'use strict'

/** The requests that deploy and remove a function. https://docs.aws.amazon.com/lambda/latest/api/ */

const { setTimeout: delay } = require('node:timers/promises')
const { throwIfAborted } = require('../../../errors')
const { XferError } = require('./errors')

/** @typedef {import('@aws-sdk/client-lambda').FunctionConfiguration} Found */
/** @typedef {ReturnType<typeof createControl>} Control */

/** Lambda prepares a function within seconds, and within minutes in a network of the user's. */
const READY_MS = 300_000
/** The first pause between two looks, and the longest. */
const POLL_MS = [100, 2_000]
/** How long a new role may take until Lambda can assume it. */
const ROLE_MS = 60_000

/**
 * @param {import('../service/client').Client} client
 * @param {{ name: string, signal?: AbortSignal, patient?: boolean }} how name: of the function; patient: its role was made just now
 */
function createControl(client, { name, signal, patient = false }) {
  const of = { FunctionName: name }
  const begunMs = Date.now()

  /** @param {number} ms */
  async function pause(ms) {
    await delay(ms, undefined, { signal }).catch(error => {
      throwIfAborted(signal)
      throw error
    })
  }

  /**
   * A request that changes the function. Lambda refuses a role that IAM does not know everywhere yet.
   *
   * @param {string} command
   * @param {object} input
   * @returns {Promise<Found>}
   */
  async function write(command, input) {
    let [pauseMs, longestMs] = POLL_MS
    for (;;) {
      try {
        return await client.ask(command, { ...of, ...input })
      } catch (error) {
        const { facts } = /** @type {import('../../../types').XferError} */ (error)
        if (facts?.type === 'PreconditionFailedException') {
          throw new XferError('LAMBDA_CHANGED', { ...facts, action: name }, { cause: error })
        }
        const mayPass = patient && facts?.type === 'InvalidParameterValueException' && Date.now() - begunMs < ROLE_MS
        if (!mayPass) throw error
        await pause(pauseMs)
        pauseMs = Math.min(2 * pauseMs, longestMs)
      }
    }
  }

  return {
    /**
     * The function's configuration, once nothing of it is being changed.
     *
     * @returns {Promise<Found | undefined>} undefined if there is no such function
     * @throws {XferError} LAMBDA_NOT_ACTIVE if a change does not end
     */
    async settled() {
      const endMs = Date.now() + READY_MS
      let [pauseMs, longestMs] = POLL_MS
      for (;;) {
        /** @type {Found | undefined} */
        const found = await client.find('GetFunctionConfiguration', of)
        if (!found || !isChanging(found)) return found
        if (Date.now() > endMs) {
          const reason = `its change does not end within ${READY_MS / 1000} s`
          throw new XferError('LAMBDA_NOT_ACTIVE', { ...client.facts, reason })
        }
        await pause(pauseMs)
        pauseMs = Math.min(2 * pauseMs, longestMs)
      }
    },

    /** @param {Omit<import('@aws-sdk/client-lambda').CreateFunctionCommandInput, 'FunctionName'>} input */
    create: input => write('CreateFunction', input),

    /** @param {Omit<import('@aws-sdk/client-lambda').UpdateFunctionCodeCommandInput, 'FunctionName'>} input */
    updateCode: input => write('UpdateFunctionCode', input),

    /** @param {Omit<import('@aws-sdk/client-lambda').UpdateFunctionConfigurationCommandInput, 'FunctionName'>} input */
    updateConfiguration: input => write('UpdateFunctionConfiguration', input),

    /** @returns {Promise<string | undefined>} the address at which the function's archive can be read for ten minutes */
    codeAddress: async () => (await client.ask('GetFunction', of)).Code?.Location,

    /** It is no error if the function is gone already. */
    async remove() {
      await client.find('DeleteFunction', of)
    },
  }
}

/** @param {Found} found */
function isChanging({ State, LastUpdateStatus }) {
  return State === 'Pending' || LastUpdateStatus === 'InProgress'
}

module.exports = { createControl }
