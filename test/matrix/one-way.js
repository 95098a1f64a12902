'use strict'

/** Ends that are a source or a destination only: standard input, an HTTPS host, standard output. Each has one object at a time. */

const { AUTHORITY } = require('../support/tls')
const { startHttpsHost } = require('../support/https-host')

/**
 * What the matrix asks of an end. Those of test/support/ends are both a source and a destination.
 *
 * @typedef {Pick<import('../support/ends').End, 'name' | 'local' | 'text' | 'env' | 'requests' | 'put' | 'sha256' | 'remove' | 'close'>} BothWays
 *
 * @typedef {Pick<BothWays, 'name' | 'local' | 'text' | 'env' | 'requests' | 'close'> & Partial<BothWays> & {
 *   before?: string, after?: string }} MatrixEnd
 *   put: absent: it is no source; before: what the shell runs in front of the command's pipe; after: behind it, which prints the
 *   SHA-256
 */

const PIPE = { local: true, text: () => '-', requests: () => 0, close: async () => {} }

/** @returns {MatrixEnd} */
function openStdin() {
  let path = ''
  return {
    ...{ ...PIPE, name: 'stdin', before: 'cat "$CONTENT"' },
    env: () => ({ CONTENT: path }),
    async put(_, from) {
      path = from
    },
    remove: async () => {},
  }
}

/** @returns {MatrixEnd} */
const openStdout = () => ({ ...PIPE, name: 'stdout', after: 'sha256sum', env: () => ({}) })

/** A host that answers ranges, with a strong ETag and no checksum. @returns {Promise<MatrixEnd>} */
async function openHttps() {
  const host = await startHttpsHost({ tls: true })
  return {
    ...{ name: 'https', local: true },
    text: key => `${host.origin}/${key}`,
    env: () => ({ AWS_CA_BUNDLE: AUTHORITY }),
    requests: () => host.requests.length,
    put: async (key, path) => void host.put(`/${key}`, { file: path }),
    // The next one takes its place.
    remove: async () => {},
    close: host.close,
  }
}

/** @type {Record<string, () => MatrixEnd | Promise<MatrixEnd>>} */
const ONE_WAY = { stdin: openStdin, https: openHttps, stdout: openStdout }

module.exports = { ONE_WAY }
