import type { Column, ConsoleResult, ExplainedStep } from '@roundhouse/kit'
import type { Answer } from '../wire/session.ts'
import { type Plan, stepsOf } from './explain.ts'

/** What a user sees of an EXPLAIN that was typed, in any format, as the server answered. */
type Shown = Pick<ConsoleResult, 'body' | 'raw'>

/** Object identifier of the type of a plan in JSON. */
const jsonType = 114

/** Returns the plan in one text, and one in JSON also as its steps. `undefined` for another answer, and for a part of a plan. */
export function typedExplain({ tag, isCut, fields, rows }: Answer): Shown | undefined {
	if (tag !== 'EXPLAIN' || isCut) return undefined
	const text = rows.map(([line]) => line ?? '').join('\n')
	if (fields[0]?.dataTypeID !== jsonType) return { body: { view: 'text', text } }
	const raw = new TextEncoder().encode(text)
	// A rule makes several plans of a statement. One that has none is the name of its kind.
	const plans: readonly { readonly Plan?: Plan }[] = JSON.parse(text)
	const steps = plans.flatMap(({ Plan }) => (Plan === undefined ? [] : stepsOf(Plan)))
	return { raw, body: steps.length === 0 ? { view: 'json' } : rowsOf(steps) }
}

type ShownColumn = readonly [
	name: string,
	kind: Column['kind'],
	value: (step: ExplainedStep) => string | number | undefined,
]

const columns: readonly ShownColumn[] = [
	['Step', 'text', ({ name, depth }) => `${'    '.repeat(depth)}${name}`],
	['Time with its parts (ms)', 'number', ({ tookMs }) => tookMs],
	['Loops', 'number', ({ loops }) => loops],
	['Rows', 'number', ({ rows }) => rows],
	['Expected rows', 'number', ({ estimatedRows }) => estimatedRows],
	['Cost', 'number', ({ estimatedCost }) => estimatedCost],
	['Detail', 'text', ({ detail = '' }) => detail],
]

/** Returns the steps as rows, with the columns that one of them has. */
function rowsOf(steps: readonly ExplainedStep[]): ConsoleResult['body'] {
	const shown = columns.filter(([, , value]) => steps.some(step => value(step) !== undefined))
	return {
		view: 'rows',
		columns: shown.map(([name, kind]) => ({
			name,
			kind,
			type: kind,
			isKey: false,
			isReadOnly: true,
			isSortable: false,
		})),
		rows: steps.map(step => shown.map(([, , value]) => value(step) ?? null)),
		isTruncated: false,
	}
}
