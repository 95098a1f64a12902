'use strict'

/** @import { LambdaFunction } from '../types' */

const CREATING = { reason: 'The function is being created.', code: 'Creating' }

/**
 * A function as the API tells it. https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 * @returns {Record<string, unknown>}
 */
function describe(fn, now) {
  const { arn, code, configuration, name } = fn.latest
  return {
    FunctionName: name,
    FunctionArn: arn,
    ...configuration,
    CodeSize: code.zip.length,
    CodeSha256: code.sha256,
    LastModified: fn.lastModified,
    Version: '$LATEST',
    TracingConfig: { Mode: 'PassThrough' },
    RevisionId: fn.revisionId,
    ...stateOf(fn, now),
    PackageType: 'Zip',
    SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' },
    LoggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${name}` },
  }
}

/**
 * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
 *
 * @param {LambdaFunction} fn
 * @param {number} now
 */
function stateOf({ activeAtMs, updatedAtMs }, now) {
  if (now < activeAtMs) return { State: 'Pending', StateReason: CREATING.reason, StateReasonCode: CREATING.code }
  if (now >= updatedAtMs) return { State: 'Active', LastUpdateStatus: 'Successful' }
  return {
    State: 'Active',
    LastUpdateStatus: 'InProgress',
    LastUpdateStatusReason: CREATING.reason,
    LastUpdateStatusReasonCode: CREATING.code,
  }
}

module.exports = { describe, stateOf }
