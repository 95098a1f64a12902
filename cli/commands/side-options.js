'use strict'

/** What every command that speaks to a source and a destination takes for each of them. */

/**
 * @param {import('commander').Command} command
 * @returns {import('commander').Command} the same
 */
function addSideOptions(command) {
  addTrust(command)
    .option('--source-profile <name>', 'AWS profile of the source')
    .option('--source-endpoint-url <url>', "the source's endpoint")
    .option('--source-region <region>', "the source's region")
    .option('--source-addressing <style>', 'auto, path or virtual')
    .option('--source-no-sign-request', 'read without credentials')
    .option('--request-payer', 'pay for reading from a requester-pays bucket')
    .option('--source-sse-c-key-file <file>', "a customer's own key (SSE-C) of the source: 32 bytes, or their base64")
  return addDest(command).option('--dest-sse-c-key-file <file>', 'likewise of the destination')
}

/** Of a command that speaks to no source. @param {import('commander').Command} command @returns {import('commander').Command} the same */
function addDestOptions(command) {
  return addDest(addTrust(command))
}

/** @param {import('commander').Command} command */
function addTrust(command) {
  return command.option('--ca-bundle <file>', 'certificates to trust beside the usual ones (default: AWS_CA_BUNDLE)')
}

/** @param {import('commander').Command} command */
function addDest(command) {
  return command
    .option('--dest-profile <name>', 'AWS profile of the destination')
    .option('--dest-endpoint-url <url>', "the destination's endpoint")
    .option('--dest-region <region>', "the destination's region")
    .option('--dest-addressing <style>', 'auto, path or virtual')
}

/**
 * @param {any} flags as commander read them
 * @returns {{ source: import('../../lib/types').SideOptions, destination: import('../../lib/types').SideOptions }}
 */
function sidesOf(flags) {
  return {
    source: {
      caBundle: flags.caBundle,
      profile: flags.sourceProfile,
      endpointUrl: flags.sourceEndpointUrl,
      region: flags.sourceRegion,
      addressing: flags.sourceAddressing,
      noSignRequest: flags.sourceNoSignRequest,
      requestPayer: flags.requestPayer,
      versionId: flags.versionId,
      sseCKeyFile: flags.sourceSseCKeyFile,
    },
    destination: {
      caBundle: flags.caBundle,
      profile: flags.destProfile,
      endpointUrl: flags.destEndpointUrl,
      region: flags.destRegion,
      addressing: flags.destAddressing,
      sseCKeyFile: flags.destSseCKeyFile,
    },
  }
}

module.exports = { addSideOptions, addDestOptions, sidesOf }
