'use strict'

const { redact, withoutSecrets } = require('../../../lib/errors')

test.each([
  ['http://host:9000/path', 'http://host:9000/path'],
  ['http://user:pass@host', 'http://host'],
  ['https://token@host', 'https://host'],
  ['s3:/old@photos/x', 's3:/old@photos/x'],
  ['id:secret@photos/x', 'photos/x'],
  ['https://host?secret=1#more', 'https://host'],
  ['sv=2024&sp=r&sig=abc', '…'],
  ['AccountName=a;AccountKey=abc/+=;EndpointSuffix=x', 'AccountName=a;AccountKey=…;EndpointSuffix=x'],
  ['BlobEndpoint=https://a/;SharedAccessSignature=sv=1&sig=abc', 'BlobEndpoint=https://a/;SharedAccessSignature=…'],
])('what the user typed %s is shown as %s', (text, expected) => expect(redact(text)).toBe(expected))

describe('what others say', () => {
  const SIGNATURE = '0123456789abcdef'.repeat(4)
  const KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

  test.each([
    [`Signature=${SIGNATURE} is wrong`, '… is wrong'],
    [`<SignatureProvided>${SIGNATURE}</SignatureProvided>`, '<SignatureProvided>…</SignatureProvided>'],
    [`"authorization":"AWS4-HMAC-SHA256 Credential=AKIA/us-east-1/s3, Signature=${SIGNATURE}"`, '"authorization":"…'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: …'],
    [`the key ${KEY} is wrong`, 'the key … is wrong'],
    ['Authorization: SharedKey account:c2hvcnQ= was refused', 'Authorization: SharedKey … was refused'],
    ['no place sv=2024-11-04&sp=r&sig=ab%3D here', 'no place … here'],
    ['GET https://user:pass@host/path?X-Amz-Signature=12 failed', 'GET https://host/path failed'],
    ['Command failed: /bin/helper --secret hunter2\nmore', 'Command failed: /bin/helper …\nmore'],
  ])('%s is repeated as %s', (text, expected) => expect(withoutSecrets(text)).toBe(expected))

  test.each([
    'The specified key does not exist.',
    'POST https://host/api/v1/namespaces/_/actions/xfer/copy-range Returned HTTP 502 (Bad Gateway)',
    "ENOENT: no such file or directory, open '/home/user/.aws/credentials'",
    'The access key AKIAIOSFODNN7EXAMPLE does not exist.',
  ])('%s is repeated as it stands', text => expect(withoutSecrets(text)).toBe(text))

  test.each(['x', 'a=', 'A/1', 'a&sig', 'http://'])('a million times %j is cut, and not searched for ever', text => {
    const told = withoutSecrets(text.repeat(1_000_000 / text.length))
    expect(told.length).toBeLessThanOrEqual(4_001)
    expect(told.endsWith('…')).toBe(true)
  })

  test('what is cut does not end in the beginning of a secret', () => {
    expect(withoutSecrets(`${'word '.repeat(796)}${KEY}${' word'.repeat(100)}`)).toMatch(/word …$/)
  })
})
