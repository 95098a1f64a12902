'use strict'

/** The journals of jobs, wherever they lie: what is written is read, in order, by one owner at a time. */

const { keep, newFolder, openEnd, startKinds } = require('../support/opened')
const { chooseKinds } = require('../support/ends')
const { stateEnv } = require('../support/run-xfer')
const { openJournals } = require('../../lib/journal')
const { openState } = require('../../lib/job')
const { FACTS, JOB, part } = require('../lib/journal/jobs')

const { kinds } = chooseKinds('sandbox,sandbox-azure,versitygw,minio,azurite')
let servers
let count = 0
beforeAll(async () => {
  servers = new Map((await startKinds(kinds)).map(server => [server.name, server]))
})

/** The same place, as each of some machines opens it. @param {string} kind */
async function placesOf(kind) {
  const end = kind === 'folder' ? undefined : await openEnd(servers.get(kind), `state-${++count}`)
  const state = end ? end.text('team/') : newFolder()
  const env = stateEnv(end?.env('DEST') ?? {})
  return {
    end,
    async machine(more = {}) {
      const { place } = keep(await openState({ state, env }))
      return openJournals({ env, place, ...more })
    },
  }
}
/** Two machines at such a place, and a job that one of them has begun. @param {string} kind @param {any} [job] */
async function beginJob(kind, job = JOB) {
  const { machine, end } = await placesOf(kind)
  const [one, other] = [await machine(), await machine()]
  return { one, other, end, journal: await one.create(job) }
}
const segmentsOf = async end => [...(await end.look()).objects.keys()].filter(key => key.includes('/jobs/')).sort()

