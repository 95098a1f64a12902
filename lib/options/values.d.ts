/** The values of options, once read. Made by `npm run docs` from the table in lib/options; do not edit. */

import type { EngineLimits } from '../types'

/** By command, and by name. Sizes are bytes, durations milliseconds, dates milliseconds since the epoch. */
export interface OptionValues {
  copy: {
    recursive: 'copy' | 'sync' | undefined
    newerThan: number | undefined
    olderThan: number | undefined
    minSize: number | undefined
    maxSize: number | undefined
    maxErrors: number | undefined
    chunk: number | 'match' | 'auto'
    concurrency: number
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    route: 'auto' | 'server' | 'engine'
    partsPerInvocation: number | 'auto'
    engineLimits: Partial<EngineLimits> | undefined
    onFailure: 'keep' | 'abort'
    timeout: number | undefined
    metadata: 'copy' | 'replace'
    tags: 'copy' | 'none'
    sse: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined
    size: number | undefined
    verify: 'auto' | 'full' | 'size' | 'none'
  }
  verify: {
    newerThan: number | undefined
    olderThan: number | undefined
    minSize: number | undefined
    maxSize: number | undefined
    chunk: number | 'match' | 'auto'
    concurrency: number
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    partsPerInvocation: number | 'auto'
    engineLimits: Partial<EngineLimits> | undefined
  }
  sync: {
    maxDelete: { count: number } | { percent: number } | undefined
    newerThan: number | undefined
    olderThan: number | undefined
    minSize: number | undefined
    maxSize: number | undefined
    maxErrors: number | undefined
    chunk: number | 'match' | 'auto'
    concurrency: number
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    route: 'auto' | 'server' | 'engine'
    partsPerInvocation: number | 'auto'
    engineLimits: Partial<EngineLimits> | undefined
    onFailure: 'keep' | 'abort'
    timeout: number | undefined
    metadata: 'copy' | 'replace'
    tags: 'copy' | 'none'
    sse: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined
    verify: 'auto' | 'full' | 'size' | 'none'
  }
  resume: {
    maxDelete: { count: number } | { percent: number } | undefined
    concurrency: number
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    route: 'auto' | 'server' | 'engine'
    partsPerInvocation: number | 'auto'
    engineLimits: Partial<EngineLimits> | undefined
    onFailure: 'keep' | 'abort'
    timeout: number | undefined
  }
  rm: {
    newerThan: number | undefined
    olderThan: number | undefined
    minSize: number | undefined
    maxSize: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    maxDelete: number | undefined
  }
  mv: {
    newerThan: number | undefined
    olderThan: number | undefined
    minSize: number | undefined
    maxSize: number | undefined
    maxErrors: number | undefined
    chunk: number | 'match' | 'auto'
    concurrency: number
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    route: 'auto' | 'server' | 'engine'
    partsPerInvocation: number | 'auto'
    engineLimits: Partial<EngineLimits> | undefined
    onFailure: 'keep' | 'abort'
    timeout: number | undefined
    metadata: 'copy' | 'replace'
    tags: 'copy' | 'none'
    sse: 'AES256' | 'aws:kms' | 'aws:kms:dsse' | undefined
    size: number | undefined
    verify: 'auto' | 'full' | 'size' | 'none'
  }
  cat: {
    concurrency: number | undefined
    bandwidth: number | undefined
    retries: number
    ioTimeout: number
    outageTimeout: number
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    verify: 'auto' | 'full' | 'size' | 'none'
    chunk: number | undefined
  }
  ls: {
    retries: number
    ioTimeout: number
    outageTimeout: number
  }
  du: {
    retries: number
    ioTimeout: number
    outageTimeout: number
  }
  head: {
    retries: number
    ioTimeout: number
    outageTimeout: number
  }
  presign: {
    retries: number
    ioTimeout: number
    outageTimeout: number
    expires: number
  }
  mb: {
    retries: number
    ioTimeout: number
    outageTimeout: number
  }
  deploy: {
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
    memory: number | undefined
    timeout: number | undefined
    allowHosts: string[] | undefined
    print: 'zip' | undefined
    architecture: 'arm64' | 'x86_64' | undefined
  }
  doctor: {
    engine: 'auto' | 'openwhisk' | 'lambda' | 'http' | 'local'
  }
  clean: {
    olderThan: number
  }
  serve: {
    port: number | undefined
    places: number
    timeout: number
    heartbeat: number
    drain: number
    allowHosts: string[] | undefined
  }
}
