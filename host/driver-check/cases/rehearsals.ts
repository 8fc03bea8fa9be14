import type { Assessment, Effect, Statement } from '@roundhouse/kit'
import type { StatementExamples } from '@roundhouse/kit/conformance'
import { DoesNotApply, notGiven } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { stateOf } from '../rows.ts'
import type { Run } from './run.ts'
import { onlyStatement, quoted, run, statementsOf } from './statements.ts'

/** What a rehearsal says of statements whose text does not show all rows that they change. */

/** Number of the session in the shared process. The host's own count from 1. */
const session = 900_000

/** Returns the case of one example: in the console of an AI client, and in a user's session. */
export function rehearsing(kind: keyof NonNullable<StatementExamples['rehearsals']>): Run {
	return async (lab, report) => {
		if (!lab.subject.manifest.console.canRehearse) throw new DoesNotApply('The manifest has no canRehearse.')
		const example = statementsOf(lab).rehearsals?.[kind]
		if (!example)
			throw notGiven(
				`example of a ${kind} for a rehearsal`,
				`\`rehearsals: { ${kind}: { statement: 'remove 1', effect: { notes: { deleted: 2 } } } }\` to \`statements\``,
			)
		for (const text of example.prepare ?? []) await run(lab, await onlyStatement(lab, text), { maxRows: 1 })
		const statement = await onlyStatement(lab, example.statement)
		const place = `assess ${quoted(example.statement)}`
		const expected = textOf(
			Object.entries(example.effect).map(([table, counts]) => {
				return { table, inserted: 0, updated: 0, deleted: 0, ...counts }
			}),
		)
		const before = await stateOf(lab)
		// The second one finds what the first one has left.
		for (const own of [{}, { session }, { session }]) {
			const { effect, unrehearsed, fault } = await assess(lab, statement, own)
			if (fault) report(place, `It fails: ${fault.message}`)
			else if (effect && textOf(effect.tables) !== expected)
				report(place, `The effect is ${textOf(effect.tables)}, but the statement does ${expected}.`)
			else if (!effect && unrehearsed === undefined && 'session' in own)
				report(place, 'It has neither an effect nor a reason why it was not rehearsed.')
		}
		await lab.call('closeSession', { session })
		if ((await stateOf(lab)) !== before) report(place, 'A rehearsal has changed data.')
	}
}

const assess = (lab: Lab, statement: Statement, own: { readonly session?: number }): Promise<Assessment> =>
	lab.call('assess', { statement, rehearses: true, ...own })

/** `orders +1 ~0 -2`, in the order of names. Tables without a changed row are left out. */
function textOf(tables: readonly Pick<Effect['tables'][number], 'table' | 'inserted' | 'updated' | 'deleted'>[]) {
	const texts = tables
		.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0)
		.map(({ table, inserted, updated, deleted }) => `${table} +${inserted} ~${updated} -${deleted}`)
	return texts.toSorted().join(', ') || 'nothing'
}
