'use strict'

/** Functions whose variables are sealed by a key, as GetFunctionConfiguration answers without kms:Decrypt. */

const { createHash } = require('node:crypto')
const { checkAccess, checkOurs } = require('../../../../../lib/engines/lambda/deploy/guards')

const bare = Buffer.from('our archive')
const settings = { fn: { name: 'payments' }, where: 'AWS Lambda' }
const sealed = {
  PackageType: 'Zip',
  Handler: 'index.handler',
  CodeSha256: createHash('sha256').update(bare).digest('base64'),
  Environment: { Error: { ErrorCode: 'AccessDeniedException', Message: 'Lambda was unable to decrypt.' } },
}
const refused = expect.objectContaining({ code: 'LAMBDA_SEALED' })

it('is ours only if its code is ours', () => {
  expect(() => checkOurs(sealed, bare, settings)).not.toThrow()
  expect(() => checkOurs({ ...sealed, CodeSha256: 'another' }, bare, settings)).toThrow(refused)
})

it.each([[{ asked: {}, reset: true }], [{ asked: { hosts: ['*'] } }], [{ asked: { metadata: true } }]])(
  'is not written if %j would have to set variables',
  how => {
    expect(() => checkAccess(sealed, how, 'payments')).toThrow(refused)
    expect(() => checkAccess(sealed, { asked: { memory: 512 } }, 'payments')).not.toThrow()
  },
)
