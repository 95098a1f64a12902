'use strict'

/** Where the stores are, as text: endpoints, regions, files, proxies. */

const COPY = 'copy s3://src/object s3://dst/new'
const NOBODY = { XFER_SOURCE_ACCESS_KEY_ID: '', XFER_SOURCE_SECRET_ACCESS_KEY: '' }

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- endpoints as text
  {
    it: 'an endpoint that is no URL',
    command: `${COPY} --source-endpoint-url nonsense`,
    exit: 2,
    code: 'USAGE',
    says: '"nonsense" is not an http or https URL',
  },
  {
    it: 'an endpoint without a scheme',
    command: `${COPY} --dest-endpoint-url localhost:9000`,
    exit: 2,
    code: 'USAGE',
    says: 'destination',
  },
  {
    it: 'an endpoint of another scheme',
    command: `${COPY} --source-endpoint-url ftp://host`,
    exit: 2,
    code: 'USAGE',
    says: 'ftp://host',
  },
  {
    it: 'an empty endpoint',
    command: [...COPY.split(' '), '--source-endpoint-url', ''],
    exit: 2,
    code: 'USAGE',
    says: 'endpoint',
  },
  {
    it: 'an endpoint with a password',
    command: `${COPY} --source-endpoint-url http://user:hunter2-SECRET@host`,
    exit: 2,
    code: 'USAGE',
    says: 'carries a user name or password',
  },
  {
    it: 'an endpoint with a password that is no URL',
    command: `${COPY} --source-endpoint-url http://user:hunter2-SECRET@host:port`,
    exit: 2,
    code: 'USAGE',
  },
  {
    it: 'an endpoint with a query',
    command: `${COPY} --source-endpoint-url http://host/?token=hunter2-SECRET`,
    exit: 2,
    code: 'USAGE',
    says: 'carries a query or fragment',
  },
  {
    it: 'an endpoint with an impossible port',
    command: `${COPY} --source-endpoint-url http://host:99999`,
    exit: 2,
    code: 'USAGE',
  },
  {
    it: 'an endpoint of a variable that is no URL',
    command: COPY,
    env: { XFER_DEST_ENDPOINT_URL: '%%%' },
    exit: 2,
    code: 'USAGE',
    says: '"%%%"',
  },
  {
    it: 'an endpoint of a profile that is no URL',
    command: `${COPY} --source-profile pointed`,
    env: { XFER_SOURCE_ENDPOINT_URL: '', AWS_CONFIG_FILE: '{badEndpoint}' },
    exit: 2,
    code: 'USAGE',
    says: '"not a url"',
  },
  {
    it: 'an addressing style of a profile that is unknown',
    command: `${COPY} --source-profile styled`,
    env: { AWS_CONFIG_FILE: '{badStyle}' },
    exit: 2,
    code: 'USAGE',
    says: '"sideways"',
  },
  {
    it: 'a region that is no host name',
    command: `${COPY} --source-region not/a#region`,
    env: { XFER_SOURCE_ENDPOINT_URL: '' },
    exit: 2,
    code: 'USAGE',
    says: 'region',
  },
  {
    it: 'an empty region',
    command: [...COPY.split(' '), '--source-region', ''],
    exit: 2,
    code: 'USAGE',
    says: 'region',
  },

  // --- files and proxies
  {
    it: 'a configuration file that is a folder',
    command: COPY,
    env: { ...NOBODY, AWS_CONFIG_FILE: '{folder}' },
    exit: 2,
    code: 'USAGE',
    says: 'cannot be read (EISDIR)',
  },
  {
    it: 'a configuration file that is malformed',
    command: COPY,
    env: { ...NOBODY, AWS_CONFIG_FILE: '{malformed}' },
    exit: 4,
    code: 'NO_CREDENTIALS',
  },
  {
    it: 'a configuration file that is a link to itself',
    command: COPY,
    env: { ...NOBODY, AWS_SHARED_CREDENTIALS_FILE: '{loop}' },
    exit: 2,
    code: 'USAGE',
    says: 'cannot be read (ELOOP)',
  },
  {
    it: 'a profile of a configuration file that is not there',
    command: `${COPY} --source-profile work`,
    env: { AWS_CONFIG_FILE: '{folder}/none' },
    exit: 4,
    code: 'NO_SUCH_PROFILE',
  },
  {
    it: 'a proxy that is no URL',
    command: COPY,
    env: { XFER_SOURCE_ENDPOINT_URL: 'https://s3.invalid', HTTPS_PROXY: 'socks5://user:hunter2-SECRET@x' },
    exit: 2,
    code: 'USAGE',
    says: 'HTTPS_PROXY',
  },
  {
    it: 'a proxy that is not there',
    command: COPY,
    env: { XFER_SOURCE_ENDPOINT_URL: 'http://s3.invalid', HTTP_PROXY: 'http://user:hunter2-SECRET@{closed}' },
    exit: 1,
    code: 'STORE_UNREACHABLE',
    says: 'through the proxy',
  },
  {
    it: 'a proxy that is a web site',
    command: COPY,
    env: { XFER_SOURCE_ENDPOINT_URL: 'https://s3.invalid', HTTPS_PROXY: 'http://{html404}' },
    exit: 1,
    code: 'STORE_UNREACHABLE',
  },

  // --- certificates
  {
    it: 'a CA bundle that is not there',
    command: `${COPY} --ca-bundle /nonexistent/ca.pem`,
    exit: 2,
    code: 'USAGE',
    says: '"/nonexistent/ca.pem", named by --ca-bundle, cannot be read (ENOENT)',
    advises: 'PEM',
  },
  {
    it: 'a CA bundle of a variable that is a folder',
    command: COPY,
    env: { AWS_CA_BUNDLE: '{folder}' },
    exit: 2,
    code: 'USAGE',
    says: 'named by AWS_CA_BUNDLE, cannot be read (EISDIR)',
  },
  {
    it: 'a CA bundle that is a configuration file',
    command: COPY,
    env: { XFER_DEST_CA_BUNDLE: '{badStyle}' },
    exit: 2,
    code: 'USAGE',
    says: 'named by XFER_DEST_CA_BUNDLE, holds no certificate in PEM form',
  },
  {
    it: 'a CA bundle that is a private key',
    command: `${COPY} --ca-bundle {keyAlone}`,
    exit: 2,
    code: 'USAGE',
    says: 'holds no certificate in PEM form',
  },
  {
    it: 'a CA bundle with a broken certificate',
    command: `${COPY} --ca-bundle {brokenBundle}`,
    exit: 2,
    code: 'USAGE',
    says: 'holds a certificate that cannot be read, its number 1',
  },
  {
    it: 'a CA bundle of a profile that is not there',
    command: `${COPY} --source-profile bundled`,
    env: { AWS_CONFIG_FILE: '{badBundle}' },
    exit: 2,
    code: 'USAGE',
    says: 'named by the profile "bundled", cannot be read',
  },
]
