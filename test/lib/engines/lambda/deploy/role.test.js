'use strict'

/** The role of a function, made by an IAM of this file: what answers late, twice or not at all. test/e2e has moto's. */

const http = require('node:http')
const { once } = require('node:events')
const { tmpdir } = require('node:os')
const { startLambda } = require('../../../../../sandbox/lambda')
const { deploy, undeploy } = require('../../../../../lib/engines/lambda/deploy')

const NAME = 'xfer-copy-range-us-east-1'
const ARN = `arn:aws:iam::123456789012:role/${NAME}`
const DAY_MS = 86_400_000

let lambda
let iam
let env
/** The role, as IAM has it. */
let role
/** What IAM does in place of an answer, by action. */
let instead
let asked
beforeEach(async () => {
  lambda = await startLambda({ handler: async () => ({}), pendingMs: 0 })
  ;[role, instead, asked] = [undefined, {}, []]
  iam = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const fields = new URLSearchParams(body)
    const action = fields.get('Action')
    asked.push(action)
    const answer = handle[action]?.(fields) ?? result(action, '')
    const once = instead[action]
    delete instead[action]
    if (once) once(response)
    else response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body)
  })
  iam.listen(0, '127.0.0.1')
  await once(iam, 'listening')
  env = {
    HOME: tmpdir(),
    AWS_ACCESS_KEY_ID: lambda.accessKeyId,
    AWS_SECRET_ACCESS_KEY: lambda.secretAccessKey,
    AWS_REGION: lambda.region,
    AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
    AWS_ENDPOINT_URL_IAM: `http://127.0.0.1:${iam.address().port}`,
  }
})
afterEach(async () => {
  iam.closeAllConnections()
  iam.close()
  await lambda.close()
})

const result = (action, content) => ({
  status: 200,
  body: `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`,
})
const failed = (status, code) => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error></ErrorResponse>`,
})
const described = ({ tags, madeMs }) => {
  const members = tags.map(([key, value]) => `<member><Key>${key}</Key><Value>${value}</Value></member>`).join('')
  const made = new Date(madeMs).toISOString()
  return `<Role><RoleName>${NAME}</RoleName><Arn>${ARN}</Arn><CreateDate>${made}</CreateDate><Tags>${members}</Tags></Role>`
}
const handle = {
  GetRole: () => (role ? result('GetRole', described(role)) : failed(404, 'NoSuchEntity')),
  CreateRole(fields) {
    if (role) return failed(409, 'EntityAlreadyExists')
    role = { tags: [[fields.get('Tags.member.1.Key'), fields.get('Tags.member.1.Value')]], madeMs: Date.now() }
    return result('CreateRole', described(role))
  },
  DeleteRole() {
    role = undefined
    return result('DeleteRole', '')
  },
}
/** As if Lambda did not know the new role yet. */
const notYet = () =>
  lambda.faults.add({ on: 'CreateFunction', status: 400, code: 'InvalidParameterValueException', first: 1 })

it('is made, and waited for until Lambda knows it', async () => {
  notYet()
  const done = await deploy({ env, createRole: true })
  expect(done).toMatchObject({ actions: [{ outcome: 'created' }], roles: [{ name: NAME, outcome: 'created' }] })
  expect(asked).toEqual(['GetRole', 'CreateRole', 'PutRolePolicy'])
})

it('is waited for too if the answer to the request that made it was lost', async () => {
  notYet()
  instead.CreateRole = response => response.destroy()
  const done = await deploy({ env, createRole: true })
  expect(done).toMatchObject({ actions: [{ outcome: 'created' }], roles: [{ name: NAME, outcome: 'created' }] })
  expect(asked).toEqual(['GetRole', 'CreateRole', 'CreateRole', 'GetRole', 'PutRolePolicy'])
  expect(lambda.faults.hits()).toBe(1)
})

it('is waited for if a deployment that was ended has just made it, and not if it is old', async () => {
  const tags = [['xfer-function', 'us-east-1:xfer-copy-range']]
  role = { tags, madeMs: Date.now() - DAY_MS }
  notYet()
  await expect(deploy({ env, createRole: true })).rejects.toMatchObject({ code: 'LAMBDA_REFUSED' })
  role = { tags, madeMs: Date.now() }
  lambda.faults.clear()
  notYet()
  const done = await deploy({ env, createRole: true })
  expect(done.actions).toMatchObject([{ outcome: 'created' }])
  expect(done).not.toHaveProperty('roles')
})

it("somebody else's is left alone", async () => {
  role = { tags: [], madeMs: Date.now() - DAY_MS }
  await expect(deploy({ env, createRole: true })).rejects.toMatchObject({ code: 'LAMBDA_ROLE_FOREIGN' })
  expect(asked).toEqual(['GetRole'])
})

it('an answer that stops in its middle is asked for again', async () => {
  instead.GetRole = response => {
    response.writeHead(200, { 'content-type': 'text/xml', 'content-length': 1000 })
    response.write('<GetRole', () => response.destroy())
  }
  const done = await deploy({ env, createRole: true })
  expect(done.roles).toEqual([{ name: NAME, outcome: 'created' }])
  expect(asked.slice(0, 2)).toEqual(['GetRole', 'GetRole'])
})

it('is not made at AWS for a Lambda that is elsewhere', async () => {
  const { AWS_ENDPOINT_URL_IAM: _, ...alone } = env
  await expect(deploy({ env: alone, createRole: true })).rejects.toMatchObject({
    code: 'USAGE',
    message: `Lambda is at ${lambda.endpoint}, and no endpoint of IAM is configured.`,
    hint: 'Set AWS_ENDPOINT_URL_IAM, or name a role with --role.',
  })
  await deploy({ env: alone, role: ARN })
  expect(await undeploy({ env: alone })).toMatchObject({ actions: [{ outcome: 'removed' }] })
  expect(asked).toEqual([])
})

it('is removed with its function', async () => {
  await deploy({ env, createRole: true })
  expect(await undeploy({ env })).toMatchObject({ roles: [{ name: NAME, outcome: 'removed' }] })
  expect(role).toBeUndefined()
})
