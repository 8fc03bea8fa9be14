import type { RawReading, TypedQuery } from '@roundhouse/kit'
import { type ConditionKnowledge, readCondition as readIn } from '@roundhouse/sql'
import { completing } from './complete.ts'

/** Completes a condition where the user types, and says what it means so far. */
export const readCondition = (typed: TypedQuery, known: ConditionKnowledge): Promise<RawReading> =>
	readIn(typed, { ...known, completing })
