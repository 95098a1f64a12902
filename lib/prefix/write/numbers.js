'use strict'

/**
 * Runs the parts of many objects through one scheduler, which identifies parts by number. Inside an object the parts keep
 * their own numbers; the scheduler gets a number that is unique among all objects.
 */

/** @typedef {import('../../types').Part} Part */
/** @typedef {import('../../types').TaskSuccess} TaskSuccess */
/** @typedef {ReturnType<typeof import('../../schedule').createScheduler>} Scheduler */

/**
 * @param {Scheduler} scheduler
 */
function withOwnNumbers(scheduler) {
  let last = 0

  /** As `runParts`, for one object. @param {Part[]} parts @param {import('../../schedule/groups').GroupHow} how @returns {Promise<TaskSuccess[]>} */
  async function schedule(parts, how) {
    /** @type {Map<number, Part>} */
    const own = new Map()
    const given = parts.map(part => {
      const partNumber = ++last
      own.set(partNumber, part)
      return { ...part, partNumber }
    })
    /** @param {number} partNumber */
    const partOf = partNumber => /** @type {Part} */ (own.get(partNumber))
    /** @template {{ partNumber: number }} T @param {T} thing @returns {T} */
    const inward = thing => ({ ...thing, partNumber: partOf(thing.partNumber).partNumber })
    const outwardOf = new Map(given.map(({ partNumber }) => [partOf(partNumber).partNumber, partNumber]))
    const { sign, explain, check, settle, done, emit } = how
    const outcomes = await scheduler.run(given, {
      ...how,
      numberOf: ({ partNumber }) => partOf(partNumber).partNumber,
      sign: async ({ partNumber }) => ({ ...(await sign(partOf(partNumber))), partNumber }),
      explain: (error, { partNumber }) => explain(error, partOf(partNumber)),
      ...(check && { check: (outcome, attempt) => check(inward(outcome), attempt) }),
      ...(settle && {
        async settle(unsure, signal) {
          const found = await settle(
            unsure.map(({ partNumber }) => partOf(partNumber)),
            signal,
          )
          return found.map(outcome => ({ ...outcome, partNumber: Number(outwardOf.get(outcome.partNumber)) }))
        },
      }),
      ...(done && { done: outcome => done(inward(outcome)) }),
      emit: event => emit('partNumber' in event ? inward(event) : event),
    })
    return outcomes.map(inward)
  }

  return {
    schedule,

    /**
     * An object of one part. There are millions of them, so the numbers are not translated.
     *
     * @param {number} bytes
     * @param {import('../../schedule/groups').GroupHow & { start?: number }} how start: offset of the part in the source
     * @returns {Promise<TaskSuccess>}
     */
    async scheduleOne(bytes, { start = 0, ...how }) {
      const [outcome] = await scheduler.run([{ partNumber: ++last, start, bytes }], { lane: 1, ...how })
      return outcome
    },
  }
}

module.exports = { withOwnNumbers }
