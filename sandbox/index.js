#!/usr/bin/env node
'use strict'

/** `npm run sandbox`: starts the sandbox, says how to reach it, and stops on Ctrl-C. */

const { Command } = require('commander')
const { startSandbox, BUCKET } = require('./sandbox')

const HELP = `
Each option is JSON. A store's: sandbox/store/options.js has the names and defaults, sandbox/store/types.d.ts their
meaning and the faults. The platform's, with defaults (sandbox/platform/index.js says more; times in milliseconds):
  limits: {concurrent 30, perMinute 60, timeoutMs, memoryMB, logsMB: each {min, max, default}, payloadBytes, codeBytes, bodyBytes}
  containers 8             processes at most                  blockingMs 60000     then a blocking invocation answers 202
  coldStartMs 0            added to a cold start              requestMs 65000      then any request answers 503
  pauseGraceMs 10000       then an idle container is frozen   keepAliveMs 70000    then an idle connection is closed
  idleMs 600000            then it is removed                 completionMs 0       from an answer to its record and free place
  memoryCheckMs 100        how often memory is checked        clockSkewMs 0        how far its clock is ahead
  exitWaitMs 500, logWaitMs 2000, records 10000, runtimes, env, file, host, port, auth, namespace
  faults: [{on, action, nth, first, probability, seed: which calls; what happens to them:
    status, throttle "rate"|"concurrent", message, retryAfter    answered in place of doing anything
    cut, lose, cutAnswer, silent, delayMs, truncate              connections and answers
    accepted, recordLateMs, recordNever                          202, and records
    killAfterMs, death "exit"|"memory"|"time", answer {status, body}   the container
  }], as sandbox/platform/types.d.ts explains them

Examples:
  npm run sandbox
  npm run sandbox -- --dest '{"faults":[{"operation":"UploadPart","probability":0.3,"status":503}]}'
  npm run sandbox -- --source '{"synthetic":{"sandbox/huge":107374182400}}' --dest '{"buckets":[{"name":"sandbox","discard":true}]}'
  npm run sandbox -- --openwhisk '{"limits":{"concurrent":100,"perMinute":600},"containers":4}'
  npm run sandbox -- --openwhisk '{"faults":[{"nth":[2,5],"lose":true},{"probability":0.1,"status":503,"retryAfter":2}]}'
  npm run -s sandbox -- --json      one line when all is ready, for scripts`

/** @param {import('./sandbox').Sandbox} sandbox */
function describe({ stores, openwhisk }) {
  const names = ['sandbox-a', 'sandbox-b']
  const profiles = stores.map(
    (store, i) =>
      `[profile ${names[i]}]
region = ${store.region}
endpoint_url = ${store.endpoint}
aws_access_key_id = ${store.accessKeyId}
aws_secret_access_key = ${store.secretAccessKey}
`,
  )
  return `Two S3 stores and an OpenWhisk platform are ready.

--- for ~/.aws/config ---
${profiles.join('\n')}
Both stores have a bucket "${BUCKET}". With the profiles in place, in another terminal:
  export APIHOST=${openwhisk.apihost} AUTH=${openwhisk.auth}
  node cli/xfer.js deploy
  aws --profile ${names[0]} s3 cp FILE s3://${BUCKET}/file
  node cli/xfer.js copy s3://${names[0]}@${BUCKET}/file s3://${names[1]}@${BUCKET}/

Ctrl-C stops them and removes what they hold.
`
}

/** @param {string} name @returns {(text: string) => Record<string, unknown>} */
function json(name) {
  return text => {
    try {
      return JSON.parse(text)
    } catch {
      process.stderr.write(`sandbox: ${name} is not JSON.\n`)
      process.exit(2)
    }
  }
}

async function main() {
  const program = new Command('sandbox')
    .description('Starts two S3 stores and an OpenWhisk platform on loopback.')
    .option('--json', 'print one line of JSON when all is ready')
    .option('--source <json>', 'options of the first store', json('--source'), {})
    .option('--dest <json>', 'options of the second store', json('--dest'), {})
    .option('--openwhisk <json>', 'options of the platform', json('--openwhisk'), {})
    .addHelpText('after', HELP)
    .parse()
  const options = program.opts()
  const stopped = new Promise(resolve => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve)
  })
  const sandbox = await startSandbox({ stores: [options.source, options.dest], openwhisk: options.openwhisk })
  const { stores, openwhisk } = sandbox
  process.stdout.write(options.json ? `${JSON.stringify({ stores, openwhisk })}\n` : describe(sandbox))
  await stopped
  await sandbox.close()
}

main().catch(error => {
  process.stderr.write(`sandbox: ${error.message}\n`)
  process.exit(1)
})