describe.each(['folder', ...kinds.map(({ name }) => name)])('%s', kind => {
  test('what was written is read, by another machine too', async () => {
    const { journal, other } = await beginJob(kind)
    for (const fact of FACTS) await journal.write(fact)
    journal.note(part(7))
    await journal.close()
    expect(await other.list()).toMatchObject([{ id: journal.state.id, running: false, damaged: 0 }])
    const again = await other.open(journal.state.id.slice(0, 12))
    const { path, ...state } = again.state
    expect(state).toEqual({ ...journal.state, path: undefined, updatedMs: expect.any(Number) })
    expect([...state.parts.keys()]).toContain(7)
    await again.close()
  })

  test('one machine has a job at a time, and one that ended gives it back', async () => {
    const { one, other, journal } = await beginJob(kind)
    const { id } = journal.state
    await expect(other.open(id)).rejects.toMatchObject({ code: 'JOB_RUNNING', exitCode: 75 })
    await expect(other.look(id)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
    await journal.close()
    const again = await other.open(id)
    await expect(one.open(id)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
    await again.remove()
    await expect(one.open(id)).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
    expect(await one.find(JOB)).toEqual([])
  })
})

describe.each(kinds.map(({ name }) => name))('%s', kind => {
  test('of two that begin a job between the same places one does', async () => {
    const { machine } = await placesOf(kind)
    const machines = [await machine(), await machine(), await machine()]
    for (let round = 1; round <= 3; round++) {
      const letGo = await Promise.all(machines.map(one => one.hold(JOB)))
      const begun = await Promise.all(machines.map(one => one.create(JOB)))
      expect(begun.filter(Boolean)).toHaveLength(1)
      for (const release of letGo) await release()
      const [journal] = begun.filter(Boolean)
      expect((await machines[0].find(JOB)).map(({ id }) => id)).toEqual([journal.state.id])
      await journal.remove()
    }
  })

  test('a job whose beginning was cut short is begun by the next one, under its id', async () => {
    const { one, other, end, journal: ghost } = await beginJob(kind)
    const { id } = ghost.state
    await ghost.close()
    for (const key of await segmentsOf(end)) await end.remove(key)
    expect(await other.find(JOB)).toEqual([])
    const letGo = await Promise.all([one.hold(JOB), other.hold(JOB)])
    const begun = (await Promise.all([one.create(JOB), other.create(JOB)])).filter(Boolean)
    expect(begun.map(({ state }) => state.id)).toEqual([id])
    for (const release of letGo) await release()
    await begun[0].close()
  })

  test('who was taken over learns it with its next write, and writes nothing more', async () => {
    const { one, other, journal: sleeper } = await beginJob(kind)
    const taken = []
    sleeper.watchTaken(({ code }) => taken.push(code))
    await sleeper.write(FACTS[0])
    const owner = await other.open(sleeper.state.id, { take: true })
    await owner.write(part(1))
    await expect(sleeper.fence()).rejects.toMatchObject({ code: 'JOB_TAKEN', exitCode: 75 })
    await expect(sleeper.write(part(2))).rejects.toMatchObject({ code: 'JOB_TAKEN' })
    expect(taken).toEqual(['JOB_TAKEN'])
    await sleeper.close()
    await owner.fence()
    await owner.close()
    const again = await one.open(owner.state.id)
    expect(again.state).toEqual({ ...owner.state, updatedMs: expect.any(Number) })
    await again.close()
  })

  test('nor is it fooled by segments that were deleted since, or by the end of the job', async () => {
    const { other, end, journal } = await beginJob(kind)
    const sleepers = [journal]
    const { id } = journal.state
    for (let i = 0; i < 2; i++) {
      const owner = await other.open(id, { take: true })
      for (let n = 1; n <= 40; n++) await owner.write({ type: 'object', bytes: n, etag: `"${i} ${n}"` })
      sleepers.push(owner)
    }
    await sleepers.at(-1).remove()
    for (const sleeper of sleepers.slice(0, -1)) {
      await expect(sleeper.write(FACTS[0])).rejects.toMatchObject({ code: 'JOB_TAKEN' })
      await sleeper.close()
    }
    expect((await segmentsOf(end)).length).toBeLessThan(8)
  })

  test('it stays small, and whoever reads it meanwhile reads all of it', async () => {
    const job = { ...JOB, options: { ...JOB.options, recursive: 'copy' } }
    const { other, end, journal } = await beginJob(kind, job)
    let most = 0
    let writing = true
    const reads = (async () => {
      let least = 0
      while (writing) {
        const { prefix } = (await other.list())[0]
        const { objects = 0 } = prefix?.copied ?? {}
        expect(objects).toBeGreaterThanOrEqual(least)
        least = objects
        most = Math.max(most, (await segmentsOf(end)).length)
      }
    })()
    for (let objects = 1; objects <= 150; objects++) {
      await journal.write({ type: 'ranges', ranges: [{ id: 1 }], copied: { objects, bytes: objects } })
    }
    writing = false
    await reads
    expect(most).toBeGreaterThan(10)
    expect(most).toBeLessThan(50)
    expect((await other.list())[0].prefix.copied.objects).toBe(150)
    await journal.close()
  })

  test('lines that nobody waits for go together', async () => {
    const { end, journal } = await beginJob(kind)
    await journal.write(FACTS[3] ?? FACTS[0])
    const before = (await segmentsOf(end)).length
    for (let n = 1; n <= 200; n++) journal.note(part(n))
    await journal.close()
    expect((await segmentsOf(end)).length).toBe(before + 1)
  })

  test('half a segment, and a lost one, are noticed', async () => {
    const { one, end, journal } = await beginJob(kind)
    await journal.write(FACTS[0])
    await journal.close()
    const keys = await segmentsOf(end)
    const folder = keys[0].slice(0, -8)
    await end.write(`${folder}00000004`, { bytes: Buffer.from('0000 {"n":9,"type":"obj'), ...NOTHING })
    const again = await one.open(journal.state.id)
    await again.write(part(3))
    await again.close()
    expect(await one.list()).toMatchObject([{ id: journal.state.id, damaged: 1, running: false }])
    await end.remove(`${folder}00000002`)
    expect(await one.list()).toMatchObject([{ id: journal.state.id, problem: expect.stringContaining('are missing') }])
  })
})

const NOTHING = { attributes: { headers: {}, user: {}, tags: [] } }
