'use strict'

/**
 * Errors of engines on a platform: the same codes whatever runs the function. Facts name what the sentences are about, in the
 * engine's words: `platform` ("the worker https://host"), `fn` ("the function xfer-copy-range"), and `advice`, where what to do
 * differs. An engine may add rows of its own: see withRows in ../index.js.
 */

const { why } = require('./phrases')

/** @typedef {import('./phrases').ErrorFacts} ErrorFacts */

/** A noun at the beginning of a sentence. @param {string} noun */
const capital = noun => `${noun}`.replace(/^./, letter => letter.toUpperCase())

/** What was answered: its status, the name of the error, and the reason, as far as they are known. @param {ErrorFacts} f */
function said(f) {
  const answer = [f.status === undefined ? '' : `HTTP ${f.status}`, f.type].filter(Boolean).join(', ')
  return [answer, f.reason].filter(Boolean).join(': ')
}

/** @param {ErrorFacts} f */
const deployAgain = f => f.advice ?? `Run ${f.deployCommand ?? 'xfer deploy'}, then repeat the command.`

/** @type {Record<string, import('.').RowOfFile>} */
module.exports = {
  NO_PLATFORM: {
    message: f =>
      f.neededBy
        ? `No ${f.what} is configured, and ${f.neededBy} needs one${f.platforms ? `: neither ${f.platforms}` : ''}.`
        : `The ${f.engine} engine was asked for, and no ${f.what} is configured.`,
    hint: f => f.advice ?? 'Configure it, or use --engine local.',
  },
  PLATFORM_UNREACHABLE: {
    message: f => `${capital(f.platform)} cannot be reached (${why(f)}).`,
    hint: f => f.advice ?? 'Check the address and the network.',
    uncertain: true,
    shared: true,
  },
  NOT_A_PLATFORM: {
    message: f => `What answers in place of ${f.platform} is something else (${why(f)}).`,
    hint: f => f.advice ?? 'Check the address.',
  },
  PLATFORM_KEY_REFUSED: {
    message: f =>
      f.status === undefined
        ? `There are no credentials for ${f.platform} (${f.reason}).`
        : `${capital(f.platform)} refuses the credentials (${said(f)}).`,
    hint: f => f.advice ?? 'Check the credentials of the platform: xfer doctor shows where they come from.',
  },
  PLATFORM_THROTTLED: {
    message: f => `${capital(f.platform)} asks for fewer requests (${said(f)}).`,
    hint: f => f.advice ?? 'Lower --concurrency, or ask the platform for a higher limit.',
    throttled: true,
  },
  PLATFORM_ERROR: {
    message: f => `${capital(f.platform)} failed (${said(f)}).`,
    hint: f =>
      f.advice ?? 'Repeat the command; if it fails again, look at the state of the platform, or use --engine local.',
    uncertain: true,
    shared: true,
  },
  PLATFORM_REFUSED: {
    message: f => `${capital(f.platform)} refused the request (${said(f)}).`,
    hint: f => f.advice ?? 'Run xfer doctor: it checks the platform, the function and its settings.',
  },
  ACTION_NOT_DEPLOYED: {
    message: f => `${capital(f.fn)} is not deployed on ${f.platform}.`,
    hint: deployAgain,
  },
  ACTION_BROKEN: {
    message: f => `${capital(f.fn)} on ${f.platform} cannot be started (${f.reason}).`,
    hint: deployAgain,
  },
  ACTION_VERSION: {
    message: f => `The action ${f.action} on ${f.where} does not fit this xfer: ${f.reason}.`,
    hint: f => `Run ${f.deployCommand ?? 'xfer deploy'}, then repeat the command.`,
  },
  ACTION_NOT_LOADED: {
    message: f => `${capital(f.fn)} could not be loaded on ${f.platform} (${said(f)}).`,
    hint: f => f.advice ?? 'Repeat the command in a minute; if it fails again, run xfer deploy.',
    uncertain: true,
  },
  ACTIVATION_FAILED: {
    message: f => `${capital(f.fn)} failed on ${f.platform}: ${f.reason}.`,
    hint: f => f.advice ?? 'Look at the logs of the function.',
    uncertain: true,
  },
  ACTIVATION_LOST: {
    message: f => `${capital(f.fn)} gave no answer on ${f.platform} within ${Math.round(f.afterMs / 1000)} s.`,
    hint: f => f.advice ?? 'Look at the logs of the function.',
    uncertain: true,
  },
  ACTIVATION_OUT_OF_MEMORY: {
    message: f => `${capital(f.fn)} ran out of memory on ${f.platform}.`,
    hint: f => f.advice ?? `Deploy it with more memory: ${f.deployCommand ?? 'xfer deploy'} --memory 512.`,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_TIMED_OUT: {
    message: f => `${capital(f.fn)} exceeded its time limit on ${f.platform} (${f.reason}).`,
    hint: f =>
      f.advice ??
      `Deploy it with a longer timeout (${f.deployCommand ?? 'xfer deploy'} --timeout 10m), or choose a smaller --chunk.`,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_EXITED: {
    message: f => `${capital(f.fn)} ended without an answer on ${f.platform} (${f.reason}).`,
    hint: f =>
      f.advice ??
      'Look at the logs of the function; if it was short of memory, deploy it with xfer deploy --memory 512.',
    uncertain: true,
    smaller: true,
  },
  PAYLOAD_TOO_LARGE: {
    message: f => `The parameters or the result of an invocation are larger than ${f.platform} allows (${said(f)}).`,
    hint: () => 'Choose a larger --chunk.',
    uncertain: true,
    smaller: true,
  },
}
