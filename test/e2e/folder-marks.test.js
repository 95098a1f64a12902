'use strict'

/** Empty objects that mark folders, by the conventions of Azure's programs and of Hadoop, between all kinds of stores. */

const { existsSync, writeFileSync } = require('node:fs')
const { openEnd, startAzureStore, startKinds } = require('../support/opened')
const { chooseKinds } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { newStateHome } = require('../support/journals')
const { eventsOf, runXfer } = require('../support/run-xfer')

const EMPTY = Buffer.alloc(0)
const BYTES = Buffer.from('bytes')
const MARK = { bytes: EMPTY, attributes: { headers: {}, user: { hdi_isfolder: 'true' }, tags: [] } }

const { kinds } = chooseKinds('sandbox,sandbox-azure,google-mode,file,versitygw,minio,azurite')
const names = kinds.map(({ name }) => name)
const nested = { name: 'hierarchical', start: async () => azureServer(await startAzureStore({ hierarchical: true })) }

let count = 0
let servers
beforeAll(async () => {
  servers = new Map((await startKinds([...kinds, nested])).map(server => [server.name, server]))
})

/** @param {string} from @param {string} to */
async function open(from, to) {
  count++
  const source = await openEnd(servers.get(from), `from-${count}`)
  const destination = await openEnd(servers.get(to), `to-${count}`)
  const env = { ...source.env('SOURCE'), ...destination.env('DEST'), XDG_STATE_HOME: newStateHome() }
  /** @param {string[]} args the command, and its options */
  async function run(...[command, ...args]) {
    const recursive = command === 'sync' ? [] : ['-r']
    const places = [source.text('tree/'), destination.text('tree/')]
    const ended = await runXfer([command, ...recursive, ...places, '--engine', 'local', '--json', ...args], { env })
    const events = eventsOf(ended)
    const told = events.flatMap(({ type, name, code, found }) =>
      ['failure', 'difference'].includes(type) ? [[name, code ?? found]] : [],
    )
    return { status: ended.status, told }
  }
  const keys = async () => [...(await destination.look()).objects.keys()].sort()
  return { source, destination, run, keys }
}

const FINE = { status: 0, told: [] }

describe.each(names)('a folder mark of Azure, to %s', to => {
  test.each(['list', 'names'])('is a folder there, or is left out, by a %s', async by => {
    const { source, destination, run, keys } = await open('sandbox-azure', to)
    await source.write('tree/dir', MARK)
    await source.write('tree/dir/file', { bytes: BYTES })
    await source.write('tree/none', MARK)
    await source.write('tree/plain', { bytes: EMPTY })

    const list = `${newStateHome()}-names`
    writeFileSync(list, 'dir\ndir/file\nnone\nplain\n')
    const how = by === 'names' ? ['--files-from', list] : []
    expect(await run('copy', ...how)).toEqual(FINE)
    const azure = to.includes('azu')
    const marks = azure ? ['tree/dir', 'tree/none'] : []
    expect(await keys()).toEqual([...marks, 'tree/dir/file', 'tree/plain'].sort())
    if (azure) expect(await destination.read('tree/none')).toMatchObject({ user: { hdi_isfolder: 'true' } })
    if (to === 'file') expect(existsSync(destination.text('tree/none'))).toBe(true)
    expect(await run('verify', ...how)).toEqual(FINE)
    if (by === 'list') expect(await run('sync', '--delete')).toEqual(FINE)
  })
})

test.each(['sandbox', 'file'])('a mark at an Azure destination stays in a sync --delete from %s', async from => {
  const { source, destination, run, keys } = await open(from, 'sandbox-azure')
  await source.write('tree/dir/file', { bytes: BYTES })
  await destination.write('tree/dir', MARK)
  await destination.write('tree/extra', { bytes: BYTES })
  expect(await run('sync', '--delete')).toEqual(FINE)
  expect(await keys()).toEqual(['tree/dir', 'tree/dir/file'])
  expect(await run('verify')).toEqual(FINE)
})

test('to a hierarchical namespace a mark is the folder that is there, or is made', async () => {
  const { source, destination, run, keys } = await open('sandbox-azure', 'hierarchical')
  // Its folder is there, which a copy learns from a refusal.
  await destination.write('tree/dir/old', { bytes: BYTES })
  await source.write('tree/dir', MARK)
  await source.write('tree/dir/file', { bytes: BYTES })
  await source.write('tree/none', MARK)
  for (const args of [['copy'], ['sync', '--delete'], ['sync', '--delete'], ['verify']])
    expect([args, await run(...args)]).toEqual([args, FINE])
  expect(await keys()).toEqual(['tree', 'tree/dir', 'tree/dir/file', 'tree/none'])
})

test.each(['sandbox', 'google-mode'])("Hadoop's mark, dir_$folder$ of %s, is a folder, and stays", async kind => {
  const down = await open(kind, 'file')
  for (const key of ['tree/dir_$folder$', 'tree/none_$folder$', 'tree/slash/'])
    await down.source.write(key, { bytes: EMPTY })
  await down.source.write('tree/dir/file', { bytes: BYTES })
  await down.source.write('tree/full_$folder$', { bytes: BYTES })
  expect(await down.run('copy')).toEqual(FINE)
  expect(await down.keys()).toEqual(['tree/dir/file', 'tree/full_$folder$'])
  for (const name of ['none', 'slash']) expect(existsSync(down.destination.text(`tree/${name}`))).toBe(true)
  expect(await down.run('verify')).toEqual(FINE)
  const env = { ...down.source.env('DEST'), XDG_STATE_HOME: newStateHome() }
  const back = ['sync', down.destination.text('tree/'), down.source.text('tree/'), '--delete', '--engine', 'local']
  expect(await runXfer(back, { env })).toMatchObject({ status: 0 })
  const kept = ['dir/file', 'dir_$folder$', 'full_$folder$', 'none_$folder$', 'slash/'].map(name => `tree/${name}`)
  expect([...(await down.source.look()).objects.keys()].sort()).toEqual(kept)
})
